/** A worker in this process. */
import { hostname } from "node:os"
import * as Effect from "effect/Effect"
import type { Queue } from "../../jobs/Queue.ts"
import type { Event, News, Posted } from "../../jobs/Runner.ts"
import { Complaint } from "../Complaint.ts"
import { Invocation } from "../Invocation.ts"
import * as Plan from "../memory/Plan.ts"
import * as Size from "../memory/Size.ts"
import * as Watched from "../memory/Watched.ts"
import { Screen } from "../Screen.ts"

// Sources run as they are, and a build holds their translations.
const module = new URL(import.meta.url.endsWith(".ts") ? "./FitJob.ts" : "./FitJob.js", import.meta.url).href

/** Seconds; a worker that has died is noticed after three quarters of them at least. */
export const usualLease = 10

/** How a worker works; undefined stands for the usual value. */
export interface Settings {
  readonly workers: number | undefined
  /** bytes of resident memory of this process, at most */
  readonly memory: number | undefined
  readonly lease: number | undefined
  readonly poll: number | undefined
  readonly drain: boolean
  readonly stopped: () => boolean
  readonly tell: (event: Event) => void
}

const full = (limit: number): string =>
  `the ${Size.format(limit)} of --memory are full; jobs were given back with their states, and go on where there is more: give more --memory, or fewer --workers`

/**
 * Takes jobs of a queue until it is asked to end, or none is left.
 *
 * @errors Complaint where a limit of memory is too small for a job, or was reached: jobs are given back then
 */
export const work = (
  queue: Queue,
  { workers, memory, lease = usualLease, poll = 1, stopped, ...settings }: Settings,
) =>
  Effect.gen(function* () {
    const { version } = yield* Invocation
    const [Runner, Workers] = yield* Effect.promise(() =>
      Promise.all([import("../../jobs/Runner.ts"), import("../../workers/Workers.ts")]),
    )
    const asked = workers ?? Workers.cores()
    const threads = memory === undefined ? asked : Plan.jobsAtATime(memory, asked)
    if (typeof threads === "string") return yield* new Complaint({ message: threads })
    if (threads < asked) (yield* Screen).err(`memory: ${threads} of ${asked} jobs at a time\n`)
    const pool = yield* Workers.threads<Posted, string, News>({ module, name: "fitJob" }, threads)
    if (pool === undefined) return yield* new Complaint({ message: "this process cannot start threads" })
    // A job has no ranking to make when it is given back.
    const budget = memory === undefined ? undefined : { limit: memory, reserve: 0, over: full(memory) }
    return yield* Watched.within(budget, new AbortController().signal, (stop) =>
      Effect.gen(function* () {
        yield* Runner.run(queue, pool, {
          ...settings,
          stopped: () => stopped() || stop.aborted,
          worker: `${hostname()}:${process.pid}`,
          version,
          threads,
          lease,
          poll,
        })
        if (budget !== undefined && stop.aborted) return yield* new Complaint({ message: budget.over })
        return undefined
      }),
    )
  }).pipe(
    Effect.scoped,
    Effect.catchTag("QueueError", ({ message }) => Effect.fail(new Complaint({ message }))),
  )
