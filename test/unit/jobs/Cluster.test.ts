import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as SharedData from "../../../src/data/SharedData.ts"
import * as Checkpoint from "../../../src/infer/Checkpoint.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Cluster from "../../../src/jobs/Cluster.ts"
import * as Database from "../../../src/jobs/Database.ts"
import * as Queue from "../../../src/jobs/Queue.ts"
import * as Runner from "../../../src/jobs/Runner.ts"
import * as FitJob from "../../../src/cli/batch/FitJob.ts"
import * as Law from "../../../src/models/law.ts"
import { restarts } from "../../../src/models/lawRestarts.ts"
import * as ParallelSearch from "../../../src/search/ParallelSearch.ts"
import * as Search from "../../../src/search/Search.ts"
import { Starter } from "../../../src/workers/Connection.ts"
import * as Workers from "../../../src/workers/Workers.ts"
import { data, options } from "../../support/restarts.ts"

const search = (workers: number) =>
  Effect.gen(function* () {
    const algorithm = yield* Search.algorithm(Law.programOf(data, options), data, options.search)
    const { state, seed } = yield* ParallelSearch.last(algorithm, {
      task: restarts,
      spec: options,
      data,
      workers,
      after: 0,
    })
    // The plan holds functions, and time is no result.
    const { plan: _plan, seconds: _seconds, ...rest } = Fit.summarise(algorithm, state, seed)
    return Checkpoint.write(rest)
  }).pipe(Effect.provide([Stop.layer({}), Fit.seed(3)]))

/** A queue, and a worker of it while something else is done. */
const withWorker = <A>(
  use: (queue: Queue.Queue) => Effect.Effect<A, { readonly message: string }>,
): Promise<A> =>
  Effect.gen(function* () {
    const database = yield* Database.open("sqlite::memory:", { patience: 1, onTrouble: () => undefined })
    const queue = yield* Queue.make(database)
    let ended = false
    const pool = yield* Workers.threads<Runner.Posted, string, Runner.News>(FitJob.fitJob, 1)
    const worker = Runner.run(queue, pool!, {
      worker: "w",
      version: "1",
      threads: 1,
      // Longer than any pause of a busy machine; `keep` is tested elsewhere.
      lease: 600,
      poll: 0.02,
      drain: false,
      stopped: () => ended,
      tell: () => undefined,
    })
    const used = Effect.ensuring(
      use(queue),
      Effect.sync(() => {
        ended = true
      }),
    )
    const [found] = yield* Effect.all([used, worker], { concurrency: 2 })
    return found
  }).pipe(Effect.scoped, Effect.runPromise)

const settings = { name: "y", version: "1" }

// Searches of some seconds, several times as long on a machine that is busy.
describe("restarts as jobs", { timeout: 1_200_000 }, () => {
  it("have the reports of restarts here, and are withdrawn when they are not needed", () =>
    withWorker((queue) =>
      Effect.gen(function* () {
        const connection = yield* Cluster.starter(queue, settings)({ module: "", name: "" })
        const stop = new Int32Array(1)
        const job = (restart: number) => ({
          spec: options,
          data: SharedData.share(data),
          seed: 3,
          start: { restart, rows: 30 },
          stop,
        })
        const here = yield* restarts.run(job(2), () => undefined)
        const there = yield* connection.call(job(2), () => undefined)
        expect(there).toMatchObject({ _tag: "Done" })
        expect(Checkpoint.write("output" in there && there.output)).toEqual(Checkpoint.write(here))
        stop[0] = 1
        // A version that no worker is of: nobody does it.
        const nobody = yield* Cluster.starter(queue, { ...settings, version: "2" })({ module: "", name: "" })
        expect(yield* nobody.call(job(1), () => undefined)).toMatchObject({ _tag: "Failed" })
        expect(yield* queue.standings).toMatchObject([{ version: "1", done: 1 }])
      }).pipe(
        Effect.scoped,
        Effect.mapError(({ message }) => ({ message })),
      ),
    ))

  it("go on from any state that was kept, with the same report", async () => {
    // A job's restart as the store has it.
    const { features, columns, target, y } = data
    const shared = Checkpoint.write(
      structuredClone({ spec: options, data: { features, columns, target, y, numbers: undefined } }),
    )
    const payload = JSON.stringify({ task: "restart", seed: 3, start: { restart: 2, rows: 30 } })
    const made = async (checkpoint: Uint8Array | undefined) => {
      const states: Array<Uint8Array> = []
      const job = { payload, data: shared, checkpoint, every: 1e-6, watched: false }
      const result = await Effect.runPromise(
        FitJob.run(job, (news) => void (news._tag === "State" && states.push(news.state))),
      )
      return { result, states }
    }
    const { result, states } = await made(undefined)
    expect(states.length).toBeGreaterThan(10)
    // The library grows in the first states; then the restart looks at more and more rows.
    for (const at of [0, 2, Math.floor(states.length / 2), states.length - 1]) {
      const again = await made(states[at])
      expect(again.result).toBe(result)
      // The steps before the state are not taken again.
      expect(again.states).toHaveLength(states.length - 1 - at)
    }
  })

  it("give a search the bytes that it has on one machine", async () => {
    const one = await Effect.runPromise(search(1))
    const together = await withWorker((queue) =>
      Effect.provideService(search(3), Starter, Cluster.starter(queue, settings)),
    )
    expect(together).toEqual(one)
  })
})
