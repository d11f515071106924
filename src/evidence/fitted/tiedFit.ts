import * as Cholesky from "../../numeric/cholesky.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { dot } from "../../numeric/orthogonal.ts"
import { derivatives } from "./derivatives.ts"
import type { Dual, ParametricTrees } from "./ParametricTrees.ts"

/**
 * A law without an intercept of its own: y = b_1 (f_1(x, c) + ratio) + b_2 f_2(x, c) + ..., the tree of the ratio first in
 * `tree`. Ratio 0 is a law through the origin of the terms, ratio -1 one such as b (1 - exp(-c x)).
 */
interface Tie {
  readonly tree: number
  readonly ratio: -1 | 0 | 1
}

/** Standard errors by which the free fit may be away from a tie that is tried. */
const credible = 5

/** The weighted columns of a tie, and their derivatives by the constants at given coefficients. */
const columnsOf = (
  duals: ReadonlyArray<Dual>,
  { tree, ratio }: Tie,
  weights: Float64Array,
): ReadonlyArray<Float64Array> =>
  duals.map(({ values }, k) =>
    k === tree && ratio !== 0 ? values.map((value, i) => value + ratio * weights[i]!) : values,
  )

interface Point {
  readonly rss: number
  readonly residual: Float64Array
  readonly moved: ReadonlyArray<Float64Array>
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
  const dualsAt = (numbers: Float64Array): ReadonlyArray<Dual> =>
    parametric.duals(numbers).map(({ values, slopes }) => ({
      values: weighted(values),
      slopes: slopes.map((slope) => slope && weighted(slope)),
    }))
  const free = dualsAt(parametric.start)
  const { coefficients, residual } = leastSquares([weights, ...free.map(({ values }) => values)], target)
  const slopes = derivatives(count, free, coefficients.subarray(1))
  const design = [weights, ...free.map(({ values }) => values), ...slopes]
  const freedom = weights.filter((weight) => weight > 0).length - design.length
  if (!design.every((column) => column.every(Number.isFinite)) || freedom < 1) return []
  const sigma = Math.sqrt(dot(residual, residual) / freedom)
  const errorOf = standardError(design)
  const possible = ({ tree, ratio }: Tie): boolean => {
    const along = new Float64Array(design.length)
    along[0] = 1
    if (ratio !== 0) along[tree + 1] = -ratio
    const distance = coefficients[0]! - ratio * coefficients[tree + 1]!
    return !(Math.abs(distance) > credible * sigma * errorOf(along))
  }
  const ties: ReadonlyArray<Tie> = [
    { tree: 0, ratio: 0 },
    ...free.flatMap((_, tree): ReadonlyArray<Tie> => [
      { tree, ratio: -1 },
      { tree, ratio: 1 },
    ]),
  ]
  return ties.filter(possible).flatMap((tie) => {
    const at = (numbers: Float64Array): Point | undefined => {
      const duals = dualsAt(numbers)
      const columns = columnsOf(duals, tie, weights)
      if (!columns.every((column) => column.every(Number.isFinite))) return undefined
      const fit = leastSquares(columns, target)
      const moved = derivatives(count, duals, fit.coefficients).map(
        (slope) => leastSquares(columns, slope).residual,
      )
      return moved.every((column) => column.every(Number.isFinite)) ? { ...fit, moved } : undefined
    }
    const found = GaussNewton.minimise<Point>(
      {
        at,
        loss: ({ rss }) => rss,
        model: ({ moved, residual: left }) =>
          GaussNewton.normalEquations(
            Float64Array.from(moved, (column) => dot(column, left)),
            Float64Array.from(moved.flatMap((a) => moved.map((b) => dot(a, b)))),
          ),
      },
      parametric.start,
      { most: 40, damping: 1e-3, enough: ({ rss }) => 1e-9 * rss },
    )
    return found === undefined ? [] : [found.x]
  })
}

/** The standard error of a combination of least-squares coefficients, in units of sigma; infinite where it is not determined. */
const standardError = (design: ReadonlyArray<Float64Array>): ((along: Float64Array) => number) => {
  const lengths = design.map((column) => Math.sqrt(dot(column, column)))
  if (lengths.some((length) => !(length > 0))) return () => Infinity
  const gram = Float64Array.from(
    design.flatMap((a, j) => design.map((b, k) => dot(a, b) / (lengths[j]! * lengths[k]!))),
  )
  const cholesky = Cholesky.make(design.length)
  Cholesky.decompose(gram, cholesky)
  return (along) => {
    const scaled = along.map((value, j) => value / lengths[j]!)
    const solved = new Float64Array(along.length)
    Cholesky.solve(cholesky, scaled, solved)
    return Math.sqrt(dot(scaled, solved))
  }
}
