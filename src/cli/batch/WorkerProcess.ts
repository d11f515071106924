/** A worker in this process. */
import { hostname } from "node:os"
import * as Effect from "effect/Effect"
import type { Queue } from "../../jobs/Queue.ts"
import type { Event, News, Posted } from "../../jobs/Runner.ts"
import { Complaint } from "../Complaint.ts"
import { Invocation } from "../Invocation.ts"

// Sources run as they are, and a build holds their translations.
const module = new URL(import.meta.url.endsWith(".ts") ? "./FitJob.ts" : "./FitJob.js", import.meta.url).href

/** How a worker works; undefined stands for the usual value. */
export interface Settings {
  readonly workers: number | undefined
  readonly lease: number | undefined
  readonly poll: number | undefined
  readonly drain: boolean
  readonly stopped: () => boolean
  readonly tell: (event: Event) => void
}

/** Takes jobs of a queue until it is asked to end, or none is left. */
export const work = (queue: Queue, { workers, lease = 30, poll = 1, ...settings }: Settings) =>
  Effect.gen(function* () {
    const { version } = yield* Invocation
    const [Runner, Workers] = yield* Effect.promise(() =>
      Promise.all([import("../../jobs/Runner.ts"), import("../../workers/Workers.ts")]),
    )
    const threads = workers ?? Workers.cores()
    const pool = yield* Workers.threads<Posted, string, News>({ module, name: "fitJob" }, threads)
    if (pool === undefined) return yield* new Complaint({ message: "this process cannot start threads" })
    yield* Runner.run(queue, pool, {
      ...settings,
      worker: `${hostname()}:${process.pid}`,
      version,
      threads,
      lease,
      poll,
    })
  }).pipe(
    Effect.scoped,
    Effect.catchTag("QueueError", ({ message }) => Effect.fail(new Complaint({ message }))),
  )
