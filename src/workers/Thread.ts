import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
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

// Sources run as they are, and `dist` holds their translations: the entry has the same ending as this module.
const entry = new URL(import.meta.url.endsWith(".ts") ? "./entry.ts" : "./entry.js", import.meta.url)

const silence = (reason: Silence["reason"], error: unknown): Silence => ({
  reason,
  message: error instanceof Error ? error.message : String(error),
})

/** Starts a thread and waits until it has loaded its task. It is terminated when the scope closes, busy or not. */
export const start = (assignment: Assignment): Effect.Effect<Thread, Silence, Scope.Scope> =>
  Effect.gen(function* () {
    const { module, name } = assignment
    const ready = Deferred.makeUnsafe<void, Silence>()
    const gone = Deferred.makeUnsafe<never, Silence>()
    let receive: (
      message: Answer<unknown> | { readonly _tag: "News"; readonly news: unknown },
    ) => void = () => undefined
    const worker = yield* Effect.acquireRelease(
      Effect.try({
        try: () => new WorkerThreads.Worker(entry, { workerData: { module, name }, name: `vasst ${name}` }),
        catch: (error) => silence("crashed", error),
      }),
      (thread) => Effect.promise(() => thread.terminate()),
    )
    const lost = (error: unknown): void =>
      void Deferred.doneUnsafe(gone, Effect.fail(silence("crashed", error)))
    worker.on("error", lost)
    worker.on("messageerror", lost)
    worker.on("exit", (code) => lost(`it exited with code ${code}`))
    // `entry.ts` is the only one to post.
    worker.on("message", (message: FromWorker<unknown, unknown>) => {
      if (message._tag === "Ready") Deferred.doneUnsafe(ready, Effect.void)
      else receive(message)
    })
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
              // The listener's fault and not the thread's: it goes to the caller that gave the listener.
              Deferred.doneUnsafe(answer, Effect.die(error))
            }
        }
        return Effect.try({
          try: () => worker.postMessage(input),
          catch: (error) => silence("uncloneable", error),
        }).pipe(Effect.andThen(Effect.raceFirst(Deferred.await(answer), Deferred.await(gone))))
      })
    return { call }
  })
