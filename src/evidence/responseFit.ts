import { orderStatistic } from "../numeric/orderStatistic.ts"
import * as Real from "../numeric/Real.ts"
import { once } from "../internal/once.ts"
import * as GaussNewton from "../numeric/GaussNewton.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import { dot, orthogonalise } from "../numeric/orthogonal.ts"
import { type Back, back, type Response } from "./response.ts"
import { allFinite } from "../numeric/finite.ts"

/** A law y = h(b_0 + sum_k b_k t_k) fitted on the scale of y. */
export interface ResponseFit {
  /** sum (y - h(...))^2 at the minimum, in squared units of y; right to 1e-9 of itself */
  readonly rss: number
  /** the number of linearly independent directions beside the intercept's */
  readonly rank: number
  /**
   * b at the minimum, intercept first, on the scale of the link. Fitted values have errors of about 1e-10 of y, for which
   * the call takes further steps. The coefficients of linearly dependent columns are not unique.
   */
  readonly coefficients: () => Float64Array
  /** The point with `rss`: coefficients with fewer digits; y minus the fit and h', length n each. */
  readonly point: Pick<Point, "coefficients" | "residual"> & { readonly slopes: Float64Array }
  /** The means of the columns with weights h'^2, so that h' (t - centre) is orthogonal to h'. */
  readonly centres: () => Float64Array
}

/** The largest number of steps of a fit. Laws that fit take three or four; a law that does not fit needs no accurate optimum. */
const most = 60

/** Shares of the way from an initial point outside of the domain of h to a law inside. */
const shares = [0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.6, 0.9]

/** The largest weight of a row at the initial point, as a multiple of the median weight, so that no row dominates. */
const heaviest = 20

/** A nonlinear regression y = h(z), z = offset + D b, on rows of data. */
export interface Regression {
  /** length n */
  readonly y: Float64Array
  /** h and h'; undefined for h(z) = z */
  readonly way: Back | undefined
  /** columns of length n, finite */
  readonly design: ReadonlyArray<Float64Array>
  /** length n; zeros if left out */
  readonly offset?: Float64Array
}

export interface Point {
  readonly coefficients: Float64Array
  /** y - h(z), length n */
  readonly residual: Float64Array
  /** h'(z), length n; undefined for h(z) = z */
  readonly slopes: Float64Array | undefined
  /** the sum of squares of the residual, finite */
  readonly rss: number
}

/** Columns times h'. */
export const times = (column: Float64Array, by: Float64Array | undefined): Float64Array => {
  if (by === undefined) return column
  const out = new Float64Array(column.length)
  for (let i = 0; i < out.length; i++) out[i] = column[i]! * by[i]!
  return out
}

/** Least squares of a regression as a problem of its coefficients; there is no point where the law or h' is not finite. */
export const problem = ({ y, way, design, offset }: Regression): GaussNewton.Problem<Point> => ({
  at: (coefficients) => {
    const z =
      offset === undefined
        ? combine(design, coefficients)
        : combine([offset, ...design], [1, ...coefficients])
    const slopes = way && new Float64Array(y.length)
    const value = way === undefined ? z : new Float64Array(y.length)
    if (slopes) way?.run(z, value, slopes)
    const residual = new Float64Array(y.length)
    let rss = 0
    for (let i = 0; i < y.length; i++) {
      residual[i] = y[i]! - value[i]!
      rss += residual[i]! ** 2
    }
    // A slope that overflows makes the next step undefined, as a value that overflows does.
    const finite = Number.isFinite(rss) && (slopes === undefined || allFinite(slopes))
    return finite ? { coefficients, residual, slopes, rss } : undefined
  },
  loss: ({ rss }) => rss,
  model: (point) => linearised({ design }, point),
})

/** A regression linearised at a point. */
const linearised = (
  { design }: Pick<Regression, "design">,
  { slopes, residual }: Point,
): GaussNewton.Linearised =>
  GaussNewton.linearised(
    design.map((column) => times(column, slopes)),
    residual,
  )

/**
 * Nonlinear least squares of one response by damped Gauss-Newton steps. There are two initial points, of which the better
 * one is used: least squares of g(y) with weights 1 / g'(y)^2, which is the first step from eta = g(y), and least squares
 * without weights. Rows on which the link is not defined are left out of the initial points. An initial point outside of the
 * domain of h on some row is moved towards the law that is the mean of g(y) on all rows, which is inside, by the least share
 * of the way in `shares`; steps then stay inside.
 *
 * @param way h and h', the inverse of the link by default
 * @returns a function of t_1 ... t_K, each of length n and finite, of an initial point that is used where the law is finite there,
 *   and of the relative accuracy of `rss`, 1e-9 by default; undefined when h is not finite on every row anywhere between
 *   either initial point and the mean
 */
