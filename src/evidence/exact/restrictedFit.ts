import type { Target } from "../gPrior.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { orthogonalise } from "../../numeric/orthogonal.ts"
import type { Back } from "../response.ts"
import { combine } from "../responseFit.ts"
import type * as Restricted from "./restricted.ts"

/** y = h(D b) on rows of data. */
export interface Regression {
  /** length n */
  readonly y: Float64Array
  /** h and h'; undefined for h(z) = z */
  readonly way: Back | undefined
  /** d columns of length n, finite; the intercept's, all ones, first */
  readonly design: ReadonlyArray<Float64Array>
}

/** A fit of t in b = b* + B t. */
export interface Fit {
  readonly t: Float64Array
  /** sum (y - h(D b))^2; NaN where the law or its slope is not finite on every row */
  readonly rss: number
}

interface Point extends Fit {
  readonly residual: Float64Array
  readonly slopes: Float64Array | undefined
}

const evaluate = (
  { y, way }: Regression,
  offset: Float64Array,
  columns: ReadonlyArray<Float64Array>,
  t: Float64Array,
): Point => {
  const z = columns.length === 0 ? offset : combine([offset, ...columns], [1, ...t])
  const slopes = way && new Float64Array(y.length)
  const value = way === undefined ? z : new Float64Array(y.length)
  if (slopes) way.run(z, value, slopes)
  const residual = y.map((observed, i) => observed - value[i]!)
  const finite = slopes === undefined || slopes.every(Number.isFinite)
  const rss = residual.reduce((sum, one) => sum + one * one, 0)
  return { t, rss: finite ? rss : Number.NaN, residual, slopes }
}

const times = (column: Float64Array, by: Float64Array | undefined): Float64Array =>
  by === undefined ? column : column.map((value, i) => value * by[i]!)

/** A gain of less than this fraction of the sum of squares ends the steps; so do so many of them. */
const [settled, most, halvings] = [1e-12, 15, 12]

/** Least squares under a restriction by Gauss and Newton's steps, from a t that is close already. */
export const refit = (
  regression: Regression,
  { offset, basis }: Restricted.Restriction,
  start: Float64Array,
): Fit => {
  const { design } = regression
  const fixed = combine(design, offset)
  const columns = basis.map((column) => combine(design, column))
  let current = evaluate(regression, fixed, columns, start)
  if (columns.length === 0) return current
  for (let step = 0; step < most && !Number.isNaN(current.rss); step++) {
    const { residual, slopes } = current
    const { coefficients } = leastSquares(
      columns.map((column) => times(column, slopes)),
      residual,
    )
    let next: Point | undefined
    for (let length = 1; length > 2 ** -halvings && next === undefined; length /= 2) {
      const point = evaluate(
        regression,
        fixed,
        columns,
        current.t.map((value, j) => value + length * coefficients[j]!),
      )
      if (point.rss < current.rss) next = point
    }
    if (next === undefined) break
    const gain = current.rss - next.rss
    current = next
    if (gain <= settled * current.rss) break
  }
  return current
}

/** The free model, and the columns that have a place in it. */
export interface Free {
  readonly geometry: Restricted.Geometry
  /** which columns of the design are kept, in order; the others lie in the span of these */
  readonly kept: ReadonlyArray<number>
  readonly fit: Fit
}

/**
 * Least squares of the free model and its design's triangle, linearised there. Columns inside the span of others are
 * left out.
 *
 * @param start coefficients of all columns, close to the optimum where the model is not linear
 * @returns undefined when the law is not finite on every row
 */
export const free = (regression: Regression, target: Target, start: Float64Array): Free | undefined => {
  const { design } = regression
  const first = evaluate(regression, new Float64Array(regression.y.length), design, start)
  if (Number.isNaN(first.rss)) return undefined
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
  if (Number.isNaN(fit.rss)) return undefined
  const { slopes } = evaluate(within, new Float64Array(regression.y.length), within.design, fit.t)
  const linearised = within.design.map((column) => times(column, slopes))
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

/** Coefficients of fewer columns that give the same values of z. */
const project = (
  { design }: Regression,
  all: ReadonlyArray<Float64Array>,
  start: Float64Array,
): Float64Array => leastSquares(design, combine(all, start)).coefficients
