import type { Evaluation, ObjectiveForm } from "../engines/Engine.ts"
import * as Tape from "../engines/tape/Tape.ts"

/** The control variate of a score-function gradient. */
export type Baseline = "leaveOneOut" | "none"

/** The value of an objective from the terms of S hard draws, and the weight of each draw's score in its gradient. */
export interface Estimate extends Evaluation {
  /**
   * a_s of the gradient sum_s a_s d log q(T_s), [S]:
   *
   *     a_s = F - b_s + dF/dD_s + w/S
   *
   * F is the objective, D_s = log q(T_s) - log p(T_s) depends on the parameters by itself, w is the weight of the
   * divergence, and b_s is the objective with the mean of the other draws' terms in place of those of draw s. Since b_s and w/S do not depend on draw s, and
   * scores have the mean 0, the estimate is unbiased; all a_s are 0 where q is the posterior.
   */
  readonly scores: Float64Array
}

/**
 * The estimator of an objective over hard draws: REINFORCE with leave-one-out baselines (Kool, van Hoof and Welling 2019)
 * for the ELBO, VIMCO with arithmetic means of log weights (Mnih and Rezende 2016) for bounds over several draws.
 *
 * @returns a function of log p(y | T) and log q(T) - log p(T) of each draw, both [S], and of the weight of the divergence
 */
export const make = (
  form: ObjectiveForm,
  baseline: Baseline,
): ((evidence: Float64Array, divergence: Float64Array, weight: number) => Estimate) => {
  const { samples: S } = form
  const { outputs, forward, backward } = Tape.record(({ algebra: A, parameter, input }) => {
    const evidence = parameter([S])
    const divergence = parameter([S])
    const weight = input([])
    const mean = A.binary.div(A.sumLast(divergence), A.literal(S))
    const value = form.combine(A, evidence, form.divergence === "drawn" ? divergence : mean, weight)
    return { evidence, divergence, weight, value }
  })
  const valueAt = (evidence: Float64Array, divergence: Float64Array): number => {
    outputs.evidence.data.set(evidence)
    outputs.divergence.data.set(divergence)
    forward()
    return outputs.value.data[0]!
  }
  return (evidence, divergence, weight) => {
    outputs.weight.data[0] = weight
    const sums = { evidence: sum(evidence), divergence: sum(divergence) }
    const without = (s: number): number => {
      if (baseline === "none" || S === 1) return 0
      const others = (values: Float64Array, total: number): Float64Array =>
        values.with(s, (total - values[s]!) / (S - 1))
      return valueAt(others(evidence, sums.evidence), others(divergence, sums.divergence))
    }
    const baselines = Float64Array.from({ length: S }, (_, s) => without(s))
    const objective = valueAt(evidence, divergence)
    backward(outputs.value)
    const slopes = outputs.divergence.adjoint ?? new Float64Array(S)
    return {
      objective,
      evidence: sums.evidence / S,
      divergence: sums.divergence / S,
      scores: baselines.map((own, s) => objective - own + slopes[s]! + weight / S),
    }
  }
}

const sum = (values: Float64Array): number => values.reduce((total, x) => total + x, 0)
