import { leastSquares } from "../../numeric/leastSquares.ts"
import { dot } from "../../numeric/orthogonal.ts"
import { triangle } from "../../numeric/triangle.ts"
import { derivatives } from "./derivatives.ts"
import type { ParametricTrees } from "./ParametricTrees.ts"
import * as VariableProjection from "./VariableProjection.ts"
import { allFinite } from "../../numeric/finite.ts"

/**
 * A law without an intercept of its own: y = b_1 (f_1(x, c) + ratio) + b_2 f_2(x, c) + ..., the tree of the ratio first in
 * `tree`. Ratio 0 is a law through the origin of the terms, ratio -1 one such as b (1 - exp(-c x)).
 */
interface Tie {
  readonly tree: number
  readonly ratio: -1 | 0 | 1
}

const steps = 40
/** Standard errors by which the free fit may be away from a tie that is tried. */
const credible = 5

/** Trees with the ratio of a tie added to its tree: columns of a law without an intercept. */
const shifted = (parametric: ParametricTrees, { tree, ratio }: Tie): ParametricTrees => {
  if (ratio === 0) return parametric
  const own = (values: Float64Array, k: number): Float64Array =>
    k === tree ? values.map((value) => value + ratio) : values
  return {
    ...parametric,
    values: (numbers) => parametric.values(numbers).map(own),
    duals: (numbers) =>
      parametric.duals(numbers).map(({ values, slopes }, k) => ({ values: own(values, k), slopes })),
  }
}

/**
 * Constants fitted under each tie between the intercept and a coefficient that the data may have. A free fit is a poor
 * place to ask whether an intercept is zero: b_0 + b x^c and b x^c have different constants c.
 *
 * @param parametric trees with their constants at the free fit
 * @param y length n
 * @param weights of residuals, length n; 0 for rows that do not count
 * @returns the constants, for each tie that the free fit does not rule out
 */
export const tiedFits = (
  parametric: ParametricTrees,
  y: Float64Array,
  weights: Float64Array,
): ReadonlyArray<Float64Array> => {
  const count = parametric.start.length
  const weighted = (column: Float64Array): Float64Array => column.map((value, i) => value * weights[i]!)
  const target = weighted(y)
  const free = parametric.duals(parametric.start).map(({ values, slopes }) => ({
    values: weighted(values),
    slopes: slopes.map((slope) => slope && weighted(slope)),
  }))
  const { coefficients, residual } = leastSquares([weights, ...free.map(({ values }) => values)], target)
  const slopes = derivatives(count, free, coefficients.subarray(1))
  const design = [weights, ...free.map(({ values }) => values), ...slopes]
  const freedom = weights.filter((weight) => weight > 0).length - design.length
  if (!design.every(allFinite) || freedom < 1) return []
  const sigma = Math.sqrt(dot(residual, residual) / freedom)
  const factor = triangle(design)
  const possible = ({ tree, ratio }: Tie): boolean => {
    const along = new Float64Array(design.length)
    along[0] = 1
    if (ratio !== 0) along[tree + 1] = -ratio
    const distance = coefficients[0]! - ratio * coefficients[tree + 1]!
    return !(Math.abs(distance) > credible * sigma * (factor?.norm(along) ?? Infinity))
  }
  const ties: ReadonlyArray<Tie> = [
    { tree: 0, ratio: 0 },
    ...free.flatMap((_, tree): ReadonlyArray<Tie> => [
      { tree, ratio: -1 },
      { tree, ratio: 1 },
    ]),
  ]
  const projection = VariableProjection.make(y, weights, [], false)
  return ties.filter(possible).flatMap((tie) => {
    const found = projection.descend(shifted(parametric, tie), parametric.start, () => true, steps)
    return found === undefined ? [] : [found.numbers]
  })
}
