import { dot } from "../../numeric/orthogonal.ts"
import type * as Constant from "../../prob/Constant.ts"
import { clamped } from "../likelihood/clamped.ts"
import * as Laplace from "../likelihood/Laplace.ts"
import type { Rows } from "../likelihood/Rows.ts"
import { basisOf } from "../likelihood/weightedBasis.ts"
import { projectedDerivatives } from "./derivatives.ts"
import { type FittedTrees, sharing } from "./gPriorFit.ts"
import type { ParametricTrees } from "./ParametricTrees.ts"
import * as PosteriorMode from "./PosteriorMode.ts"

/**
 * Fits the constants c of trees under any density over a linear predictor, as `gPriorFit` does for normal noise. The evidence at
 * c is `Laplace.evidence` at the g of highest posterior density of the initial trees. With the score s and the information W of
 * the rows at the mode, and J the derivatives of eta by c, projected out of the span of the coefficients' directions under W,
 *
 *     d f / d c = J's,   - d^2 f / d c^2 = J'W J
 *
 * the second for the steps alone: Laplace's approximation over c uses central differences of the gradient at the mode, since the
 * information of a density with heavy tails, or of separated classes, is not constant near the mode.
 *
 * @returns undefined as for `PosteriorMode.find`
 */
export const fitConstants = (
  parametric: ParametricTrees,
  rows: Rows,
  prior: Laplace.Prior,
  priorOf: (terminal: number) => Constant.Fitted,
): FittedTrees | undefined => {
  const { start } = parametric
  const initial = Laplace.evidence(rows, prior, parametric.values(start))
  if (initial === undefined) return undefined
  const { nothing } = prior
  let from = initial.mode.x
  const evidence: PosteriorMode.Evidence = (duals) => {
    const { columns, back } = basisOf(
      duals.map(({ values }) => values),
      nothing.weights,
    )
    const origin = Float64Array.of(nothing.alpha, ...columns.map(() => 0), ...nothing.tau)
    const near = from.length === origin.length ? from : origin
    const mode = Laplace.atG(rows, prior, columns, initial.g, near)
    if (mode === undefined) return undefined
    from = mode.x
    const { score, curvature } = mode.expansion
    const roots = clamped(curvature).map(Math.sqrt)
    const derivatives = projectedDerivatives(start.length, duals, back(mode.x), roots)
    if (derivatives === undefined) return undefined
    const residual = score.map((value, i) => value / roots[i]!)
    return {
      height: mode.logIntegral,
      gradient: Float64Array.from(derivatives, (one) => dot(one, residual)),
      information: Float64Array.from(derivatives.flatMap((a) => derivatives.map((b) => dot(a, b)))),
    }
  }
  const mode = PosteriorMode.find(parametric, evidence, priorOf)
  if (mode === undefined) return undefined
  const { numbers, precision } = mode.point
  return {
    trees: parametric.trees(numbers),
    numbers,
    deviations: mode.deviations,
    logVolume:
      PosteriorMode.logVolume(mode, PosteriorMode.curvature(mode) ?? precision) + sharing(parametric),
  }
}
