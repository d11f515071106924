import * as NodeWorker from "@effect/platform-node/NodeWorker"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Worker from "effect/workers/Worker"
import type { WorkerError } from "effect/workers/WorkerError"
import * as WorkerThreads from "node:worker_threads"
import type { Answer, Assignment, FromWorker } from "./Protocol.ts"

/** Why there is no answer: the thread is gone, or the job could not be posted to it. */
export interface Silence {
  readonly reason: "crashed" | "uncloneable"
  readonly message: string
}

/** A worker thread that has loaded its task. */
export interface Thread {
  /** Posts a job and waits for its answer. One job at a time. */
  readonly call: (input: unknown, onNews: (news: unknown) => void) => Effect.Effect<Answer<unknown>, Silence>
}

// Sources run as they are, and `dist` holds their translations: the entry is what this module is.
const entry = new URL(import.meta.url.endsWith(".ts") ? "./entry.ts" : "./entry.js", import.meta.url)

const silence = (error: WorkerError): Silence => ({
  reason: error.reason._tag === "WorkerSendError" ? "uncloneable" : "crashed",
  // What the thread's own error says, where there is one: the platform's says only that there was one.
  message: error.reason.cause instanceof Error ? error.reason.cause.message : error.message,
})

/** Starts a thread and waits until it has loaded its task. It is terminated when the scope closes, busy or not. */
export const start = (assignment: Assignment): Effect.Effect<Thread, Silence, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const platform = yield* Worker.WorkerPlatform
    const ready = Deferred.makeUnsafe<void, Silence>()
    const gone = Deferred.makeUnsafe<never, Silence>()
    let thread: WorkerThreads.Worker | undefined
    let receive: (message: FromWorker<unknown, unknown>) => void = () => undefined

    const worker = yield* platform.spawn<FromWorker<unknown, unknown>, unknown>(0).pipe(
      Effect.provideService(Worker.Spawner, () => {
        const { module, name } = assignment
        thread = new WorkerThreads.Worker(entry, { workerData: { module, name }, name: `vasst ${name}` })
        return thread
      }),
      Effect.mapError(silence),
    )
    yield* worker
      .run((message) => Effect.sync(() => receive(message)), {
        onSpawn: Effect.asVoid(Deferred.succeed(ready, undefined)),
      })
      .pipe(
        Effect.catchCause((cause) => {
          const failure = cause.reasons.find(Cause.isFailReason)
          const reason: Silence =
            failure === undefined
              ? { reason: "crashed", message: Cause.pretty(cause) }
              : silence(failure.error)
          return Deferred.fail(gone, reason)
        }),
        Effect.forkIn(scope),
      )
    // Runs before the fiber above is interrupted, which would ask the thread to close and wait until it listens.
    yield* Scope.addFinalizer(
      scope,
      Effect.promise(async () => thread?.terminate()),
    )
    yield* Effect.raceFirst(Deferred.await(ready), Deferred.await(gone))

    const call: Thread["call"] = (input, onNews) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<Answer<unknown>>()
        receive = (message) => {
          if (message._tag !== "News") Deferred.doneUnsafe(answer, Effect.succeed(message))
          else
            try {
              onNews(message.news)
            } catch (error) {
              // The listener's fault and not the thread's: it goes to whoever gave the listener.
              Deferred.doneUnsafe(answer, Effect.die(error))
            }
        }
        return worker
          .send(input)
          .pipe(
            Effect.mapError(silence),
            Effect.andThen(Effect.raceFirst(Deferred.await(answer), Deferred.await(gone))),
          )
      })
    return { call }
  }).pipe(Effect.provide(NodeWorker.layerPlatform))
