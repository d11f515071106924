import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import * as FolderLock from "../../../src/infer/FolderLock.ts"
import { StoreError } from "../../../src/infer/Store.ts"
import * as Disk from "../../support/disk.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vasst-lock-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Uses the folder, or says why not. */
const use = <A>(inside: Effect.Effect<A>): Promise<A | string> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.andThen(
        FolderLock.acquire(folder, (other) => new StoreError({ message: `in use${other}` })),
        inside,
      ),
    ).pipe(
      Effect.catchTag("StoreError", ({ message }) => Effect.succeed(message)),
      Effect.provide(NodeServices.layer),
    ),
  )
const free = () => use(Effect.succeed("free"))

it("a folder has one user at a time, also in one process", async () => {
  expect(await use(Effect.promise(free))).toBe(`in use (${process.pid})`)
  expect(await free()).toBe("free")
  expect(readdirSync(folder)).toEqual([])
})

it("of many that want a folder at the same moment one has it at most", async () => {
  let [inside, most] = [0, 0]
  const counted = Effect.gen(function* () {
    most = Math.max(most, ++inside)
    yield* Effect.sleep(20)
    inside--
    return "free"
  })
  await Promise.all(Array.from({ length: 8 }, () => use(counted)))
  expect([inside, most]).toEqual([0, 1])
})

it("a process that was killed leaves no folder in use", async () => {
  const child = spawn(process.execPath, ["test/support/holdFolder.ts", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  await once(child.stdout, "data")
  expect(await free()).toBe(`in use (${child.pid})`)
  child.kill("SIGKILL")
  await once(child, "close")
  expect(readdirSync(folder)).toHaveLength(1)
  expect(await free()).toBe("free")
  expect(readdirSync(folder)).toEqual([])
})

/** The file of this process. */
const own = async (): Promise<Record<string, unknown>> =>
  // What the process itself has written.
  JSON.parse(
    await use(Effect.sync(() => readFileSync(join(folder, readdirSync(folder)[0]!), "utf8"))),
  ) as Record<string, unknown>
const left = (text: string): void =>
  writeFileSync(join(folder, "lock.01234567-89ab-cdef-0123-456789abcdef"), text)

it.skipIf(!existsSync("/proc/self/stat"))(
  "a number of a process that another has now is not that process",
  async () => {
    const mine = await own()
    left(JSON.stringify(mine))
    expect(await free()).toBe(`in use (${process.pid})`)
    left(JSON.stringify({ ...mine, began: "1" }))
    expect(await free()).toBe("free")
  },
)

it("a process before the start of the machine has ended", async () => {
  left(JSON.stringify({ ...(await own()), boot: "another" }))
  expect(await free()).toBe("free")
})

it.each([
  [
    "on another machine",
    { host: "elsewhere", process: 1, began: "", boot: "", namespace: "" },
    " (1 on elsewhere)",
  ],
  ["that is about to say who it is", "", ""],
])("a process %s counts for two minutes after its last sign of life", async (_, owner, who) => {
  const file = "lock.01234567-89ab-cdef-0123-456789abcdef"
  for (const age of [0, 1000]) {
    const disk = Disk.make()
    disk.change(file, () => new TextEncoder().encode(owner === "" ? "" : JSON.stringify(owner)), age)
    const found = FolderLock.acquire("run", (other) => new StoreError({ message: `in use${other}` })).pipe(
      Effect.as("free"),
      Effect.scoped,
      Effect.catchTag("StoreError", ({ message }) => Effect.succeed(message)),
      Effect.provide(disk.layer),
    )
    expect(await Effect.runPromise(found)).toBe(age === 0 ? `in use${who}` : "free")
    expect(disk.names()).toEqual(age === 0 ? [file] : [])
  }
})
