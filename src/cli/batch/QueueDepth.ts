import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Queue } from "../../jobs/Queue.ts"

const jobs = Metric.gauge("vasst.queue", { description: "jobs of the database by how they stand" })
const states = ["waiting", "running", "lost", "done", "failed"] as const

/** Seconds between two measurements: counting looks at every job. */
const pause = 15

/** Measures the queue from time to time, where a collector is named, until it is interrupted. */
export const measured = (queue: Queue): Effect.Effect<void> =>
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] === undefined
    ? Effect.void
    : Effect.gen(function* () {
        const standings = yield* queue.standings
        for (const state of states)
          yield* Metric.update(
            Metric.withAttributes(jobs, { state }),
            standings.reduce((sum, one) => sum + one[state], 0),
          )
      }).pipe(
        // A database that is away is told of where jobs are taken.
        Effect.ignore,
        Effect.andThen(Effect.sleep(1000 * pause)),
        Effect.forever,
      )
