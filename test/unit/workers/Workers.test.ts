import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { threadId } from "node:worker_threads"
import { SettingError } from "../../../src/errors/Setting.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Workers from "../../../src/workers/Workers.ts"
import { squares } from "../../fixtures/workers/selfish.ts"
import { count, type Deed, deed, draw, nested, spoil } from "../../fixtures/workers/tasks.ts"

const deeds = (...names: ReadonlyArray<Deed["deed"]>): ReadonlyArray<Deed> =>
  names.map((deed, n) => ({ deed, n: n + 1 }))

const counter = () => new Int32Array(new SharedArrayBuffer(4))

/** Whether nothing counts any more. */
const silent = (counter: Int32Array) =>
  Effect.gen(function* () {
    const before = Atomics.load(counter, 0)
    yield* Effect.sleep(30)
    return before > 0 && Atomics.load(counter, 0) === before
  })

// A pool in this thread and one of two threads, for many tests: starting a thread takes a third of a second.
const scope = Scope.makeUnsafe()
let pools: ReadonlyArray<Workers.Pool<Deed, number, number>> = []

beforeAll(async () => {
  const made = Effect.forEach([1, 2], (workers) => Workers.make(deed, workers))
  pools = await Effect.runPromise(Scope.provide(made, scope))
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

describe("jobs over workers", () => {
  it.live("give the same bits with 1, 2 and 3 workers, in the order of the jobs", () =>
    Effect.gen(function* () {
      // The first take longest.
      const jobs = Rng.split(Rng.key(1), 7).map((key, job) => ({ key, wait: 30 - 4 * job }))
      const expected = jobs.map(({ key }) => Rng.normal(key, new Float64Array(5)))
      for (const workers of [1, 2, 3]) expect(yield* Workers.map(draw, jobs, { workers })).toEqual(expected)
      expect(yield* Workers.map(draw, [], { workers: 2 })).toEqual([])
    }),
  )

  it.live("start as few threads as they can, and use them again", () =>
    Effect.gen(function* () {
      expect(pools.map(({ size }) => size)).toEqual([1, 2])
      const [one] = yield* pools[1]!.map(deeds("where"))
      const ids = yield* pools[1]!.map(deeds("where", "where", "where", "where"))
      expect(ids).toContain(one)
      expect(new Set(ids).size).toBeLessThanOrEqual(2)
      expect(ids).not.toContain(threadId)
      expect(yield* pools[0]!.map(deeds("where"))).toEqual([threadId])
    }),
  )

  it.live("stop with the scope, also what they have left running", () =>
    Effect.gen(function* () {
      const left = counter()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const pool = yield* Workers.make(count, 2)
          yield* pool.map([{ counter: left, busy: false }])
          while (Atomics.load(left, 0) < 3) yield* Effect.sleep(5)
        }),
      )
      expect(yield* silent(left)).toBe(true)
    }),
  )

  it.live("tell in order, and the caller knows which job it was", () =>
    Effect.gen(function* () {
      for (const pool of pools) {
        const heard: Array<readonly [number, number]> = []
        yield* pool.map(deeds("square", "square", "square"), (n, job) => void heard.push([job, n]))
        expect(heard.toSorted(([a], [b]) => a - b)).toEqual(
          [0, 1, 2].flatMap((j) => [
            [j, j + 1],
            [j, 2 * j + 2],
          ]),
        )
      }
    }),
  )

  it.live("change no data of the caller, also in the caller's thread", () =>
    Effect.gen(function* () {
      const values = Float64Array.of(1, 2)
      expect(yield* Workers.map(spoil, [values, values], { workers: 1 })).toEqual([2, 2])
      expect(values).toEqual(Float64Array.of(1, 2))
    }),
  )

  it.live("run in their own thread inside a worker, whose cores are taken", () =>
    Effect.gen(function* () {
      for (const { own, ids } of yield* Workers.map(nested, [1, 2], { workers: 2 }))
        expect(ids).toEqual([own, own])
    }),
  )

  it("need at least one worker", () => {
    for (const workers of [0, 1.5, Number.NaN])
      expect(() => Workers.make(deed, workers)).toThrow(SettingError)
    expect(Workers.cores()).toBeGreaterThanOrEqual(1)
  })

  it("are plain data, or do not compile", () => {
    // @ts-expect-error functions cannot be posted
    Workers.task("file:///x.js", "call", (f: () => number) => Effect.sync(f))
    // @ts-expect-error nor be results
    Workers.task("file:///x.js", "make", (n: number) => Effect.succeed({ add: (m: number) => n + m }))
    const fine = Workers.task("file:///x.js", "fine", (x: { readonly a: Map<string, Float64Array> }) =>
      Effect.succeed([x.a.size, undefined] as const),
    )
    expect(fine).toMatchObject({ module: "file:///x.js", name: "fine" })
  })
})

