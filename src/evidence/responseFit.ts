import * as Cholesky from "../numeric/cholesky.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import { dot } from "../numeric/orthogonal.ts"
import { type Back, back, type Response } from "./response.ts"

/** A law y = h(b_0 + sum_k b_k t_k) fitted on the scale of y. */
export interface ResponseFit {
  /** sum (y - h(...))^2 at the minimum, in squared units of y; right to 1e-9 of itself */
  readonly rss: number
  /** the number of linearly independent directions beside the intercept's */
  readonly rank: number
  /**
   * b, intercept first, on the scale of the link, at the minimum: fitted values are right to some 1e-10 of y, which takes
   * some steps more. Columns that add nothing to the span of the others may share a coefficient.
   */
  readonly coefficients: () => Float64Array
  /** Where `rss` was found: `coefficients` to fewer digits, y less the fit, and h', each of length n. */
  readonly point: Pick<Point, "coefficients" | "residual" | "slopes">
  /** What the columns are centred by: their means with weights h'^2, so that h' (t - centre) is orthogonal to h'. */
  readonly centres: () => Float64Array
}

/** Steps, and halvings of a step. Laws that fit take three or four; one that does not fit needs no better answer. */
const [most, halvings] = [25, 12]

/** No weight of a start is larger than so many times the median: one row is never all. */
const heaviest = 20

/** As of `Products`: normal equations with smaller pivots are left to orthogonalisation. */
const wellPosed = 1e-6

/**
 * Nonlinear least squares of one response by Gauss and Newton's steps with halving, from the better one of two starts:
 * least squares of g(y) with weights 1 / g'(y)^2, which is the first step from eta = g(y), and without weights. Rows on
 * which the link is not defined take no part in the starts. Steps come from normal equations, sums of squares from residuals,
 * so that cancellation slows a step and spoils no result.
 *
 * @returns a function of t_1 ... t_K, each of length n and finite; undefined when h is not finite on every row at
 *   either start
 */
export const fitter = (
  response: Response,
  y: Float64Array,
): ((columns: ReadonlyArray<Float64Array>) => ResponseFit | undefined) => {
  const way = back(response)
  const ones = new Float64Array(y.length).fill(1)
  const square = dot(y, y)
  const weights = response.slopes.map((slope) => 1 / Math.abs(slope))
  const usual = heaviest * (weights.toSorted()[weights.length >> 1] ?? 0)
  const starts = [
    weights.map((weight) => Math.min(weight, usual)),
    weights.map((weight) => (weight > 0 ? 1 : 0)),
  ].map((by) => ({ by, values: times(response.values, by) }))
  return (columns) => {
    const design = [ones, ...columns]
    let from: Point | undefined
    for (const { by, values } of starts) {
      const { solution } = solve(design, by, values)
      const start = at(way, design, y, solution)
      if (Number.isFinite(start.rss) && !(start.rss >= (from?.rss ?? Infinity))) from = start
    }
    if (from === undefined) return undefined
    const found = descend(way, design, y, from, ({ rss }) => 1e-9 * rss + 1e-28 * square)
    let polished: Point | undefined
    return {
      rss: found.rss,
      point: found,
      rank: Math.max(0, solve(design, found.slopes, found.residual).rank() - 1),
      coefficients: () => (polished ??= descend(way, design, y, found, () => 1e-22 * square)).coefficients,
      centres: () => centresOf(columns, found.slopes),
    }
  }
}

/** A point of the search: coefficients, and what follows from them. */
interface Point {
  readonly coefficients: Float64Array
  readonly residual: Float64Array
  /** h' */
  readonly slopes: Float64Array
  readonly rss: number
}

/** Steps until the next one is about to gain no more than `least`. */
const descend = (
  way: Back,
  design: ReadonlyArray<Float64Array>,
  y: Float64Array,
  start: Point,
  least: (point: Point) => number,
): Point => {
  let current = start
  for (let step = 0; step < most; step++) {
    const { solution, gain } = solve(design, current.slopes, current.residual)
    if (!(gain > least(current))) break
    const next = shorten(way, design, y, current, solution)
    if (next === undefined) break
    current = next
  }
  return current
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

/** Least squares of e on columns times a weight for each row, and by how much it lowers the sum of squares. */
interface Step {
  readonly solution: Float64Array
  readonly gain: number
  /** the number of linearly independent columns */
  readonly rank: () => number
}

const solve = (design: ReadonlyArray<Float64Array>, by: Float64Array, e: Float64Array): Step => {
  const size = design.length
  const a = new Float64Array(size * size)
  const c = new Float64Array(size)
  const weighted = design.map((column) => times(column, by))
  for (let j = 0; j < size; j++) {
    c[j] = dot(weighted[j]!, e)
    for (let k = 0; k <= j; k++) a[j * size + k] = dot(weighted[j]!, weighted[k]!)
  }
  const cholesky = Cholesky.make(size)
  Cholesky.decompose(a, cholesky)
  // A column of zeros makes a pivot NaN.
  const posed = design.every((_, k) => cholesky.factor[k * size + k]! ** 2 > wellPosed)
  if (!posed) {
    const { coefficients, rank, rss } = leastSquares(weighted, e)
    return { solution: coefficients, gain: dot(e, e) - rss, rank: () => rank }
  }
  const solution = new Float64Array(size)
  Cholesky.solve(cholesky, c, solution)
  return { solution, gain: dot(c, solution), rank: () => size }
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

const times = (column: Float64Array, by: Float64Array): Float64Array => {
  const out = new Float64Array(column.length)
  for (let i = 0; i < out.length; i++) out[i] = column[i]! * by[i]!
  return out
}

const centresOf = (columns: ReadonlyArray<Float64Array>, slopes: Float64Array): Float64Array => {
  const weight = dot(slopes, slopes)
  return Float64Array.from(columns, (column) => {
    if (!(weight > 0)) return 0
    const weighted = times(column, slopes)
    return dot(weighted, slopes) / weight
  })
}
