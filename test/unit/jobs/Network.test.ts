// Workers whose network is cut, on a real PostgreSQL server.
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Database from "../../../src/jobs/Database.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Queue from "../../../src/jobs/Queue.ts"
import * as Runner from "../../../src/jobs/Runner.ts"
import * as Needed from "../../support/needed.ts"
import * as Postgres from "../../support/postgres.ts"
import * as Proxy from "../../support/proxy.ts"

let postgres: Postgres.Postgres
let proxy: Proxy.Proxy
const missing = Needed.skipped("workers whose network is cut", Postgres.missing)
beforeAll(async () => {
  if (missing) return
  postgres = await Postgres.make()
  proxy = await Proxy.open(postgres.url)
}, 600_000)
afterAll(async () => {
  if (missing) return
  await proxy.close()
  postgres.remove()
})

/** Seconds that a busy machine answers in, and that the tests wait for each answer that never comes. */
const answer = 2
const settings = { patience: 600, answer, onTrouble: () => undefined }
/** Milliseconds for a test on a machine that is busy: nothing but conditions is waited for. */
const limit = { timeout: 600_000 }

/** A queue without jobs, and a note of the database of every result that is ever written. */
const fresh = Effect.gen(function* () {
  const database = yield* Database.open(postgres.url, settings)
  postgres.query("DROP TABLE IF EXISTS vasst_jobs, vasst_data, noted")
  const queue = yield* Queue.make(database)
  postgres.noteResults()
  const data = yield* queue.store(Uint8Array.of(1))
  const job = Job.make({ name: "job", version: "1", payload: { seed: 1 }, data })
  yield* queue.add([job])
  return { queue, job }
})

const written = () => postgres.noted().map(({ result }) => result)

/** A worker whose jobs begin and end when the test says so. */
const worker = (
  name: string,
  url: string,
  lease: number,
  watched: (queue: Queue.Queue) => Queue.Queue = (queue) => queue,
) =>
  Effect.gen(function* () {
    const queue = yield* Queue.make(yield* Database.open(url, settings))
    const begun = yield* Deferred.make<void>()
    const allowed = yield* Deferred.make<void>()
    const over = yield* Deferred.make<Runner.Event>()
    let stopped = false
    const pool = {
      size: 1,
      map: () =>
        Effect.gen(function* () {
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(allowed)
          return [`result of ${name}`]
        }),
    }
    const fiber = yield* Effect.forkScoped(
      Runner.run(watched(queue), pool, {
        worker: name,
        version: "1",
        threads: 1,
        lease,
        poll: 0.02,
        drain: false,
        stopped: () => stopped,
        tell: (event) => void Deferred.doneUnsafe(over, Effect.succeed(event)),
      }),
    )
    return {
      begun: Deferred.await(begun),
      allow: Deferred.succeed(allowed, undefined),
      over: Deferred.await(over),
      stop: Effect.suspend(() => {
        stopped = true
        return Fiber.join(fiber)
      }),
    }
  })

describe("a worker", () => {
  it.skipIf(missing)(
    "that is cut off for longer than its lease writes no second result when it is back",
    limit,
    () =>
      Effect.gen(function* () {
        const { queue, job } = yield* fresh
        const far = yield* worker("far", proxy.to(postgres.url), 1)
        yield* far.begun
        proxy.cut()
        // Nothing is heard of the first: the job is the other's when the lease has run out.
        const near = yield* worker("near", postgres.url, 600)
        yield* near.begun
        // Both end it; the first cannot say so yet.
        yield* far.allow
        yield* near.allow
        expect(yield* near.over).toMatchObject({ end: "done" })
        proxy.heal()
        expect(yield* far.over).toMatchObject({ end: "left" })
        yield* Effect.all([far.stop, near.stop])
        expect(yield* queue.outcomes([job.id])).toEqual([
          { id: job.id, result: "result of near", error: null },
        ])
        expect(written()).toEqual(["result of near"])
      }).pipe(Effect.scoped, Effect.runPromise),
  )

  it.skipIf(missing)("whose result is on its way when the network is cut has written it once", limit, () =>
    Effect.gen(function* () {
      const { queue, job } = yield* fresh
      const cutting = (own: Queue.Queue): Queue.Queue => ({
        ...own,
        // The statement is sent, and its answer is never heard: those connections stay cut.
        end: (claim, outcome) =>
          Effect.suspend(() => {
            proxy.cut("answers")
            return own.end(claim, outcome)
          }),
      })
      const far = yield* worker("far", proxy.to(postgres.url), 600, cutting)
      yield* far.allow
      while (written().length === 0) yield* Effect.sleep(20)
      proxy.forget()
      expect(yield* far.over).toMatchObject({ end: "done" })
      yield* far.stop
      expect(yield* queue.outcomes([job.id])).toMatchObject([{ result: "result of far" }])
      expect(written()).toEqual(["result of far"])
    }).pipe(Effect.scoped, Effect.runPromise),
  )

  it.skipIf(missing)("does not wait for ever on a connection that a firewall has forgotten", limit, () =>
    Effect.gen(function* () {
      const troubles: Array<string> = []
      const { sql, run } = yield* Database.open(proxy.to(postgres.url), {
        ...settings,
        onTrouble: (message) => void troubles.push(message),
      })
      yield* run(sql`SELECT 1`)
      proxy.cut()
      proxy.forget()
      expect(yield* run(sql`SELECT 2 AS two`)).toEqual([{ two: 2 }])
      expect(troubles).toEqual([expect.stringMatching(/no answer in 2 s.*trying again for 600 s$/)])
    }).pipe(Effect.scoped, Effect.runPromise),
  )
})
