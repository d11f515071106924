import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Job from "../../../src/jobs/Job.ts"
import type { QueueError } from "../../../src/jobs/QueueError.ts"
import * as Runner from "../../../src/jobs/Runner.ts"
import { JobError } from "../../../src/workers/Workers.ts"
import { job, kinds } from "../../support/queue.ts"

const bytes = Uint8Array.of(1, 2, 3)

describe.each(kinds())("a queue in $kind", ({ missing, using }) => {
  it.skipIf(missing)("gives each job to one worker, in order, and each version its own", () =>
    using((queue) =>
      Effect.gen(function* () {
        const data = yield* queue.store(bytes)
        const jobs = ["a", "b"].map((name) => job(name, data))
        yield* queue.add([...jobs, job("c", data, "2")])
        const first = yield* queue.claim("w", "1", 10)
        const second = yield* queue.claim("v", "1", 10)
        expect([first?.name, second?.name]).toEqual(["a", "b"])
        expect(yield* queue.claim("v", "1", 10)).toBeUndefined()
        expect(first).toMatchObject({
          token: 1,
          attempts: 1,
          checkpoint: null,
          payload: '{"seed":1,"task":"a"}',
        })
        expect([...(yield* queue.stored(first!.data))]).toEqual([1, 2, 3])
        expect(yield* queue.standings).toEqual([
          { version: "1", waiting: 0, running: 2, lost: 0, done: 0, failed: 0, lately: 0 },
          { version: "2", waiting: 1, running: 0, lost: 0, done: 0, failed: 0, lately: 0 },
        ])
        expect(yield* queue.busy).toEqual([
          { worker: "v", jobs: 1 },
          { worker: "w", jobs: 1 },
        ])
      }),
    ),
  )

  it.skipIf(missing)("has a job once, however often and under whatever name it is asked for", () =>
    using((queue) =>
      Effect.gen(function* () {
        const data = yield* queue.store(bytes)
        const [one, same] = ["a", "b"].map((name) =>
          Job.make({ name, version: "1", payload: name === "a" ? { x: 1, y: 2 } : { y: 2, x: 1 }, data }),
        )
        expect(same!.id).toBe(one!.id)
        yield* queue.add([one!, same!])
        yield* queue.add([same!])
        const claim = yield* queue.claim("w", "1", 10)
        expect(yield* queue.end(claim!, { result: "r", error: null })).toBe(true)
        yield* queue.add([one!])
        expect(yield* queue.claim("w", "1", 10)).toBeUndefined()
        expect(yield* queue.outcomes([one!.id, "unknown"])).toEqual([
          { id: one!.id, result: "r", error: null },
        ])
      }),
    ),
  )

  it.skipIf(missing)(
    "gives the job of a lost worker, with its state, to another, and hears only that one",
    () =>
      using((queue) =>
        Effect.gen(function* () {
          const data = yield* queue.store(bytes)
          const { id, ...rest } = job("a", data)
          yield* queue.add([{ id, ...rest }])
          const frozen = (yield* queue.claim("frozen", "1", 10))!
          expect(yield* queue.keep(frozen, 10, Uint8Array.of(9, 8))).toBe(true)
          // The lease ends.
          expect(yield* queue.keep(frozen, -1, undefined)).toBe(true)
          expect((yield* queue.standings)[0]).toMatchObject({ running: 0, lost: 1 })
          const other = (yield* queue.claim("other", "1", 10))!
          expect(other).toMatchObject({ id, token: 2 })
          expect([...other.checkpoint!]).toEqual([9, 8])
          // The frozen worker wakes: nothing that it writes is heard.
          expect(yield* queue.keep(frozen, 10, Uint8Array.of(0))).toBe(false)
          expect(yield* queue.end(frozen, { result: "old", error: null })).toBe(false)
          yield* queue.release(frozen, undefined, false)
          expect(yield* queue.claim("third", "1", 10)).toBeUndefined()
          expect(yield* queue.end(other, { result: "new", error: null })).toBe(true)
          expect(yield* queue.end(frozen, { result: "old", error: null })).toBe(false)
          // The same once more, as after an answer that was lost on its way.
          expect(yield* queue.end(other, { result: "again", error: null })).toBe(true)
          expect(yield* queue.outcomes([id])).toEqual([{ id, result: "new", error: null }])
        }),
      ),
  )

  it.skipIf(missing)("takes jobs back, and tries failed ones again when it is asked to", () =>
    using((queue) =>
      Effect.gen(function* () {
        const data = yield* queue.store(bytes)
        const { id, ...rest } = job("a", data)
        yield* queue.add([{ id, ...rest }])
        const first = (yield* queue.claim("w", "1", 10))!
        yield* queue.release(first, Uint8Array.of(7), false)
        const second = (yield* queue.claim("w", "1", 10))!
        expect(second).toMatchObject({ token: 2, attempts: 1 })
        expect([...second.checkpoint!]).toEqual([7])
        yield* queue.release(second, undefined, true)
        expect(yield* queue.claim("w", "1", 10)).toMatchObject({ token: 3, attempts: 2 })
        yield* queue.end({ ...second, token: 3 }, { result: null, error: "no" })
        expect((yield* queue.standings)[0]).toMatchObject({ failed: 1, done: 0, lately: 1 })
        yield* queue.retry([id])
        expect(yield* queue.claim("w", "1", 10)).toMatchObject({ token: 4, attempts: 1, checkpoint: null })
      }),
    ),
  )

  it.skipIf(missing)("refuses data that are others than those asked for, and rows that are none", () =>
    using((queue, { sql, run }) =>
      Effect.gen(function* () {
        const hash = yield* queue.store(bytes)
        yield* run(sql`UPDATE vasst_data SET bytes = ${Uint8Array.of(4)}`)
        const complaint = <A>(effect: Effect.Effect<A, QueueError>) =>
          Effect.match(effect, { onFailure: ({ message }) => message, onSuccess: () => "" })
        expect(yield* complaint(queue.stored(hash))).toMatch(
          /the data 039058c6f2c0 are damaged; run vasst batch again$/,
        )
        expect(yield* complaint(queue.stored("no"))).toMatch(/are not in the store/)
        yield* queue.add([job("a", hash)])
        yield* run(sql`UPDATE vasst_jobs SET attempts = -7`)
        expect(yield* complaint(queue.claim("w", "1", 10))).toMatch(
          /a row that this version of vasst cannot read/,
        )
      }),
    ),
  )

  it.skipIf(missing)(
    "is worked off by runners, each job once, and jobs that end their workers are given up",
    () =>
      using((queue) =>
        Effect.gen(function* () {
          const data = yield* queue.store(bytes)
          const names = ["good", "bad", "deadly", ...Array.from({ length: 9 }, (_, k) => `more${k}`)]
          const jobs = names.map((name) => job(name, data))
          yield* queue.add(jobs)
          const done: Array<string> = []
          const pool = {
            size: 2,
            map: ([posted]: ReadonlyArray<Runner.Posted>) =>
              Effect.suspend(() => {
                const { task } = JSON.parse(posted!.payload) as { readonly task: string }
                done.push(task)
                const fail = (reason: "failed" | "crashed") =>
                  new JobError({
                    task: "t",
                    job: 0,
                    reason,
                    error: "FitError",
                    detail: "no law",
                    message: "",
                  })
                if (task === "bad") return fail("failed")
                if (task === "deadly") return fail("crashed")
                return Effect.delay(Effect.succeed([`result of ${task}`]), 5)
              }),
          }
          const events: Array<Runner.Event> = []
          const runner = (worker: string) =>
            Runner.run(queue, pool, {
              worker,
              version: "1",
              threads: 2,
              lease: 5,
              poll: 0.01,
              drain: true,
              stopped: () => false,
              tell: (event) => void events.push(event),
            })
          yield* Effect.scoped(Effect.all([runner("v"), runner("w")], { concurrency: 2, discard: true }))
          const outcomes = new Map(
            (yield* queue.outcomes(jobs.map(({ id }) => id))).map((one) => [one.id, one]),
          )
          expect(jobs.map(({ id }) => outcomes.get(id)?.error ?? outcomes.get(id)?.result)).toEqual(
            names.map((name) =>
              name === "bad"
                ? "FitError: no law"
                : name === "deadly"
                  ? "it ended its worker 5 times; give it fewer rows"
                  : `result of ${name}`,
            ),
          )
          expect(done.filter((name) => name !== "deadly").sort()).toEqual(
            names.filter((name) => name !== "deadly").sort(),
          )
          expect(done.filter((name) => name === "deadly")).toHaveLength(5)
          expect(events.filter(({ end }) => end === "done")).toHaveLength(10)
        }),
      ),
  )
  it.skipIf(missing)("has back what an interrupted runner had, with the states that it was told", () =>
    using((queue) =>
      Effect.gen(function* () {
        yield* queue.add([job("a", yield* queue.store(bytes)), job("b", yield* queue.store(bytes))])
        const state = Uint8Array.of(7)
        const pool = {
          size: 2,
          map: (_: ReadonlyArray<Runner.Posted>, hear?: (news: Runner.News, job: number) => void) =>
            Effect.suspend(() => {
              hear?.({ _tag: "State", state }, 0)
              return Effect.never
            }),
        }
        const settings = { worker: "v", version: "1", threads: 2, lease: 60, poll: 0.01, drain: true }
        const events: Array<Runner.Event> = []
        const tell = (event: Runner.Event): void => void events.push(event)
        const running = Runner.run(queue, pool, { ...settings, stopped: () => false, tell })
        yield* Effect.scoped(Effect.timeoutOption(running, 300))
        expect(events.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
          { name: "a", end: "returned" },
          { name: "b", end: "returned" },
        ])
        for (const name of ["a", "b"])
          expect(yield* queue.claim("w", "1", 10)).toMatchObject({ name, attempts: 1, checkpoint: state })
      }),
    ),
  )
})
