/** A worker: takes jobs of a queue and does them in threads, so that its own loop always has time to prolong its leases. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import * as Watch from "../infer/Watch.ts"
import type * as Workers from "../workers/Workers.ts"
import * as Elements from "./Elements.ts"
import * as Jobs from "./Job.ts"
import type { Queue } from "./Queue.ts"
import { QueueError } from "./QueueError.ts"

/** A job as it is posted to a thread. */
export interface Posted {
  readonly payload: string
  readonly data: Uint8Array
  /** the state to go on from */
  readonly checkpoint: Uint8Array | undefined
  /** seconds between two states that are told */
  readonly every: number
  /** whether its steps are told, for one who watches the worker */
  readonly watched: boolean
}

/** What a job tells while it is done. */
export type News =
  | { readonly _tag: "State"; readonly state: Uint8Array }
  | { readonly _tag: "Steps"; readonly steps: Watch.Steps }
  /** the probability that the law is none of those found */
  | { readonly _tag: "Unseen"; readonly mass: number }

/** What does jobs: a module that exports a task from a job to the text of its result. */
export type Task = Workers.Task<Posted, string, News>

/** How a worker works. */
export interface Settings {
  /** the name of the worker, different from all others */
  readonly worker: string
  readonly version: string
  /** the number of jobs at a time */
  readonly threads: number
  /** seconds for which a job is given; a quarter of it passes between two signs of life, of which one in each lease carries the state */
  readonly lease: number
  /** seconds between two looks for jobs where there are none */
  readonly poll: number
  /** whether the worker ends when no job is to be done */
  readonly drain: boolean
  /** whether the worker has been asked to end: jobs are given back, with their states */
  readonly stopped: () => boolean
  readonly tell: (event: Event) => void
}

/** What has come of a job. */
export interface Event {
  readonly name: string
  /** `left`: another worker has it, since this one was not heard of in time */
  readonly end: "done" | "failed" | "left" | "returned"
  readonly message?: string | undefined
}

/** The most times that a job is given to a worker without a state being kept in between: it may be what ends them. */
const most = 5
/** Signs of life in a lease: three may be late, or lost, before the job is another worker's. */
export const signs = 4
/** Seconds between two looks whether the worker has been asked to end. */
const watching = 0.1

const ends = Metric.counter("vasst.jobs", {
  description: "jobs that workers have had, by their end",
  incremental: true,
})

const unseen = Metric.gauge("vasst.unseen", {
  description: "the probability that the law is none of those found, of the last fit",
})

const sleep = (seconds: number): Effect.Effect<void> => Effect.sleep(1000 * seconds)

/** What a job has come to, if it was not taken away. */
type Ended =
  | { readonly _tag: "Ended"; readonly result: string | null; readonly error: string | null }
  | { readonly _tag: "Crashed"; readonly message: string }
  | { readonly _tag: "Left" }
  | { readonly _tag: "Stopped" }

/** Ends when the worker is asked to. */
const stopping = (stopped: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!stopped()) yield* sleep(watching)
  })

/**
 * Takes jobs until it is asked to end, or, with `drain`, until there are none.
 *
 * @param pool threads for `Task`
 * @errors QueueError when the database cannot be used any more
 */
