import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
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
import type { RelaxedDraws } from "./Family.ts"
import type { Objective } from "./Objective.ts"
import type { Optimizer } from "./Optimizer.ts"
import type { Posterior } from "../infer/Posterior.ts"
import type { Relaxation } from "./Relaxation.ts"

/**
 * A layer that fits on one engine. *When to use*: for tests, such as on the scalar oracle; `Backend.layer` chooses the
 * engine otherwise.
 */
export const engine = (value: Engine): Layer.Layer<never> => Layer.succeed(Elbo.CurrentEngine, value)

/** The services of gradient ascent beside the sites of its model, and the relaxed draws of its family. */
export type Inference = Relaxation | Objective | Optimizer | Backend | RelaxedDraws

export type State = Fit.State<Elbo.State>
/** A step of a fit by gradient ascent, with its report. */
export type Step = Fit.Step<Elbo.Info>
/** A fitted variational posterior with the record of its fit. */
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
 * Fits a model to data by gradient ascent and returns the variational posterior. The family, relaxation, objective,
 * optimiser, stopping rule and backend are services, each provided by its own layer.
 *
 * *When to use*: for a fit that runs to its stopping rule. `run` gives its steps one by one, and continues from a
 * state.
 *
 * Fails with a `CompileError` as of `algorithm`.
 *
 * @param onStep called after every step
 */
export const fit = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  onStep: (info: Step) => void = () => undefined,
): Effect.Effect<Fitted, CompileError, R | Inference | Stop> =>
  Effect.scoped(Effect.flatMap(algorithm(model, data), (elbo) => Fit.fit(elbo, onStep)))

/** A running fit by gradient ascent: its algorithm, its seed, and the stream of its steps. */
export type Running = Fit.Running<Elbo.State, Elbo.Info, Posterior>

/**
 * The fit as a stream of steps (`Fit.run`), which may end early: `posterior` gives the posterior at any of its states.
 *
 * @param from the state to continue from, as `Checkpoint.read` returns it
 */
export const run = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  from?: State,
): Effect.Effect<Running, CompileError, R | Inference | Stop | Scope.Scope> =>
  Effect.flatMap(algorithm(model, data), (elbo) => Fit.run(elbo, from))

/** The posterior at a state of a running fit; one that has not ended counts as interrupted. */
export const posterior = ({ algorithm, seed }: Omit<Running, "steps">, state: State): Fitted =>
  Fit.summarise(algorithm, state, seed)

/**
 * A model and its inference in the form that `Restarts.serve` takes.
 *
 * @param inference the family, the services of `Inference` and a stopping rule; optionally an engine (`engine`)
 */
export const recipe = <A, R, E extends BackendError = never>(
  model: Model<A, R>,
  inference: Layer.Layer<R | Inference | Stop, E>,
): Restarts.Recipe<Elbo.State, Elbo.Info, Posterior> => ({
  algorithm: (data) => Effect.provide(algorithm(model, data), inference),
  stop: Layer.orDie(inference),
})
