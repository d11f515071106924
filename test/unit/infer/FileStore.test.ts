import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as FileStore from "../../../src/infer/FileStore.ts"
import type { Store, StoreError } from "../../../src/infer/Store.ts"
import * as Disk from "../../support/disk.ts"

const bytesOf = (n: number): Uint8Array => Uint8Array.from({ length: 40 + n }, (_, i) => (7 * i + n) % 256)
const numberOf = (bytes: Uint8Array): number => {
  const n = bytes.length - 40
  expect(bytes).toEqual(bytesOf(n))
  return n
}

type Disks = ReturnType<typeof Disk.make>

/** Uses the store of a disk, as one process. */
const using = <A, E>(
  disk: Disks,
  use: (store: Store) => Effect.Effect<A, E>,
): Effect.Effect<A, E | StoreError> =>
  Effect.scoped(Effect.flatMap(FileStore.open("run"), use)).pipe(Effect.provide(disk.layer))
const now = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)
const latest = (disk: Disks) =>
  using(disk, ({ read }) => Effect.map(read, (found) => found.latest.get("state")))
const writing = (
  disk: Disks,
  from: number,
  to: number,
  acknowledged: (n: number) => void = () => undefined,
) =>
  using(disk, ({ write }) =>
    Effect.forEach(
      Array.from({ length: to - from }, (_, i) => from + i),
      (n) => Effect.map(write("state", bytesOf(n)), () => acknowledged(n)),
      { discard: true },
    ),
  )
const message = async (effect: Effect.Effect<unknown, StoreError>): Promise<string> =>
  (await now(Effect.flip(effect))).message

describe("a store in a folder", () => {
  it("has what was written last under each name, and nothing before", async () => {
    const disk = Disk.make()
    expect(await now(latest(disk))).toBeUndefined()
    await now(writing(disk, 1, 4))
    expect(await now(latest(disk))).toEqual(bytesOf(3))
    await now(using(disk, ({ write }) => write("other", bytesOf(9))))
    await now(writing(disk, 4, 5))
    expect(await now(latest(disk))).toEqual(bytesOf(4))
    expect(disk.names()).toEqual(["other.0.state", "state.0.state", "state.1.state"])
  })

  /** Cuts the power at each operation in turn. @returns what was lost or damaged */
  const cuts = async (settings: Disk.Settings): Promise<ReadonlyArray<string>> => {
    const count = Disk.make(settings)
    await now(writing(count, 1, 5))
    const wrong: Array<string> = []
    for (let after = 0; after < count.operations(); after++)
      for (let seed = 0; seed < 6; seed++) {
        const disk = Disk.make(settings)
        disk.cutAfter(after)
        let last = 0
        await Effect.runPromiseExit(writing(disk, 1, 5, (n) => void (last = n)))
        disk.restart(seed)
        // The file of the lock may be without text: it counts until it is old.
        for (const name of disk.names()) if (name.startsWith("lock.")) disk.change(name, (all) => all, 1000)
        const found = await Effect.runPromiseExit(latest(disk))
        const n = Exit.isFailure(found) ? -1 : found.value === undefined ? 0 : numberOf(found.value)
        if (n !== last && n !== last + 1) wrong.push(`${after}/${seed}: ${n} after ${last}`)
        // The run goes on.
        else await now(writing(disk, n + 1, n + 3))
        if (wrong.length === 0) expect(await now(latest(disk))).toEqual(bytesOf(n + 2))
      }
    return wrong
  }

  it("loses nothing that was written when the power is cut at any operation", async () => {
    expect(await cuts({})).toEqual([])
  })

  it("needs that the disk syncs: the test can fail", async () => {
    expect((await cuts({ lies: true })).length).toBeGreaterThan(0)
  })

  it("uses the other state where a bit has changed, or a file is cut off", async () => {
    const disk = Disk.make()
    await now(writing(disk, 1, 4))
    const whole = disk.bytesOf("state.0.state")
    const damage = fc.oneof(
      fc.record({ at: fc.nat(whole.length - 1), bit: fc.nat(7) }),
      fc.record({ at: fc.nat(whole.length - 1), bit: fc.constant(undefined) }),
    )
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, bit }) => {
        disk.change("state.0.state", () =>
          bit === undefined
            ? whole.slice(0, at)
            : whole.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte)),
        )
        const found = await now(using(disk, ({ read }) => read))
        expect(found.latest.get("state")).toEqual(bytesOf(2))
        expect(found.damaged.map((error) => error.message)).toEqual([
          expect.stringMatching(
            /^run\/state\.0\.state: (it is cut off|some of its bytes have changed|it does not begin as a kept state does); the state beside it is used$/,
          ),
        ])
      }),
      { numRuns: 300 },
    )
    // The damaged one is replaced first.
    await now(writing(disk, 5, 6))
    expect(await now(latest(disk))).toEqual(bytesOf(5))
  })

  it("says where all is damaged", async () => {
    const disk = Disk.make()
    await now(writing(disk, 1, 4))
    for (const slot of [0, 1]) disk.change(`state.${slot}.state`, (bytes) => bytes.slice(0, 30))
    expect(await message(latest(disk))).toBe(
      "run/state.0.state: it is cut off; run/state.1.state: it is cut off; no undamaged state is left, so begin in another folder",
    )
    disk.change("state.0.state", () => new Uint8Array(100))
    expect(await message(latest(disk))).toContain("it does not begin as a kept state does")
  })

  it("keeps the last state where the disk is full, and goes on when it is not", async () => {
    const disk = Disk.make()
    await now(writing(disk, 1, 3))
    const before = disk.names()
    disk.space.room = 600
    expect(await message(using(disk, ({ write }) => write("state", new Uint8Array(1000))))).toBe(
      "run/state.0.state: the state cannot be kept: no space left on the device",
    )
    expect(disk.names()).toEqual(before)
    expect(await now(latest(disk))).toEqual(bytesOf(2))
    disk.space.room = Infinity
    await now(writing(disk, 3, 4))
    expect(await now(latest(disk))).toEqual(bytesOf(3))
  })

  it("leaves nothing on a disk that is full from the beginning", async () => {
    const disk = Disk.make({ room: 0 })
    expect(await message(latest(disk))).toBe("run: cannot write here: no space left on the device")
    expect(disk.names()).toEqual([])
    disk.space.room = Infinity
    await now(writing(disk, 1, 2))
  })

  it("removes files that a process left when it was killed", async () => {
    const disk = Disk.make()
    disk.change("state.0.state.01234567-89ab-cdef-0123-456789abcdef.part", () => new Uint8Array(9))
    disk.change("notes.part", () => new Uint8Array(9))
    await now(latest(disk))
    expect(disk.names()).toEqual(["notes.part"])
  })
})