export const run = (
  queue: Queue,
  pool: Workers.Pool<Posted, string, News>,
  settings: Settings,
): Effect.Effect<void, QueueError, Scope.Scope> => {
  const { worker, version, threads, lease, poll, drain, stopped, tell } = settings

  const attempt = (
    claim: Jobs.Claim,
    told: { latest: Uint8Array | undefined },
  ): Effect.Effect<Ended, QueueError> =>
    Effect.gen(function* () {
      const data = yield* queue.stored(claim.data)
      const watch = yield* Watch.Current
      // Steps in a thread are spans of this process, below that of the job.
      const steps = watch && (yield* watch)
      const context = yield* Effect.context<never>()
      const posted = {
        payload: claim.payload,
        data,
        checkpoint: claim.checkpoint ?? undefined,
        // A state is a thousand times as large as a sign of life.
        every: lease,
        watched: watch !== undefined,
      }
      const hear = (news: News): void => {
        if (news._tag === "State") told.latest = news.state
        else if (news._tag === "Steps") steps?.(news.steps)
        else unseen.updateUnsafe(news.mass, context)
      }
      const work = pool.map([posted], hear).pipe(
        Effect.map(([result = ""]): Ended => ({ _tag: "Ended", result, error: null })),
        Effect.catch(({ reason, error, detail }) =>
          Effect.succeed<Ended>(
            reason === "crashed"
              ? { _tag: "Crashed", message: detail }
              : {
                  _tag: "Ended",
                  result: null,
                  error: reason === "failed" ? `${error}: ${detail}` : `internal error: ${detail}`,
                },
          ),
        ),
      )
      const alive = Effect.gen(function* () {
        for (;;) {
          yield* sleep(lease / signs)
          const state = told.latest
          told.latest = undefined
          const own = yield* queue.keep(claim, lease, state)
          const sign = { id: claim.id, state: state?.length ?? 0, own }
          yield* Effect.annotateLogs(Effect.logDebug("a sign of life"), sign)
          if (!own) return { _tag: "Left" } as const
        }
      })
      const stop = Effect.as(stopping(stopped), { _tag: "Stopped" } as const)
      return yield* Effect.raceFirst(work, Effect.raceFirst(alive, stop))
    })

  const serve = (claim: Jobs.Claim): Effect.Effect<Event, QueueError> =>
    Effect.gen(function* () {
      const { name } = claim
      const told: { latest: Uint8Array | undefined } = { latest: undefined }
      const end = (outcome: Pick<Jobs.Outcome, "result" | "error">) =>
        Effect.map(queue.end(claim, outcome), (own): Event =>
          own
            ? { name, end: outcome.error === null ? "done" : "failed", message: outcome.error ?? undefined }
            : { name, end: "left" },
        )
      if (claim.attempts > most)
        return yield* end({ result: null, error: `it ended its worker ${most} times; give it fewer rows` })
      if (!Jobs.isIntact(claim, version))
        return yield* end({
          result: null,
          error:
            "its payload or its data are not those of its id; delete its row of vasst_jobs, and ask for it again",
        })
      // Whatever interrupts a worker, such as a memory that is full, its jobs are given back, and that is told.
      const ended = yield* Effect.onInterrupt(attempt(claim, told), () =>
        Effect.match(queue.release(claim, told.latest, false), {
          // The lease runs out by itself.
          onFailure: () => undefined,
          onSuccess: () => tell({ name, end: "returned" }),
        }),
      )
      switch (ended._tag) {
        case "Ended":
          return yield* end(ended)
        case "Left":
          return { name, end: "left" }
        case "Stopped":
          yield* queue.release(claim, told.latest, false)
          return { name, end: "returned" }
        case "Crashed":
          yield* queue.release(claim, told.latest, true)
          return { name, end: "returned", message: ended.message }
      }
    })

  const taken = (claim: Jobs.Claim): Effect.Effect<Event, QueueError> =>
    Effect.gen(function* () {
      const { id, name, token, attempts } = claim
      const about = { id, name, token }
      yield* Effect.annotateLogs(Effect.logInfo("a job is taken"), { ...about, attempts })
      const event = yield* Effect.withSpan(serve(claim), "vasst.job", { attributes: about })
      yield* Metric.update(Metric.withAttributes(ends, { end: event.end }), 1)
      const { end, message } = event
      yield* Effect.annotateLogs(Effect.logInfo("a job has ended"), { ...about, end, reason: message })
      return event
    })

  const wait = drain
    ? Effect.succeed(false)
    : Effect.map(Effect.raceFirst(sleep(poll), stopping(stopped)), () => !stopped())
  return Effect.gen(function* () {
    const elements = yield* Elements.make(queue, version, { worker, lease, wait })
    const next = elements.take(taken).pipe(
      Effect.catchIf(Elements.isNothing, () => Effect.undefined),
      Effect.catchTag("PersistedQueueError", ({ message }) => new QueueError({ message })),
    )
    const loop = Effect.gen(function* () {
      while (!stopped()) {
        const event = yield* next
        if (event === undefined) return
        tell(event)
      }
    })
    yield* Effect.all(
      Array.from({ length: threads }, () => loop),
      { concurrency: threads, discard: true },
    )
  })
}
