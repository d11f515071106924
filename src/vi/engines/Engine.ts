import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Algebra } from "../../numeric/Algebra.ts"
import type { RelaxationForm } from "../../prob/Factor.ts"
import type { Dataset } from "../../data/Data.ts"
import { CompileError } from "../../errors/Errors.ts"
import * as Divergences from "../../prob/Divergences.ts"
import type { Relaxable } from "../../prob/Observation.ts"
import * as Plan from "../../prob/Plan.ts"
import * as RestrictedTrees from "../RestrictedTrees.ts"

/** A relaxation as engines see it: the relaxed draws, and the clip that keeps the values of soft nodes finite. */
export interface SoftTrees extends RelaxationForm {
  /** c of c tanh(v / c) on the values of inner nodes; no clip if undefined. */
  readonly valueClip: number | undefined
}

/** An objective as engines see it. */
export interface ObjectiveForm {
  /** Monte Carlo samples S of a step */
  readonly samples: number
  /**
   * The divergence that `combine` takes: KL(q || prior), a scalar, or with `"drawn"` log q(T) - log p(T) of each sample, [S],
   * so that evidence - divergence is the logarithm of the sample's importance weight. `"expected"` if left out.
   */
  readonly divergence?: "expected" | "drawn"
  /**
   * The number to maximise.
   *
   * @param evidence log p(y | T) of each sample, shape [S]
   * @param divergence KL(q || prior), scalar; [S] if `divergence` is `"drawn"`
   * @param weight weight of the divergence, scalar
   */
  readonly combine: <T>(A: Algebra<T>, evidence: T, divergence: T, weight: T) => T
}

/** The arguments of a step beside parameters and noise. */
export interface Controls {
  readonly temperature: number
  readonly divergenceWeight: number
}

export interface Evaluation {
  readonly objective: number
  /** log p(y | T), the mean over samples */
  readonly evidence: number
  /** KL(q || prior), or the mean of log q - log p over samples, the term of a restricted tree prior included (`RestrictedTrees`) */
  readonly divergence: number
}

/** A plan bound to data, ready to run. */
export interface Compiled {
  /**
   * @param parameters flat, length `plan.parameterCount`
   * @param noise flat, length S * `plan.noiseCount`: for each slot in order its S samples, row-major
   */
  readonly value: (parameters: Float64Array, noise: Float32Array, controls: Controls) => Evaluation
  /** As `value`; writes the gradient of the objective into `gradient`, of the parameters' length. */
  readonly valueAndGradient: (
    parameters: Float64Array,
    noise: Float32Array,
    controls: Controls,
    gradient: Float64Array,
  ) => Evaluation
}

/**
 * An interpreter of plans. *When to use*: `simd` for fits; `tfjs` where there is no WebAssembly SIMD; `oracle` in
 * tests.
 */
export interface Engine {
  readonly name: string
  /**
   * Binds a plan to data. Its memory is freed when the scope closes. Fails with a `CompileError` for a likelihood that
   * cannot be relaxed, as all engines do.
   */
  readonly compile: (
    plan: Plan.Plan,
    data: Dataset,
    relaxation: SoftTrees,
    objective: ObjectiveForm,
  ) => Effect.Effect<Compiled, CompileError, Scope.Scope>
}

/**
 * An engine from its compiler of relaxable plans. The compiler need not know restrictions of the tree prior: `make`
 * adds their term (`RestrictedTrees`).
 */
export const make = (
  name: string,
  compile: (
    plan: Plan.Plan<Relaxable>,
    data: Dataset,
    relaxation: SoftTrees,
    objective: ObjectiveForm,
  ) => Effect.Effect<Compiled, CompileError, Scope.Scope>,
): Engine => ({
  name,
  compile: (plan, data, relaxation, objective) =>
    Effect.gen(function* () {
      const relaxed = yield* Plan.relaxable(plan)
      const { further = 0 } = relaxation
      if (plan.further !== further)
        return yield* new CompileError({
          message: `the relaxation takes ${further} further noise arrays for each draw, but the plan has ${plan.further}; compile Plan.widened(plan, ${further})`,
        })
      if (objective.divergence === "drawn") yield* drawable(relaxed)
      const compiled = yield* compile(relaxed, data, relaxation, objective)
      const term = yield* RestrictedTrees.make(relaxed)
      return term === undefined ? compiled : restricted(compiled, term)
    }),
})

/** Fails with a `CompileError` where a bound over several draws lacks log q - log p of relaxed draws. */
const drawable = ({ graph, likelihood, sites }: Plan.Plan): Effect.Effect<void, CompileError> => {
  if (likelihood.forest.restrictions !== undefined)
    return Effect.fail(
      new CompileError({
        message:
          "relaxed draws of a restricted tree prior have no importance weights, which the objective takes; fit with ScoreFunction.fit, or maximise Objective.elbo",
      }),
    )
  const lacking = sites.find(
    ({ factor, name }) => factor.drawnDivergence === undefined && Divergences.isRead(graph, name),
  )
  return lacking === undefined
    ? Effect.void
    : Effect.fail(
        new CompileError({
          message: `the factor ${lacking.factor.name} of the site "${lacking.name}" has no \`drawnDivergence\`, which the objective needs; give the site another factor, or maximise Objective.elbo`,
        }),
      )
}

/** The term of a restricted prior beside the divergence, with its weight. */
const restricted = (compiled: Compiled, term: RestrictedTrees.RestrictedTrees): Compiled => {
  const joined = (
    { objective, evidence, divergence }: Evaluation,
    value: number,
    weight: number,
  ): Evaluation => ({ objective: objective + weight * value, evidence, divergence: divergence - value })
  return {
    value: (parameters, noise, controls) =>
      joined(
        compiled.value(parameters, noise, controls),
        term.value(parameters, noise),
        controls.divergenceWeight,
      ),
    valueAndGradient: (parameters, noise, controls, gradient) => {
      const { divergenceWeight } = controls
      const own = compiled.valueAndGradient(parameters, noise, controls, gradient)
      return joined(own, term.value(parameters, noise, divergenceWeight, gradient), divergenceWeight)
    },
  }
}
