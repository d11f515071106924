import { leastSquares } from "./leastSquares.ts"
import { type Back, back, type Response } from "./response.ts"

/** A law y = h(b_0 + sum_k b_k t_k) fitted on the scale of y. */
export interface ResponseFit {
  /** b, intercept first, on the scale of the link; 0 for columns that add nothing to the span of the others */
  readonly coefficients: Float64Array
  /** sum (y - h(...))^2, in squared units of y */
  readonly rss: number
  /** the number of linearly independent directions beside the intercept's */
  readonly rank: number
  /** What the columns are centred by: their means with weights h'^2, so that h' (t - centre) is orthogonal to h'. */
  readonly centres: Float64Array
}

/** Where Gauss and Newton's steps end: a gain of this fraction of the sum of squares is none. */
const settled = 1e-13

/** No weight of a start is larger than so many times the median: one row is never all. */
const heaviest = 20

/** Steps, and halvings of a step. Laws that fit take three or four; a law that does not fit needs no better answer. */
const [most, halvings] = [25, 12]

/**
 * Nonlinear least squares by Gauss and Newton's steps with halving, from the better one of two starts: least squares of
 * g(y) with weights 1 / g'(y)^2, which is the first step from eta = g(y), and without weights. Rows on which the link is
 * not defined take no part in the starts.
 *
 * @param columns t_1 ... t_K, each of length n, finite
 * @returns undefined when h is not finite on every row at either start
 */
export const fit = (
  response: Response,
  y: Float64Array,
  columns: ReadonlyArray<Float64Array>,
): ResponseFit | undefined => {
  const way = back(response)
  const ones = new Float64Array(y.length).fill(1)
  const design = [ones, ...columns]
  const weights = response.slopes.map((slope) => 1 / Math.abs(slope))
  const usual = heaviest * median(weights)
  const starts = [
    weights.map((weight) => Math.min(weight, usual)),
    weights.map((weight) => (weight > 0 ? 1 : 0)),
  ].map((by) => {
    const { coefficients } = leastSquares(
      design.map((column) => times(column, by)),
      times(response.values, by),
    )
    return at(way, design, y, coefficients)
  })
  let current = starts.reduce((best, start) =>
    start.rss < best.rss || Number.isNaN(best.rss) ? start : best,
  )
  if (!Number.isFinite(current.rss)) return undefined
  for (let step = 0; step < most; step++) {
    const { coefficients: change } = leastSquares(
      design.map((column) => times(column, current.slopes)),
      current.residual,
    )
    const next = shorten(way, design, y, current, change)
    if (next === undefined) break
    const gain = current.rss - next.rss
    current = next
    if (gain <= settled * current.rss) break
  }
  const { slopes, coefficients, rss } = current
  const { rank } = leastSquares(
    design.map((column) => times(column, slopes)),
    current.residual,
  )
  return { coefficients, rss, rank: Math.max(0, rank - 1), centres: centresOf(columns, slopes) }
}

const median = (values: Float64Array): number => values.toSorted()[values.length >> 1] ?? 0

/** A point of the search: coefficients, and what follows from them. */
interface Point {
  readonly coefficients: Float64Array
  readonly residual: Float64Array
  /** h' */
  readonly slopes: Float64Array
  readonly rss: number
}

const at = (
  way: Back,
  design: ReadonlyArray<Float64Array>,
  y: Float64Array,
  coefficients: Float64Array,
): Point => {
  const residual = new Float64Array(y.length)
  const slopes = new Float64Array(y.length)
  way.run(combine(design, coefficients), residual, slopes)
  let rss = 0
  for (let i = 0; i < y.length; i++) {
    residual[i] = y[i]! - residual[i]!
    rss += residual[i]! ** 2
  }
  // A slope that overflows spoils the next step as a value does.
  return { coefficients, residual, slopes, rss: slopes.every(Number.isFinite) ? rss : Number.NaN }
}

/** The first of the step and its halves that lowers the sum of squares. */
const shorten = (
  way: Back,
  design: ReadonlyArray<Float64Array>,
  y: Float64Array,
  from: Point,
  change: Float64Array,
): Point | undefined => {
  for (let length = 1; length > 2 ** -halvings; length /= 2) {
    const next = at(
      way,
      design,
      y,
      from.coefficients.map((value, k) => value + length * change[k]!),
    )
    if (next.rss < from.rss) return next
  }
  return undefined
}

/** The sum of columns times coefficients, length n. */
export const combine = (
  design: ReadonlyArray<Float64Array>,
  coefficients: ArrayLike<number>,
): Float64Array => {
  const out = new Float64Array(design[0]!.length)
  design.forEach((column, k) => {
    const factor = coefficients[k]!
    if (factor !== 0) for (let i = 0; i < out.length; i++) out[i]! += factor * column[i]!
  })
  return out
}

const times = (column: Float64Array, by: Float64Array): Float64Array =>
  column.map((value, i) => value * by[i]!)

const centresOf = (columns: ReadonlyArray<Float64Array>, slopes: Float64Array): Float64Array => {
  const weight = slopes.reduce((sum, slope) => sum + slope * slope, 0)
  return Float64Array.from(columns, (column) =>
    weight > 0 ? column.reduce((sum, value, i) => sum + value * slopes[i]! ** 2, 0) / weight : 0,
  )
}
