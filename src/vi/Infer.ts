import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Dataset } from "../data/Data.ts"
import type { BackendError, CompileError } from "../errors/Errors.ts"
import * as Fit from "../infer/Fit.ts"
import type * as Restarts from "../infer/Restarts.ts"
import type { Stop } from "../infer/Stop.ts"
import type { Model } from "../prob/Model.ts"
import * as Plan from "../prob/Plan.ts"
import type { Backend } from "./Backend.ts"
import * as Elbo from "./Elbo.ts"
import type { Engine } from "./engines/Engine.ts"
import type { Objective } from "./Objective.ts"
import type { Optimizer } from "./Optimizer.ts"
import type { Posterior } from "../infer/Posterior.ts"
import type { Relaxation } from "./Relaxation.ts"

/** A layer that fits on an engine, such as the scalar oracle. */
export const engine = (value: Engine): Layer.Layer<never> => Layer.succeed(Elbo.CurrentEngine, value)

/** What gradient ascent asks for, beside the sites of its model. */
export type Inference = Relaxation | Objective | Optimizer | Backend

/** A state of a fit by gradient ascent. */
export type State = Fit.State<Elbo.State>
/** What a step of it reports. */
export type Step = Fit.Step<Elbo.Info>
/** A fitted variational posterior, and how the fit went. */
export type Fitted = Fit.Fitted<Posterior>

/**
 * The algorithm of a model: `Elbo.make` of its plan.
 *
 * Fails with a `CompileError` as of `Plan.trace` and `Plan.relaxable`, and when the data lack a feature.
 */
export const algorithm = <A, R>(
  model: Model<A, R>,
  data: Dataset,
): Effect.Effect<Elbo.Elbo, CompileError, R | Inference | Scope.Scope> =>
  Effect.flatMap(Plan.trace(model), (plan) => Elbo.make(plan, data))

/**
 * Fits a model to data by gradient ascent and returns the variational posterior. Every axis is a value that is provided: the
 * family, the relaxation, the objective, the optimiser, when to stop, the backend.
 *
 * @param onStep is told of every step
 */
export const fit = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  onStep: (info: Step) => void = () => undefined,
): Effect.Effect<Fitted, CompileError, R | Inference | Stop> =>
  Effect.scoped(Effect.flatMap(algorithm(model, data), (elbo) => Fit.fit(elbo, onStep)))

/** A running fit: its algorithm, its seed, and its states with what each step did. */
export interface Running {
  readonly algorithm: Elbo.Elbo
  readonly seed: number
  readonly steps: Stream.Stream<{ readonly info: Step; readonly state: State }>
}

/**
 * The same as a stream of steps (`Fit.run`), which may be left early: `posterior` says what is known at any of its states.
 *
 * @param from a state to go on from, as `Checkpoint.read` gives it
 */
export const run = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  from?: State,
): Effect.Effect<Running, CompileError, R | Inference | Stop | Scope.Scope> =>
  Effect.gen(function* () {
    const elbo = yield* algorithm(model, data)
    return { algorithm: elbo, seed: yield* Fit.Seed, steps: yield* Fit.run(elbo, from) }
  })

/** The posterior at a state of a running fit; one that has not ended counts as interrupted. */
export const posterior = ({ algorithm, seed }: Omit<Running, "steps">, state: State): Fitted =>
  Fit.summarise(algorithm, state, seed)

/**
 * A model and its inference as `Restarts.serve` takes them.
 *
 * @param inference the family, all of `Inference` and when to stop; an engine of its own, if any, too (`engine`)
 */
export const recipe = <A, R, E extends BackendError = never>(
  model: Model<A, R>,
  inference: Layer.Layer<R | Inference | Stop, E>,
): Restarts.Recipe<Elbo.State, Elbo.Info, Posterior> => ({
  algorithm: (data) => Effect.provide(algorithm(model, data), inference),
  stop: Layer.orDie(inference),
})
