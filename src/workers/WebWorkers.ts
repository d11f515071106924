/**
 * Workers of browsers for the searches of a page. A bundler has to see the worker's file, so that the page starts the worker itself; its file
 * serves one task:
 *
 *     // restarts.ts
 *     import { restarts } from "vasst/models/lawRestarts"
 *     import * as WebWorkers from "vasst/workers/WebWorkers"
 *     WebWorkers.serve(restarts)
 *
 *     // the page, or a worker of the page
 *     const create = () => new Worker(new URL("./restarts.ts", import.meta.url), { type: "module" })
 *     Law.fit(data, { workers: 4 }).pipe(WebWorkers.provide(create))
 */
import * as Effect from "effect/Effect"
import * as Connection from "./Connection.ts"
import { answering, type FromWorker, here, type Runnable } from "./Protocol.ts"

/** The part of a browser's `Worker` that is used. */
export interface WebWorker {
  readonly postMessage: (message: unknown) => void
  readonly terminate: () => void
  readonly addEventListener: (
    type: "message" | "error" | "messageerror",
    // The events differ between types, and between the declarations of hosts.
    listener: (event: { readonly data?: unknown; readonly message?: string }) => void,
  ) => void
}

const start =
  (create: () => WebWorker): Connection.Start =>
  () =>
    Connection.make(({ message, lost }) => {
      const worker = create()
      worker.addEventListener("message", ({ data }) => message(data))
      worker.addEventListener("error", (event) => lost(event.message ?? "it could not be loaded"))
      worker.addEventListener("messageerror", () => lost("its message cannot be read"))
      return {
        post: (input) => worker.postMessage(input),
        close: () => {
          worker.terminate()
          return Promise.resolve()
        },
      }
    })

/**
 * Runs the jobs of an effect's searches in workers of a browser. Where the page is not cross-origin isolated they share no memory: tables are
 * copied to each, and a worker that is not needed any more is terminated and not asked to end, so that at a limit of time its unfinished restart
 * does not count. Without such a limit the result is the same with any number of workers.
 *
 * @param create starts a worker whose file calls `serve` with the task of the search: `models/lawRestarts` for `Law.fit`
 */
export const provide =
  (create: () => WebWorker) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, Connection.Starter, start(create))

/** Answers the jobs of a task. *When to use*: in the file of a worker, which does nothing else. */
export const serve = <I, O, P>(task: Runnable<I, O, P>): void => {
  here.worker = true
  // The global object of a worker, which the types of Node do not know.
  const scope = globalThis as unknown as Pick<WebWorker, "postMessage" | "addEventListener">
  const post = (message: FromWorker<O, P>): void => scope.postMessage(message)
  const answer = answering(task, post)
  // The page posts jobs of this very task.
  scope.addEventListener("message", ({ data }) => answer(data as I))
  post({ _tag: "Ready" })
}
