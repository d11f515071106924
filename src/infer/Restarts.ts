/**
 * The same fit from several seeds, on the cores of the machine. A model is a program and cannot be posted to a worker:
 * workers build it themselves, from plain data, by a module that `serve` makes.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Plan from "../prob/Plan.ts"
import type { Model } from "../prob/Model.ts"
import type { Forest } from "../prob/Tree.ts"
import type { Relaxation } from "../vi/Relaxation.ts"
import * as Backend from "../vi/Backend.ts"
import type { Dataset } from "../data/Data.ts"
import { BackendError, CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import * as SharedData from "../data/SharedData.ts"
import * as Workers from "../workers/Workers.ts"
import * as Archive from "./Archive.ts"
import * as Fit from "./Fit.ts"
import type { Objective } from "../vi/Objective.ts"
import type { Optimizer } from "../vi/Optimizer.ts"
import * as Posterior from "./Posterior.ts"
import type { Stop } from "./Stop.ts"

/** A model with everything that its fit needs: the family, the relaxation, the objective, the optimiser, when to stop. */
export interface Recipe<A, R> {
  readonly model: Model<A, R>
  /** An engine of its own, if any, is provided here (`Fit.engine`). */
  readonly inference: Layer.Layer<R | Relaxation | Objective | Optimizer | Stop>
}

/** One restart, as it is posted to a worker. */
export interface Job<S> {
  readonly spec: S
  readonly data: SharedData.Shared
  readonly seed: number
  readonly backend: Backend.BackendName
  /** one number in shared memory, not 0 once the fits are to end; absent where no memory is shared */
  readonly stop: Int32Array | undefined
}

/** What of a posterior can be posted: all but its plan, which is the same for all seeds. */
export interface Outcome extends Omit<Posterior.Posterior, "plan" | "archive"> {
  readonly archive: Archive.Kept | undefined
}

/** A task that fits, with the plan of its fits. */
export interface Served<S> extends Workers.Task<Job<S>, Outcome, Fit.StepInfo> {
  readonly plan: (spec: S) => Effect.Effect<Plan.Plan, CompileError>
}

/**
 * A module that workers fit by. Export the result from a module that does nothing else; `build` makes the model from
 * whatever of it is data (operators are).
 *
 * @param module `import.meta.url`
 * @param name different from those of other tasks of the module
 *
 * @example
 * export const restarts = Restarts.serve(import.meta.url, (operators: ReadonlyArray<Operator.Operator>) => {
 *   const model = Vasst.model(Grammar.make({ features: ["x0", "x1"], operators }))
 *   return { model, inference: Vasst.inference(model) }
 * })
 */
export const serve = <S, A, R>(
  module: string,
  build: ((spec: S) => Recipe<A, R>) & Workers.Posted<S>,
  name = "restarts",
): Served<S> => ({
  module,
  name,
  plan: (spec) =>
    Effect.suspend(() => {
      const { model, inference } = build(spec)
      return Effect.provide(Plan.trace(model), inference)
    }),
  run: ({ spec, data, seed, backend, stop }, tell) =>
    Effect.suspend(() => {
      const { model, inference } = build(spec)
      const settings = Layer.mergeAll(
        inference,
        Backend.layer(backend),
        Fit.seed(seed),
        Layer.succeed(Fit.Interrupt, {
          requested: () => stop !== undefined && Atomics.load(stop, 0) !== 0,
        }),
      )
      return Effect.map(
        Effect.provide(Fit.fit(model, SharedData.open(data), tell), settings),
        ({ plan: _, archive, ...outcome }): Outcome => ({
          ...outcome,
          archive: archive && Archive.keep(archive),
        }),
      )
    }),
})

/** What to fit, and how often. */
export interface Request<S> {
  readonly spec: S
  readonly data: Dataset
  /** the number of fits */
  readonly restarts: number
  /** how many run at a time; one for each core by default, and never more than there are fits */
  readonly workers?: number | undefined
  /** is told of every step of every restart, in this thread */
  readonly onStep?: ((info: Fit.StepInfo, restart: number) => void) | undefined
}

