import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Fit from "../infer/Fit.ts"
import type { Stop } from "../infer/Stop.ts"
import type { Model } from "../prob/Model.ts"
import * as Plan from "../prob/Plan.ts"
import * as Rng from "../random/Rng.ts"
import * as Elbo from "./Elbo.ts"
import * as Estimate from "./hard/Estimate.ts"
import * as HardDraws from "./hard/HardDraws.ts"
import * as Weights from "./hard/Weights.ts"
import { Objective } from "./Objective.ts"
import { Optimizer } from "./Optimizer.ts"
import type { Posterior } from "../infer/Posterior.ts"

/** The control variate of the gradient: the other draws of the step, or none. */
export type { Baseline } from "./hard/Estimate.ts"

/** The report of a step: samples are hard trees, which have no temperature. */
export type Info = Elbo.AscentInfo

/** A fitted variational posterior with the record of its fit. */
export type Fitted = Fit.Fitted<Posterior>

/** Settings beside the services. */
export interface Settings {
  /** `"leaveOneOut"` if left out; it needs two samples a step or more. `"none"` is for comparison. */
  readonly baseline?: Estimate.Baseline | undefined
}

/**
 * Gradient ascent of an objective over hard trees, by the score function (Williams 1992; see `Estimate` for the baseline):
 * trees are drawn from the family, pruned, and scored with their coefficients and the weights of operators and terminals
 * integrated out. The gradient is unbiased for the objective itself, where `Elbo.make` has that of a relaxation. A step
 * costs S evaluations of hard ensembles, those of trees seen before nothing.
 *
 * Trees that are not finite on a row, or that a restriction excludes, count with an evidence of exp(-1000 n), n rows.
 *
 * *When to use*: with the contract of `Algorithm` itself; else `fit`.
 *
 * At `posterior` the factors of the weights are moved to the conjugate posterior of the trees' counts.
 *
 * Fails with a `CompileError` as of `HardDraws.make`.
 *
 * @param plan a traced model with its family
 */
export const make = (
  plan: Plan.Plan,
  data: Dataset,
  { baseline = "leaveOneOut" }: Settings = {},
): Effect.Effect<Elbo.Ascent<Info>, CompileError, Objective | Optimizer> =>
  Effect.gen(function* () {
    const objective = yield* Objective
    const optimizer = yield* Optimizer
    const hard = yield* HardDraws.make(plan, data)
    const estimate = Estimate.make(objective.form, baseline)
    const ascent = Elbo.ascent(plan, optimizer, (key, step, parameters, gradient) => {
      const draws = hard.draw(key, parameters, objective.form.samples)
      const { scores, ...evaluation } = estimate(
        draws.evidence,
        draws.divergence,
        objective.divergenceWeight(step),
      )
      gradient.fill(0)
      hard.score(parameters, draws, scores, gradient)
      return evaluation
    })
    return {
      ...ascent,
      posterior: (state) => {
        const found = ascent.posterior(state)
        const { values } = hard.draw(Rng.fold(state.key, "weights"), found.parameters, Weights.draws)
        return { ...found, parameters: Weights.moved(plan, found.parameters, values) }
      },
    }
  })

/**
 * Fits a model to data by the score function of an objective over hard trees. The family, objective, optimiser and stopping
 * rule are services, each provided by its own layer; no relaxation and no backend is needed.
 *
 * *When to use*: for families without relaxed draws, such as `Family.treeConditional`, and for bounds of log p(y) that
 * are not those of a relaxation. `Search.fit` finds laws sooner.
 *
 * Fails with a `CompileError` as of `make` and `Plan.trace`.
 *
 * @param onStep called after every step
 */
export const fit = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  settings: Settings = {},
  onStep: (info: Fit.Step<Info>) => void = () => undefined,
): Effect.Effect<Fitted, CompileError, R | Objective | Optimizer | Stop> =>
  Effect.flatMap(Plan.trace(model), (plan) =>
    Effect.flatMap(make(plan, data, settings), (algorithm) => Fit.fit(algorithm, onStep)),
  )
