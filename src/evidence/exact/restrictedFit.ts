import type { Target } from "../gPrior.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { orthogonalise } from "../../numeric/orthogonal.ts"
import { combine, type Point, problem, type Regression, times } from "../responseFit.ts"
import type * as Restricted from "./restricted.ts"

/** A fit of t in b = b* + B t. */
export interface Fit {
  readonly t: Float64Array
  /** sum (y - h(D b))^2 */
  readonly rss: number
  /** h', length n; undefined for h(z) = z */
  readonly slopes: Float64Array | undefined
}

/**
 * Least squares under a restriction by damped Gauss-Newton steps, from an initial t close to the optimum.
 *
 * @returns undefined where the law or its slope is not finite on every row at the start
 */
export const refit = (
  { design, ...regression }: Regression,
  { offset, basis }: Restricted.Restriction,
  start: Float64Array,
): Fit | undefined => {
  const within = {
    ...regression,
    offset: combine(design, offset),
    design: basis.map((column) => combine(design, column)),
  }
  const rule = { most: 40, enough: ({ rss }: Point) => 1e-20 * rss }
  const found = GaussNewton.minimise(problem(within), start, rule)
  return found && { t: found.x, rss: found.point.rss, slopes: found.point.slopes }
}

/** The free model over a maximal set of independent columns. */
export interface Free {
  readonly geometry: Restricted.Geometry
  /** indices of the independent columns of the design, in order; the other columns lie in their span */
  readonly kept: ReadonlyArray<number>
  readonly fit: Fit
}

/**
 * Least squares of the free model, and the triangular factor of its design, linearised at the optimum. Columns in the
 * span of others are left out.
 *
 * @param start coefficients of all columns, close to the optimum where the model is not linear
 * @returns undefined when the law is not finite on every row
 */
export const free = (regression: Regression, target: Target, start: Float64Array): Free | undefined => {
  const { design } = regression
  const first = problem(regression).at(start)
  if (first === undefined) return undefined
  const before = orthogonalise(
    design.map((column) => times(column, first.slopes)),
    first.residual,
  )
  const kept = before.pivots.slice(0, before.rank).toSorted((a, b) => a - b)
  if (kept[0] !== 0) return undefined
  const within = { ...regression, design: kept.map((k) => design[k]!) }
  const unit = kept.map((_, k) => Float64Array.from(kept, (__, j) => (j === k ? 1 : 0)))
  const everything = { offset: new Float64Array(kept.length), basis: unit }
  const guess = Float64Array.from(kept, (k) => start[k]!)
  const fit = refit(
    within,
    everything,
    kept.length === design.length ? guess : project(within, design, start),
  )
  if (fit === undefined) return undefined
  const linearised = within.design.map((column) => times(column, fit.slopes))
  const { pivots, rank, triangle, scale } = orthogonalise(linearised, new Float64Array(regression.y.length))
  const d = kept.length
  if (rank < d || pivots[0] !== 0) return undefined
  const design2 = kept.map((_, k) => Float64Array.from(kept, (__, row) => triangle[row * d + k]! / scale[k]!))
  const centred = Float64Array.from({ length: d - 1 }, (_, row) =>
    design2.reduce((sum, column, k) => sum + column[row + 1]! * fit.t[k]!, 0),
  )
  const explained = centred.reduce((sum, value) => sum + value * value, 0)
  const scaleOf = explained > 0 ? Math.max(0, target.tss - fit.rss) / explained : 1
  return {
    geometry: { design: design2, estimate: fit.t, rss: fit.rss, scale: regression.way ? scaleOf : 1 },
    kept,
    fit,
  }
}

/** Coefficients of the independent columns that give the same values of z. */
const project = (
  { design }: Regression,
  all: ReadonlyArray<Float64Array>,
  start: Float64Array,
): Float64Array => leastSquares(design, combine(all, start)).coefficients
