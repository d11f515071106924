import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { describe, expect, it } from "vitest"
import * as Elements from "../../../src/jobs/Elements.ts"
import { Claim } from "../../../src/jobs/Job.ts"
import type { Queue } from "../../../src/jobs/Queue.ts"
import { job, kinds } from "../../support/queue.ts"

const settings = { worker: "w", lease: 10, wait: Effect.succeed(false) }

/** An element as it is offered: no worker has had it. */
const offered = (name: string, data: string): Claim => {
  const { version: _, ...rest } = job(name, data)
  return { ...rest, token: 0, attempts: 0, checkpoint: null }
}

/** Ends an element with its name. */
const end = (queue: Queue) => (claim: Claim) => queue.end(claim, { result: claim.name, error: null })

describe.each(kinds())("elements of a queue in $kind", ({ missing, using }) => {
  it.skipIf(missing)("are offered once, taken in order, and not again when they have ended", () =>
    using((queue) =>
      Effect.gen(function* () {
        const elements = yield* Elements.make(queue, "1", settings)
        const data = yield* queue.store(Uint8Array.of(1))
        const all = ["a", "b"].map((name) => offered(name, data))
        for (const one of [...all, ...all]) yield* elements.offer(one, { id: one.id })
        const names = yield* Effect.replicateEffect(2)(
          elements.take((claim, { id, attempts }) => {
            expect([id, attempts, claim.token]).toEqual([claim.id, 1, 1])
            return Effect.as(end(queue)(claim), claim.name)
          }),
        )
        expect(names).toEqual(["a", "b"])
        const none = yield* Effect.flip(elements.take(() => Effect.void))
        expect(Elements.isNothing(none)).toBe(true)
        for (const one of all) yield* elements.offer(one, { id: one.id })
        expect(Elements.isNothing(yield* Effect.flip(elements.take(() => Effect.void)))).toBe(true)
        expect(yield* queue.outcomes(all.map(({ id }) => id))).toHaveLength(2)
      }),
    ),
  )

  it.skipIf(missing)("come back with their states when their handler fails or is interrupted", () =>
    using((queue) =>
      Effect.gen(function* () {
        const elements = yield* Elements.make(queue, "1", settings)
        yield* queue.add([job("a", yield* queue.store(Uint8Array.of(1)))])
        const state = Uint8Array.of(7, 8)
        const failed = yield* Effect.exit(
          elements.take((claim) => Effect.andThen(queue.keep(claim, 10, state), Effect.fail("no" as const))),
        )
        expect(failed).toEqual(Exit.fail("no"))
        // A state was kept: the next attempt is the second since then.
        yield* Effect.timeoutOption(
          elements.take((claim, { attempts }) => {
            expect([claim.token, attempts]).toEqual([2, 2])
            expect(claim.checkpoint).toEqual(state)
            return Effect.never
          }),
          100,
        )
        // An interruption is no attempt.
        yield* elements.take((claim, { attempts }) => {
          expect([claim.token, attempts]).toEqual([3, 2])
          return Effect.asVoid(end(queue)(claim))
        })
        expect((yield* queue.standings)[0]).toMatchObject({ done: 1, waiting: 0, running: 0 })
      }),
    ),
  )

  it.skipIf(missing)("have one result, although a handler that was frozen goes on to its end", () =>
    using((queue) =>
      Effect.gen(function* () {
        const elements = yield* Elements.make(queue, "1", settings)
        const asked = job("a", yield* queue.store(Uint8Array.of(1)))
        yield* queue.add([asked])
        const lost = elements.take((frozen) =>
          Effect.gen(function* () {
            // Its lease runs out, and another worker has the element.
            expect(yield* queue.keep(frozen, -1, undefined)).toBe(true)
            const other = yield* Elements.make(queue, "1", { ...settings, worker: "v" })
            yield* other.take((claim) => queue.end(claim, { result: "new", error: null }))
            expect(yield* queue.end(frozen, { result: "old", error: null })).toBe(false)
            return yield* Effect.fail("late" as const)
          }),
        )
        expect(yield* Effect.flip(lost)).toBe("late")
        // Nor does the element wait once more when the handler of a lost lease fails.
        expect(yield* queue.outcomes([asked.id])).toEqual([{ id: asked.id, result: "new", error: null }])
        expect((yield* queue.standings)[0]).toMatchObject({ done: 1, waiting: 0, running: 0, lost: 0 })
      }),
    ),
  )

  it.skipIf(missing)("are given back once: their handler's state stays", () =>
    using((queue) =>
      Effect.gen(function* () {
        const elements = yield* Elements.make(queue, "1", settings)
        yield* queue.add([job("a", yield* queue.store(Uint8Array.of(1)))])
        yield* Effect.exit(
          elements.take((claim) =>
            Effect.andThen(queue.release(claim, Uint8Array.of(5), false), Effect.fail("stopped" as const)),
          ),
        )
        expect(yield* queue.claim("w", "1", 10)).toMatchObject({
          token: 2,
          attempts: 1,
          checkpoint: Uint8Array.of(5),
        })
      }),
    ),
  )

  it.skipIf(missing)("are waited for, and are forgotten when they have ended long ago", () =>
    using((queue, { sql, run }) =>
      Effect.gen(function* () {
        let looks = 0
        const data = yield* queue.store(Uint8Array.of(1))
        const [done, failed] = ["done", "failed"].map((name) => job(name, data))
        const wait = Effect.suspend(() => {
          looks++
          return Effect.as(Effect.orDie(queue.add([done!])), true)
        })
        const elements = yield* Elements.make(queue, "1", { ...settings, wait })
        yield* elements.take(end(queue))
        expect(looks).toBe(1)
        yield* queue.add([failed!])
        yield* elements.take((claim) => queue.end(claim, { result: null, error: "no" }))
        const store = Elements.store(queue, settings)
        const left = run(sql`SELECT name FROM vasst_jobs`)
        yield* store.cleanup({ timeToLive: Duration.hours(1), failedTimeToLive: undefined })
        expect(yield* left).toEqual([{ name: "done" }, { name: "failed" }])
        yield* store.cleanup({ timeToLive: Duration.zero, failedTimeToLive: undefined })
        expect(yield* left).toEqual([{ name: "failed" }])
        yield* store.cleanup({ timeToLive: Duration.zero, failedTimeToLive: Duration.zero })
        expect(yield* left).toEqual([])
      }),
    ),
  )

  it.skipIf(missing)("are those of a durable queue that a program of Effect makes by layers", () =>
    using((queue) =>
      Effect.gen(function* () {
        const data = yield* queue.store(Uint8Array.of(1))
        const one = offered("a", data)
        const layer = Layer.provide(
          PersistedQueue.layer,
          Layer.succeed(PersistedQueue.PersistedQueueStore, Elements.store(queue, settings)),
        )
        const name = yield* Effect.gen(function* () {
          const elements = yield* PersistedQueue.make({ name: "1", schema: Claim })
          yield* elements.offer(one, { id: one.id })
          return yield* elements.take((claim) => Effect.as(end(queue)(claim), claim.name))
        }).pipe(Effect.provide(layer))
        expect(name).toBe("a")
        const wrong = yield* Effect.flip(
          Elements.store(queue, settings).offer({ name: "1", id: "x", element: { id: 3 }, isCustomId: true }),
        )
        expect(wrong.message).toMatch(/string/)
      }),
    ),
  )
})
