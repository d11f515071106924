import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import type * as Algorithm from "../infer/Algorithm.ts"
import * as Plan from "../prob/Plan.ts"
import * as Rng from "../random/Rng.ts"
import { Backend, type BackendName } from "./Backend.ts"
import type { Engine, Evaluation } from "./engines/Engine.ts"
import * as Simd from "./engines/simd/engine.ts"
import { Objective } from "./Objective.ts"
import * as Optimizer from "./Optimizer.ts"
import type { Posterior } from "../infer/Posterior.ts"
import { Relaxation } from "./Relaxation.ts"
import { zeros } from "./zeros.ts"

/** The report of a step of gradient ascent, over relaxed trees or over hard ones. */
export interface AscentInfo extends Algorithm.Info {
  /** evidence - divergence, with full weight on the divergence: the ELBO; NaN when the step was skipped */
  readonly objective: number
  /** log p(y | T), the mean over samples */
  readonly evidence: number
  /** KL(q || prior) */
  readonly divergence: number
  /** Euclidean norm of the gradient before clipping */
  readonly gradientNorm: number
  /** whether value and gradient were finite; if not, the step was skipped */
  readonly finite: boolean
  /** steps skipped so far */
  readonly skipped: number
}

/** The report of a step over relaxed trees. */
export interface Info extends AscentInfo {
  /** of the relaxation */
  readonly temperature: number
}

/** The state of gradient ascent. A step makes new arrays and changes none. */
export interface State {
  /** the key from which the noise of every step is drawn */
  readonly key: Rng.Key
  readonly step: number
  /** variational parameters, flat, in the layout of the plan */
  readonly parameters: Float64Array
  /** the state of the optimiser */
  readonly optimizer: unknown
  readonly skipped: number
}

/** Ascent of an objective by its gradient. @typeParam I the report of its steps */
export type Ascent<I extends AscentInfo = AscentInfo> = Algorithm.Algorithm<State, I, Posterior>

/** Ascent of a relaxed objective by its gradient. */
export type Elbo = Ascent<Info>

/** The engine of a fit. Undefined stands for the backend's engine. */
export const CurrentEngine = Context.Reference<Engine | undefined>("vasst/vi/CurrentEngine", {
  defaultValue: () => undefined,
})

/** tfjs is loaded when a fit needs it. */
const engineOf = (backend: BackendName): Effect.Effect<Engine> =>
  backend === "simd"
    ? Effect.succeed(Simd.engine)
    : Effect.map(
        Effect.promise(() => import("./engines/tfjs/engine.ts")),
        (tfjs) => tfjs.engine,
      )

/** The initial variational parameters of a plan, flat. */
export const initialParameters = (plan: Plan.Plan, key: Rng.Key): Float64Array => {
  const parameters = new Float64Array(plan.parameterCount)
  plan.parameters.forEach(({ initialise, offset }, index) =>
    parameters.set(Array.from(initialise(Rng.fold(key, index))), offset),
  )
  return parameters
}

/**
 * Stochastic gradient ascent of the objective over relaxed trees: one evaluation of value and gradient, and one step of the
 * optimiser. Steps whose value or gradient is not finite change no parameter and are counted.
 *
 * *When to use*: with the contract of `Algorithm` itself. `Infer.fit` and `Infer.run` take a model and compile its
 * plan.
 *
 * Source: Eq. elbo-1 and Algorithm "VaSST" of the paper. Fails with a `CompileError` as of the engine.
 *
 * @param plan a traced model with its family
 */
export const make = (
  plan: Plan.Plan,
  data: Dataset,
): Effect.Effect<Elbo, CompileError, Relaxation | Objective | Optimizer.Optimizer | Backend | Scope.Scope> =>
  Effect.gen(function* () {
    const relaxation = yield* Relaxation
    const objective = yield* Objective
    const optimizer = yield* Optimizer.Optimizer
    const backend = yield* Backend
    const compiler = (yield* CurrentEngine) ?? (yield* engineOf(backend.name))
    const widened = yield* Plan.widened(plan, relaxation.soft.further ?? 0)
    const compiled = yield* compiler.compile(widened, data, relaxation.soft, objective.form)
    const { samples } = objective.form
    const noise = new Float32Array(samples * widened.noiseCount)
    const drawNoise = Plan.noiseDrawer(widened, samples, noise)
    return ascent(plan, optimizer, (key, number, parameters, gradient) => {
      drawNoise(key)
      const temperature = relaxation.temperature(number)
      const evaluation = compiled.valueAndGradient(
        parameters,
        noise,
        { temperature, divergenceWeight: objective.divergenceWeight(number) },
        gradient,
      )
      return { ...evaluation, temperature }
    })
  })

/**
 * Gradient ascent of any objective of the parameters of a plan, which `make` and `ScoreFunction.make` share.
 *
 * @param evaluate the objective with the key of a step and its number, counted from 1, beside fields of the report that it adds; writes the
 *   gradient
 */
export const ascent = <More extends object>(
  plan: Plan.Plan,
  optimizer: Optimizer.Optimizer["Service"],
  evaluate: (
    key: Rng.Key,
    step: number,
    parameters: Float64Array,
    gradient: Float64Array,
  ) => Evaluation & More,
): Ascent<AscentInfo & More> => {
  const gradient = new Float64Array(plan.parameterCount)
  const step: Ascent<AscentInfo & More>["step"] = (state) => {
    const number = state.step + 1
    const evaluated = evaluate(Rng.fold(state.key, number), number, state.parameters, gradient)
    const { objective: value, evidence, divergence } = evaluated
    const gradientNorm = Optimizer.norm(gradient)
    const finite = Number.isFinite(value) && Number.isFinite(gradientNorm)
    const skipped = finite ? state.skipped : state.skipped + 1
    const moved = finite ? move(state) : state
    return [
      { ...moved, step: number, skipped },
      {
        ...evaluated,
        objective: finite ? evidence - divergence : Number.NaN,
        converged: false,
        gradientNorm,
        finite,
        skipped,
      },
    ]
  }
  const move = (state: State): State => {
    const { updates, state: next } = optimizer.update(gradient, state.optimizer, state.parameters)
    const parameters = zeros(updates.length)
    for (let i = 0; i < updates.length; i++) parameters[i] = state.parameters[i]! + updates[i]!
    return { ...state, parameters, optimizer: next }
  }
  return {
    init: (key) => {
      const [initialKey, noiseKey] = Rng.split(key, 2)
      return {
        key: noiseKey,
        step: 0,
        parameters: initialParameters(plan, initialKey),
        optimizer: optimizer.init(plan.parameterCount),
        skipped: 0,
      }
    },
    step,
    // A copy, because short arrays share a buffer, and a transfer to another thread would take all of it.
    posterior: ({ parameters, skipped }) => ({ plan, parameters: parameters.slice(), skipped }),
  }
}
