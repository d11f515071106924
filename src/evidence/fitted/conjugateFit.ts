import type * as Constant from "../../prob/Constant.ts"
import * as Evidence from "../conjugate.ts"
import { derivatives } from "./derivatives.ts"
import type { ParametricTrees } from "./ParametricTrees.ts"
import * as PosteriorMode from "./PosteriorMode.ts"
import type { FittedTrees } from "./gPriorFit.ts"
import type * as GaussNewton from "../../numeric/GaussNewton.ts"
import { dot } from "../../numeric/orthogonal.ts"

/**
 * The means of a relaxed posterior may be far from the mode of a hard tree. Ascents from different means have to end at the
 * same values, up to the digits that are dropped, so that their ensembles count as one model.
 */
const rule: GaussNewton.Rule<PosteriorMode.Point> = { most: 50, enough: () => 1e-14 }

/**
 * Fits the constants c of trees under the normal-inverse-gamma prior of coefficients and noise: `gPriorFit` for
 * `Likelihood.conjugateLinear`. The evidence f(c) depends on the columns T, not on the residuals alone. Its gradient is exact:
 *
 *     d f / d c = sum_ik (d f / d T_ik) (d T_ik / d c)
 *
 * (`Evidence.gradient`). Steps use the Gauss-Newton curvature lambda (J'J - J'T A^-1 T'J), with J the derivatives of the fit
 * by c and lambda = a_n / b_n. Laplace's approximation uses central differences of the gradient at the mode, and the
 * Gauss-Newton curvature where the differences are not positive definite. Constants are independent: none is shared.
 *
 * @param parametric trees with a constant for every leaf (`apart` of `ParametricTrees.make`)
 * @returns undefined as for `PosteriorMode.find`
 */
export const fitConstants = (
  parametric: ParametricTrees,
  hyper: Evidence.Hyper,
  y: Float64Array,
  priorOf: (terminal: number) => Constant.Fitted,
): FittedTrees | undefined => {
  const count = parametric.start.length
  const ones = new Float64Array(y.length).fill(1)
  const evidence: PosteriorMode.Evidence = (duals) => {
    const columns = duals.map(({ values }) => values)
    const adjoint = columns.map(() => new Float64Array(y.length))
    const { logEvidence, mean, covariance, shape, scale } = Evidence.gradient(hyper, y, columns, adjoint)
    const gradient = new Float64Array(count)
    const slopes = derivatives(count, duals, mean.subarray(1))
    duals.forEach((dual, k) =>
      dual.slopes.forEach((by, j) => {
        if (by !== undefined) gradient[j]! += dot(adjoint[k]!, by)
      }),
    )
    if (!Number.isFinite(logEvidence) || !gradient.every(Number.isFinite)) return undefined
    const design = [ones, ...columns]
    const products = slopes.map((slope) => design.map((column) => dot(column, slope)))
    const information = slopes.flatMap((a, j) =>
      slopes.map((b, k) => {
        let inside = 0
        for (let r = 0; r < design.length; r++)
          for (let c = 0; c < design.length; c++)
            inside += products[j]![r]! * covariance[r * design.length + c]! * products[k]![c]!
        return (shape / scale) * (dot(a, b) - inside)
      }),
    )
    // By rounding the diagonal may be negative where the coefficients absorb the derivative.
    for (let j = 0; j < count; j++) information[j * count + j] = Math.max(0, information[j * count + j]!)
    return { height: logEvidence, gradient, information: Float64Array.from(information) }
  }
  const mode = PosteriorMode.find(parametric, evidence, priorOf, rule)
  if (mode === undefined) return undefined
  const { numbers } = mode.point
  return {
    trees: parametric.trees(numbers),
    numbers,
    deviations: mode.deviations,
    logVolume: PosteriorMode.logVolume(mode, PosteriorMode.curvature(mode) ?? mode.point.precision),
  }
}