describe("a job that fails", () => {
  it.live("names itself, in this thread and in others, and the pool goes on", () =>
    Effect.gen(function* () {
      for (const pool of pools) {
        const failure = (name: Deed["deed"]) => Effect.flip(pool.map(deeds("square", name, "square")))
        expect(yield* failure("fail")).toMatchObject({
          _tag: "JobError",
          task: "deed",
          job: 1,
          reason: "failed",
          error: "Refused",
          detail: "2 is refused",
          message: "job 1 of deed failed with a Refused: 2 is refused",
        })
        const thrown = yield* failure("throw")
        expect(thrown).toMatchObject({ job: 1, reason: "threw", message: "job 1 of deed threw: 2 is thrown" })
        // The stack is that of the place where it was thrown.
        expect(thrown.cause).toMatchObject({ stack: expect.stringContaining("tasks.ts") })
        expect(yield* failure("interrupt")).toMatchObject({ job: 1, reason: "threw" })
        expect(yield* failure("uncloneable")).toMatchObject({
          job: 1,
          reason: "threw",
          detail: "() => n could not be cloned.",
        })
        // What the types do not let through.
        const jobs = [...deeds("square"), { deed: "square", n: (() => 1) as unknown as number }] as const
        expect(yield* Effect.flip(pool.map(jobs))).toMatchObject({
          job: 1,
          reason: "uncloneable",
          message: "job 1 of deed cannot be posted to a worker: () => 1 could not be cloned.",
        })
        expect(yield* pool.map(deeds("square", "square"))).toEqual([1, 4])
      }
    }),
  )

  it.live("ends those behind it and not those before it: the first of several counts", () =>
    Effect.gen(function* () {
      for (const pool of pools)
        for (const jobs of [deeds("fail late", "fail", "hang"), deeds("fail late", "hang")])
          expect(yield* Effect.flip(pool.map(jobs))).toMatchObject({ job: 0, detail: "1 is refused late" })
    }),
  )

  it.live("is named when its thread is lost, and the next jobs have another thread", () =>
    Effect.gen(function* () {
      const pool = pools[1]!
      expect(yield* Effect.flip(pool.map(deeds("square", "exit")))).toMatchObject({
        job: 1,
        reason: "crashed",
        message: "job 1 of deed lost its worker: it exited with code 2",
      })
      expect(yield* Effect.flip(pool.map(deeds("callback")))).toMatchObject({
        job: 0,
        reason: "crashed",
        detail: "1 in a callback",
      })
      expect(yield* pool.map(deeds("square", "square"))).toEqual([1, 4])
    }),
  )

  it.live("says that its module is missing, or has no such task", () =>
    Effect.gen(function* () {
      const failure = (task: typeof deed) =>
        Effect.scoped(Effect.flatMap(Workers.make(task, 2), (pool) => Effect.flip(pool.map(deeds("square")))))
      const lost = new URL("../nowhere.ts", import.meta.url).href
      expect(yield* failure({ ...deed, module: lost })).toMatchObject({
        job: 0,
        reason: "crashed",
        message: expect.stringMatching(/Cannot find module .*nowhere\.ts/),
      })
      expect((yield* failure({ ...deed, name: "other" })).message).toMatch(
        /tasks\.ts exports no task named "other"/,
      )
    }),
  )

  it("is stopped from starting workers by whoever starts it", async () => {
    expect(await squares).toMatchObject({
      failure: {
        reason: "crashed",
        detail: expect.stringContaining("put the task in a module that only declares it"),
      },
    })
  })
})

describe("an interruption", () => {
  it.live("terminates workers that listen and workers that do not", () =>
    Effect.gen(function* () {
      for (const pool of pools) {
        let started: () => void = () => undefined
        const hanging = new Promise<void>((resolve) => {
          started = resolve
        })
        const fiber = yield* Effect.forkChild(pool.map(deeds("hang"), () => started()))
        yield* Effect.promise(() => hanging)
        yield* Fiber.interrupt(fiber)
        expect(yield* pool.map(deeds("square"))).toEqual([1])
      }
      const busy = counter()
      const fiber = yield* Effect.forkChild(
        Workers.map(
          count,
          [
            { counter: busy, busy: true },
            { counter: busy, busy: true },
          ],
          { workers: 2 },
        ),
      )
      while (Atomics.load(busy, 0) === 0) yield* Effect.sleep(5)
      yield* Fiber.interrupt(fiber)
      expect(yield* silent(busy)).toBe(true)
    }),
  )
})