/**
 * The seeds of restarts: the first is `seed` itself, the others are made from it. They do not depend on how many there
 * are.
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

/** How often, in milliseconds, it is looked at whether the fits are to end. */
const watching = 50

/**
 * Fits from several seeds and gives the posteriors in the order of `seeds`, the same with any number of workers. The
 * first seed is that of `Fit.seed`, so that one restart is one plain fit. Asked to end by `Fit.Interrupt`, restarts end
 * early with valid posteriors, each with at least a step; interrupting the effect terminates them without any.
 *
 * Time limits are those of single fits: with fewer workers than restarts, all together take longer.
 *
 * @errors `CompileError`, `BackendError` as of a single fit; `JobError` when a restart throws or its worker is lost
 * @throws RangeError when `restarts` or `workers` is not a positive integer
 */
export const run = <S>(
  served: Served<S>,
  request: Request<S>,
): Effect.Effect<
  ReadonlyArray<Posterior.Posterior>,
  CompileError | BackendError | Workers.JobError,
  Backend.Backend
> => {
  const { spec, data, restarts, workers, onStep } = request
  if (!Number.isSafeInteger(restarts) || restarts < 1)
    throw new RangeError(`the number of restarts must be a positive integer, not ${restarts}`)
  return Effect.gen(function* () {
    const { name: backend } = yield* Backend.Backend
    if ((yield* Fit.CurrentEngine) !== undefined)
      return yield* Effect.fail(
        new CompileError({
          message:
            "an engine cannot be posted to workers; provide it in the inference that the module builds",
        }),
      )
    const plan = yield* served.plan(spec)
    const interrupt = yield* Fit.Interrupt
    const shared = SharedData.share(data)
    const stop =
      typeof SharedArrayBuffer === "undefined" ? undefined : new Int32Array(new SharedArrayBuffer(4))
    const look = Effect.sync(() => {
      if (stop !== undefined && interrupt.requested()) Atomics.store(stop, 0, 1)
    })
    yield* look
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(watching), look)))
    const jobs = seeds(yield* Fit.Seed, restarts).map((seed) => ({ spec, data: shared, seed, backend, stop }))
    const outcomes = yield* Effect.mapError(Workers.map(served, jobs, { workers, onNews: onStep }), errorOf)
    return outcomes.map(({ archive, ...outcome }) => ({
      ...outcome,
      plan,
      archive: archive && Archive.open(archive),
    }))
  }).pipe(Effect.scoped)
}

/** The error that a fit failed with, as a single fit fails with it. */
const errorOf = (failure: Workers.JobError): CompileError | BackendError | Workers.JobError => {
  if (failure.error === "CompileError") return new CompileError({ message: failure.detail })
  if (failure.error === "BackendError") return new BackendError({ message: failure.detail })
  return failure
}

/**
 * Draws `count` hard ensembles in all, from each posterior as many as from the others (one more from the first where
 * that does not come out even), to be ranked together by `Rank.fromDraws`. Of one posterior they are those of
 * `Posterior.draws`.
 *
 * @param posteriors of one model, as `run` gives them, with `Objective.elbo`; searches have archives instead, which
 *   `Rank.fromArchive` ranks (`Archive.together`)
 */
export const draws = (
  posteriors: ReadonlyArray<Posterior.Posterior>,
  forest: Forest,
  key: Rng.Key,
  count: number,
): Posterior.Draws => {
  const parts = posteriors.map((posterior, restart) => {
    const share = Math.ceil((count - restart) / posteriors.length)
    return Posterior.draws(
      posterior,
      forest,
      restart === 0 ? key : Rng.fold(key, restart),
      Math.max(0, share),
    )
  })
  const together = (of: (part: Posterior.Draws) => Float64Array): Float64Array => {
    const all = new Float64Array(parts.reduce((length, part) => length + of(part).length, 0))
    let offset = 0
    for (const part of parts) {
      all.set(of(part), offset)
      offset += of(part).length
    }
    return all
  }
  const values = parts[0]?.values?.map(({ terminal }, index) => ({
    terminal,
    at: together((part) => part.values![index]!.at),
  }))
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    split: together(({ split }) => split),
    operator: together(({ operator }) => operator),
    terminal: together(({ terminal }) => terminal),
    ...(values && { values }),
  }
}
