/**
 * A worker whose jobs take no time, or sleep, so that the queue alone is measured. Started by measure.ts.
 *
 *     npm run ts -- bench/jobs/worker.ts URL NAME BYTES
 *
 * It ends when there are no jobs, and prints a line of JSON: jobs, and seconds of CPU that they took here.
 */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Database from "../../src/jobs/Database.ts"
import * as Queue from "../../src/jobs/Queue.ts"
import * as Runner from "../../src/jobs/Runner.ts"

const [url = "", worker = "", bytes = "0"] = process.argv.slice(2)
const result = "x".repeat(Number(bytes))

let [jobs, began] = [0, process.cpuUsage()]
const pool = {
  size: 1,
  map: () =>
    Effect.sync(() => {
      // CPU that loads and compiles code in the first jobs is not counted.
      if (++jobs === warm) began = process.cpuUsage()
      return [result]
    }),
}
const warm = 100

await Effect.gen(function* () {
  const database = yield* Database.open(url, { patience: 60, onTrouble: console.error })
  yield* Runner.run(yield* Queue.make(database), pool, {
    worker,
    version: "1",
    threads: 1,
    lease: 30,
    poll: 1,
    drain: true,
    stopped: () => false,
    tell: () => undefined,
  })
}).pipe(Effect.scoped, Effect.provide(Logger.layer([])), Effect.runPromise)

const { user, system } = process.cpuUsage(began)
console.log(JSON.stringify({ jobs: jobs - warm, cpu: (user + system) / 1e6 }))