export const fitter = (
  response: Response,
  y: Float64Array,
  way: Back = back(response),
): ((
  columns: ReadonlyArray<Float64Array>,
  start?: Float64Array,
  accuracy?: number,
) => ResponseFit | undefined) => {
  const ones = new Float64Array(y.length).fill(1)
  const square = dot(y, y)
  /** A value of z that h is defined for: the mean of g(y). */
  const inside = once(() => {
    const own = response.values.filter((_, i) => Number.isFinite(response.slopes[i]))
    return own.reduce((sum, value) => sum + value / own.length, 0)
  })
  const starts = once(() => {
    const weights = response.slopes.map((slope) => 1 / Math.abs(slope))
    const usual = heaviest * orderStatistic(weights, weights.length >> 1)
    return [
      weights.map((weight) => Math.min(weight, usual)),
      weights.map((weight) => (weight > 0 ? 1 : 0)),
    ].map((by) => ({ by, values: times(response.values, by) }))
  })
  return (columns, start, accuracy = 1e-9) => {
    const regression = { y, way, design: [ones, ...columns] }
    const ours = problem(regression)
    let from = start && ours.at(start)
    for (const { by, values } of from === undefined ? starts() : []) {
      const weighted = regression.design.map((column) => times(column, by))
      const outer = GaussNewton.linearised(weighted, values).step(0).change
      let first: Point | undefined
      for (const share of shares) {
        first = ours.at(outer.map((value, k) => (1 - share) * value + (k === 0 ? share * inside() : 0)))
        if (first !== undefined) break
      }
      if (first !== undefined && !(first.rss >= (from?.rss ?? Infinity))) from = first
    }
    if (from === undefined) return undefined
    const descend = (start: Point, enough: (point: Point, left: number) => number): Point => {
      const at = (x: Float64Array): Point | undefined => (x === start.coefficients ? start : ours.at(x))
      return GaussNewton.minimise({ ...ours, at }, start.coefficients, { most, enough })?.point ?? start
    }
    // A law that is worse than 0 matters to nobody: it is left where such steps would not bring it there.
    const hopeless = (rss: number, left: number): number => (rss - square) / left
    const found = descend(from, ({ rss }, left) =>
      Math.max(accuracy * rss + 1e-28 * square, hopeless(rss, left)),
    )
    const slopes = found.slopes ?? ones
    return {
      rss: found.rss,
      point: { ...found, slopes },
      rank: Math.max(0, linearised(regression, found).rank() - 1),
      coefficients: once(() => descend(found, () => 1e-22 * square).coefficients),
      centres: () => centresOf(columns, slopes),
    }
  }
}

/**
 * Least squares of a response that is linear in the coefficients, with weights.
 *
 * @param y the weighted response, length n
 * @param by the weights, length n
 */
export const weightedLine = (
  y: Float64Array,
  by: Float64Array,
  columns: ReadonlyArray<Float64Array>,
): ResponseFit => {
  const design = [by, ...columns.map((column) => times(column, by))]
  const { rss, rank, coefficients, residual } = leastSquares(design, y)
  return {
    rss,
    rank: Math.max(0, rank - 1),
    coefficients: () => coefficients,
    point: { coefficients, residual, slopes: by },
    centres: () => centresOf(columns, by),
  }
}

/**
 * A regression on d + 2 rows with the same sums of squares, up to rounding, as one of n rows on d columns that is linear: the triangle of
 * its columns (Gram and Schmidt), the projection of y, and the length of the residual.
 */
export const condensed = (design: ReadonlyArray<Float64Array>, y: Float64Array): Regression => {
  const d = design.length
  const { triangle, projection, scale, outside, rank } = orthogonalise(design, y)
  const few = Float64Array.from({ length: d + 2 }, (_, row) => (row < rank ? projection[row]! : 0))
  few[rank] = Math.sqrt(outside)
  return {
    y: few,
    way: undefined,
    design: design.map((_, k) =>
      Float64Array.from({ length: d + 2 }, (__, row) =>
        row < rank ? triangle[row * d + k]! / scale[k]! : 0,
      ),
    ),
  }
}

/** The sum of columns times coefficients, length n. */
export const combine = (
  design: ReadonlyArray<Float64Array>,
  coefficients: ArrayLike<number>,
): Float64Array => {
  const out = new Float64Array(design[0]!.length)
  for (let k = 0; k < design.length; k++) {
    const [column, factor] = [design[k]!, coefficients[k]!]
    if (factor !== 0) for (let i = 0; i < out.length; i++) out[i]! += factor * column[i]!
  }
  return out
}

/** The means of columns with weights slopes^2, which may be beyond the largest number: in units of a power of two they lose no digit. */
const centresOf = (columns: ReadonlyArray<Float64Array>, slopes: Float64Array): Float64Array => {
  const largest = slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0)
  if (!(largest > 0)) return new Float64Array(columns.length)
  const unit = 2 ** -Math.max(-1000, Math.min(1000, Math.floor(Real.log2(largest))))
  const by = slopes.map((slope) => slope * unit)
  const weight = dot(by, by)
  return Float64Array.from(columns, (column) => dot(times(column, by), by) / weight)
}
