/**
 * Jobs over the cores of the machine: a task is a function that a module exports, workers are threads that load that
 * module, and jobs are plain data posted to them.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { SharedMemory } from "../wasm/Fetch.ts"
import { type Answer, type Assignment, attempt, type Failure, here, type Runnable } from "./Protocol.ts"
import { type JobError, messageOf, resultOf, silent, thrown } from "./JobError.ts"
import { type Connection, type Start, Starter } from "./Connection.ts"
import * as Setting from "../errors/Setting.ts"

export { JobError } from "./JobError.ts"

/** Objects that structured cloning knows, whatever their methods. */
type BuiltIn =
  | ArrayBufferView
  | ArrayBufferLike
  | SharedMemory
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Date
  | RegExp
  | Error

/** The part of a type that structured cloning copies: all of `T` if `T` can be posted; functions and symbols become `never`. */
export type Cloneable<T> = T extends ((...parameters: never) => unknown) | symbol
  ? never
  : T extends BuiltIn
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Cloneable<T[K]> }
      : T

/** No requirement if `T` can be posted, and otherwise one that nothing meets and that says why. */
export type Posted<T> = T extends Cloneable<T> ? unknown : "only plain data can be posted to a worker"

/**
 * What workers do with a job: a function of plain data, found by its module and its name.
 *
 * @typeParam I a job; its randomness is part of it (a seed, a key), so that it does not matter which worker runs it
 * @typeParam O the result of a job
 * @typeParam P the news that a job posts while it runs
 */
export interface Task<I, O, P = never> extends Runnable<I, O, P> {}

/** Workers that share out jobs. */
export interface Pool<I, O, P = never> {
  /** how many jobs run at a time; 1 means in this thread */
  readonly size: number
  /**
   * The results of jobs, in the order of the jobs. They do not depend on the number of workers, if the jobs do not.
   * A job that fails ends those after it; of several that fail the first counts. Interruption terminates the workers
   * that are busy; others are started in their place when they are needed.
   *
   * @param onNews receives the news of jobs, in this thread
   */
  readonly map: (
    jobs: ReadonlyArray<I>,
    onNews?: (news: P, job: number) => void,
  ) => Effect.Effect<ReadonlyArray<O>, JobError>
}

/**
 * A task of a module: export it from there. The module should do nothing else when it is loaded, because every worker
 * loads it.
 *
 * @param module `import.meta.url`
 * @param name different from those of other tasks of the module
 * @param run does one job. It may keep nothing from one job to the next, and has none of the caller's services.
 *
 * @example
 * export const square = Workers.task(import.meta.url, "square", (x: number) => Effect.succeed(x * x))
 */
export const task = <I, O, P = never>(
  module: string,
  name: string,
  run: ((input: I, tell: (news: P) => void) => Effect.Effect<O, Failure>) & Posted<readonly [I, O, P]>,
): Task<I, O, P> => ({ module, name, run })

/** The number of threads that this machine runs at a time. */
export const cores = (): number =>
  globalThis.navigator?.hardwareConcurrency ??
  // Node 20 has no navigator.
  globalThis.process?.getBuiltinModule?.("node:os").availableParallelism() ??
  1

/** Whether jobs can leave this thread: there are threads, and this is not a worker, whose cores are taken. */
const available = (): boolean => globalThis.process?.versions?.node !== undefined && !here.worker

/**
 * A pool for a task. Workers start with the first jobs, as many as there are jobs to run at a time, and stop when the
 * scope closes. With one worker, inside a worker, and where there are no threads, jobs run in this thread.
 *
 * @param workers a whole number from 1 on; one for each core by default
 * @throws SettingError when it is not
 */
export const make = <I, O, P>(
  task: Task<I, O, P>,
  workers: number = cores(),
): Effect.Effect<Pool<I, O, P>, never, Scope.Scope> => {
  Setting.whole("the number of workers", workers, 1)
  if (here.loading)
    throw new Error(
      `a worker that loads ${task.module} would start workers; put the task in a module that only declares it`,
    )
  return workers === 1 || !available() ? Effect.succeed(inProcess(task)) : inThreads(task, workers)
}

/**
 * A pool whose jobs never run in this thread; undefined inside of a worker, and where there are no threads. In a browser there are those
 * of `WebWorkers.provide`.
 *
 * *When to use*: for work ahead of this thread's own; `make` for jobs that this thread waits for.
 *
 * @param task its module and name; the types are those of the task there
 * @param size the most jobs that run at a time
 */
export const threads = <I, O, P>(
  task: Assignment,
  size: number,
): Effect.Effect<Pool<I, O, P> | undefined, never, Scope.Scope> =>
  Effect.flatMap(Starter, (given) =>
    available() || (given !== undefined && !here.worker)
      ? inThreads<I, O, P>(task, size, given)
      : Effect.succeed(undefined),
  )

