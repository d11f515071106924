/**
 * The same fit from several seeds, on the cores of the machine. A model is a program and cannot be posted to a worker.
 * Therefore workers build the algorithm themselves, from plain data, by a module that `serve` makes. They return the final
 * state, which is plain data.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Dataset } from "../data/Data.ts"
import * as SharedData from "../data/SharedData.ts"
import { BackendError, CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import * as Workers from "../workers/Workers.ts"
import type { Algorithm, Info } from "./Algorithm.ts"
import * as Fit from "./Fit.ts"
import * as Keeper from "./Keeper.ts"
import type { Stop } from "./Stop.ts"
import * as Setting from "../errors/Setting.ts"

/** An algorithm that needs only the data, and its stopping rules. */
export interface Recipe<S, I extends Info, P> {
  readonly algorithm: (
    data: Dataset,
  ) => Effect.Effect<Algorithm<S, I, P>, CompileError | BackendError, Scope.Scope>
  readonly stop: Layer.Layer<Stop>
}

/** One restart, as it is posted to a worker. */
export interface Job<Spec> {
  readonly spec: Spec
  readonly data: SharedData.Shared
  readonly seed: number
  /** a number in shared memory that is not 0 once the fits have to end; undefined without shared memory */
  readonly stop: Int32Array | undefined
}

/** A worker task that fits, with the recipe of its fits. */
export interface Served<Spec, S, I extends Info, P> extends Workers.Task<
  Job<Spec>,
  Fit.State<S>,
  Fit.Step<I>
> {
  readonly build: (spec: Spec) => Recipe<S, I, P>
}

/**
 * The entry of a worker module. Export the result from a module that does nothing else. `build` makes the algorithm from
 * data that can be posted to a worker, such as operators.
 *
 * @param module `import.meta.url`
 * @param name the name of the task, unique within the module
 *
 * @example
 * export const restarts = Restarts.serve(import.meta.url, (operators: ReadonlyArray<Operator.Operator>) => {
 *   const model = Vasst.model(Grammar.make({ features: ["x0", "x1"], operators }))
 *   return Infer.recipe(model, Layer.merge(Vasst.inference(model), Backend.layer()))
 * })
 */
export const serve = <Spec, S, I extends Info, P>(
  module: string,
  build: ((spec: Spec) => Recipe<S, I, P>) & Workers.Posted<Spec>,
  name = "restarts",
): Served<Spec, S, I, P> => ({
  module,
  name,
  build,
  run: ({ spec, data, seed, stop }, tell) =>
    Effect.suspend(() => {
      const recipe = build(spec)
      const interrupt = { requested: () => stop !== undefined && Atomics.load(stop, 0) !== 0 }
      return recipe.algorithm(SharedData.open(data)).pipe(
        Effect.flatMap((algorithm) => Fit.last(algorithm, tell)),
        Effect.map(({ state }) => state),
        Effect.provide([
          recipe.stop,
          Fit.seed(seed),
          Layer.succeed(Fit.Interrupt, interrupt),
          // A restart that is made in this thread has not the name of its own that the states of each would need.
          Layer.succeed(Keeper.Current, undefined),
        ]),
        Effect.scoped,
      )
    }),
})

/** The data, the number of restarts, and the number of workers. */
export interface Request<Spec, I extends Info> {
  readonly spec: Spec
  readonly data: Dataset
  readonly restarts: number
  /** the number of parallel workers; by default one for each core, and at most one for each fit */
  readonly workers?: number | undefined
  /** called in this thread after every step of every restart */
  readonly onStep?: ((info: Fit.Step<I>, restart: number) => void) | undefined
}

/**
 * The seeds of restarts. The first is `seed` itself, the others are derived from it. More restarts keep the seeds of fewer.
 */
export const seeds = (seed: number, restarts: number): ReadonlyArray<number> => {
  const source = Rng.fold(Rng.key(seed), "restart")
  return Array.from({ length: restarts }, (_, restart) => {
    if (restart === 0) return seed
    const { high, low } = Rng.fold(source, restart)
    // A seed has 53 bits.
    return (high % 2 ** 21) * 2 ** 32 + low
  })
}

/** The interval at which `Interrupt` is read, in milliseconds. */
const watching = 50

/**
 * Fits from several seeds, and returns the posterior of each fit in the order of `seeds`. Results do not depend on the
 * number of workers. The first seed is that of `Fit.seed`, so that one restart equals `Fit.fit`. On a request of
 * `Fit.Interrupt` all fits end early with valid posteriors, each after at least one step. Interruption of the effect ends
 * them without posteriors.
 *
 * A time limit holds for each fit: with fewer workers than restarts, all fits together take longer.
 *
 * *When to use*: for local optima of ELBO descent, or to use several cores. A search restarts by itself.
 *
 * @errors `CompileError`, `BackendError` as of a single fit; `JobError` when a restart throws or its worker is lost
 * @throws SettingError when `restarts` or `workers` is not a whole number from 1 on
 */
export const run = <Spec, S, I extends Info, P>(
  served: Served<Spec, S, I, P>,
  request: Request<Spec, I>,
): Effect.Effect<ReadonlyArray<Fit.Fitted<P>>, CompileError | BackendError | Workers.JobError> => {
  const { spec, data, restarts, workers, onStep } = request
  Setting.whole("the number of restarts", restarts, 1)
  return Effect.gen(function* () {
    const algorithm = yield* served.build(spec).algorithm(data)
    const interrupt = yield* Fit.Interrupt
    const shared = SharedData.share(data)
    const stop =
      typeof SharedArrayBuffer === "undefined" ? undefined : new Int32Array(new SharedArrayBuffer(4))
    const look = Effect.sync(() => {
      if (stop !== undefined && interrupt.requested()) Atomics.store(stop, 0, 1)
    })
    yield* look
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(watching), look)))
    const chosen = seeds(yield* Fit.Seed, restarts)
    const jobs = chosen.map((seed) => ({ spec, data: shared, seed, stop }))
    const states = yield* Effect.mapError(Workers.map(served, jobs, { workers, onNews: onStep }), errorOf)
    return states.map((state, restart) => Fit.summarise(algorithm, state, chosen[restart]!))
  }).pipe(Effect.scoped)
}

/** The error of a worker as the error that a single fit would fail with. */
const errorOf = (failure: Workers.JobError): CompileError | BackendError | Workers.JobError => {
  if (failure.error === "CompileError") return new CompileError({ message: failure.detail })
  if (failure.error === "BackendError") return new BackendError({ message: failure.detail })
  return failure
}
