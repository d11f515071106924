import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The shape of a failure that can be carried from a worker: that of this library's errors. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/** Where a worker finds its task: a module, and the name of a task that the module exports. */
export interface Assignment {
  readonly module: string
  readonly name: string
}

/** An assignment together with its function. `I`, `O` and `P` are copied between threads by structured cloning. */
export interface Runnable<I, O, P> extends Assignment {
  readonly run: (input: I, tell: (news: P) => void) => Effect.Effect<O, Failure>
}

/** How a job ended, as it is posted. */
export type Answer<O> =
  | { readonly _tag: "Done"; readonly output: O }
  | { readonly _tag: "Failed"; readonly error: string; readonly message: string }
  | { readonly _tag: "Threw"; readonly message: string; readonly stack: string | undefined }

/**
 * The messages of a worker: that it has loaded its task, news while a job runs, and the answer at its end. It receives
 * one job at a time.
 */
export type FromWorker<O, P> =
  { readonly _tag: "Ready" } | { readonly _tag: "News"; readonly news: P } | Answer<O>

/** Whether this thread is a worker, and whether its task is still being loaded. */
export const here = { worker: false, loading: false }

/** The answer for a thrown value. */
export const threw = (defect: unknown): Answer<never> => ({
  _tag: "Threw",
  message: defect instanceof Error ? defect.message : String(defect),
  stack: defect instanceof Error ? defect.stack : undefined,
})

/**
 * Runs a job to its answer, in a worker or in the calling thread. Services of the caller are taken away, because a
 * worker has none of them: a job means the same wherever it runs.
 */
export const attempt = <I, O, P>(
  task: Runnable<I, O, P>,
  input: I,
  tell: (news: P) => void,
): Effect.Effect<Answer<O>> =>
  Effect.suspend(() => task.run(input, tell)).pipe(
    Effect.setContext(Context.empty()),
    Effect.matchCause({
      onSuccess: (output): Answer<O> => ({ _tag: "Done", output }),
      onFailure: (cause): Answer<O> => {
        const failure = cause.reasons.find(Cause.isFailReason)
        return failure === undefined
          ? threw(Cause.squash(cause))
          : { _tag: "Failed", error: failure.error._tag, message: failure.error.message }
      },
    }),
  )

/**
 * Answers the jobs of a task, one after the other, as a worker does.
 *
 * @param post to the caller
 */
export const answering =
  <I, O, P>(task: Runnable<I, O, P>, post: (message: FromWorker<O, P>) => void): ((input: I) => void) =>
  (input) =>
    void Effect.runFork(
      Effect.map(
        attempt(task, input, (news) => post({ _tag: "News", news })),
        (answer) => {
          try {
            post(answer)
          } catch (error) {
            // The output cannot be cloned: the caller gets an error.
            post(threw(error))
          }
        },
      ),
    )