/** `make` for one list of jobs: no more workers than jobs, stopped at the end. */
export const map = <I, O, P>(
  task: Task<I, O, P>,
  jobs: ReadonlyArray<I>,
  options: {
    readonly workers?: number | undefined
    readonly onNews?: ((news: P, job: number) => void) | undefined
  } = {},
): Effect.Effect<ReadonlyArray<O>, JobError> =>
  Effect.scoped(
    Effect.flatMap(
      Effect.suspend(() => make(task, Math.max(1, Math.min(options.workers ?? cores(), jobs.length)))),
      (pool) => pool.map(jobs, options.onNews),
    ),
  )

const ignore = (): void => undefined

type Run<I, O, P> = (
  input: I,
  job: number,
  onNews: (news: P, job: number) => void,
) => Effect.Effect<O, JobError>

const inProcess = <I, O, P>(task: Task<I, O, P>): Pool<I, O, P> => {
  // Cloned as if posted: a job that changes its input, or cannot be posted, does the same with any number of workers.
  const run: Run<I, O, P> = (input, job, onNews) =>
    Effect.try({
      try: () => structuredClone(input),
      catch: (error) => silent(task, job)({ reason: "uncloneable", message: messageOf(error) }),
    }).pipe(
      Effect.flatMap((own) => attempt(task, own, (news) => onNews(structuredClone(news), job))),
      Effect.flatMap((answer) => resultOf(task, job, answer)),
      Effect.flatMap((output) =>
        Effect.try({
          try: () => structuredClone(output),
          catch: (error) => thrown(task, job, messageOf(error), undefined),
        }),
      ),
    )
  return { size: 1, map: (jobs, onNews = ignore) => inOrder(jobs, 1, onNews, run) }
}

const inThreads = <I, O, P>(
  task: Assignment,
  size: number,
  given?: Start,
): Effect.Effect<Pool<I, O, P>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const permits = yield* Semaphore.make(size)
    // Loaded when used: it needs Node, and the other functions of this module run anywhere.
    const start = given ?? (yield* Effect.promise(() => import("./Thread.ts"))).start
    interface Place {
      readonly scope: Scope.Closeable
      thread: Connection | undefined
    }
    const idle: Array<Place> = []
    const run: Run<I, O, P> = (input, job, onNews) =>
      Effect.acquireUseRelease(
        Effect.sync((): Place => idle.pop() ?? { scope: Scope.forkUnsafe(scope), thread: undefined }),
        (place) =>
          Effect.gen(function* () {
            place.thread ??= yield* Scope.provide(start(task), place.scope)
            // The thread runs this very task: its messages are of the task's types.
            const tell = (news: unknown): void => onNews(news as P, job)
            // Its answers are too.
            return (yield* place.thread.call(input, tell)) as Answer<O>
          }),
        (place, exit) =>
          Exit.isSuccess(exit) ? Effect.sync(() => idle.push(place)) : Scope.close(place.scope, exit),
      ).pipe(
        Effect.mapError(silent(task, job)),
        Effect.flatMap((answer) => resultOf(task, job, answer)),
        permits.withPermits(1),
      )
    return { size, map: (jobs, onNews = ignore) => inOrder(jobs, size, onNews, run) }
  })

/** Runs jobs some at a time. Once one has failed those behind it are ended, and those before it go on. */
const inOrder = <I, O, P>(
  jobs: ReadonlyArray<I>,
  concurrency: number,
  onNews: (news: P, job: number) => void,
  run: Run<I, O, P>,
): Effect.Effect<ReadonlyArray<O>, JobError> =>
  Effect.suspend(() => {
    let failed: JobError | undefined
    const stops = jobs.map(() => Deferred.makeUnsafe<Result.Result<O, JobError>>())
    return Effect.forEach(
      jobs,
      (input, job) =>
        Effect.suspend(() => {
          if (failed !== undefined && failed.job < job) return Effect.succeed(Result.fail(failed))
          return Effect.raceFirst(Effect.result(run(input, job, onNews)), Deferred.await(stops[job]!)).pipe(
            Effect.tap((result) => {
              if (Result.isSuccess(result)) return Effect.void
              if (failed === undefined || job < failed.job) failed = result.failure
              return Effect.forEach(stops.slice(job + 1), (stop) => Deferred.succeed(stop, result), {
                discard: true,
              })
            }),
          )
        }),
      { concurrency },
    ).pipe(
      Effect.flatMap((results) =>
        failed === undefined ? Effect.fromResult(Result.all(results)) : Effect.fail(failed),
      ),
    )
  })
