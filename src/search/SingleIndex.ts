import * as GaussNewton from "../numeric/GaussNewton.ts"
import { dot, outside } from "../numeric/orthogonal.ts"
import { centred, type LogSlopes, weighted, type WeightedFit } from "./LogSlopes.ts"
import { nearest } from "./PowerProduct.ts"
import { pow } from "../numeric/Power.ts"

/** A response that is a product of powers times a function of one product of powers, u. */
export interface SingleIndex {
  /** The powers in the factor, multiples of 1/2. One base of u has none: the function takes its power over. */
  readonly factor: Float64Array
  /** the powers in u, multiples of 1/2, the largest 1 in magnitude */
  readonly index: Float64Array
}

/** Powers of u farther than this from multiples of 1/2 are none. */
const near = 0.2
/** Rounded powers fit as well as free ones, and one index as well as all products, up to this factor of the sum of squares. */
const worse = 1.5
/** Powers of the polynomial F beside the first, and points of b at most. */
const [degrees, steps] = [[2, 3, 4, 5], 12] as const
/** The share of the sum of squares that a step must gain. */
const tolerance = 1e-4
/** A column with less than this share of its square outside of the span of others lies in it: b and its multiples fit equally. */
const dependent = 1e-16

/** The fit of a'l + F(s) at s = b'l. */
interface Fit extends WeightedFit {
  readonly s: Float64Array
  /** 1, l, and the powers of s */
  readonly columns: ReadonlyArray<Float64Array>
}

/** The part of a column outside of orthogonal directions of length 1; zeros where it lies in their span. */
const free = (column: Float64Array, span: ReadonlyArray<Float64Array>): Float64Array => {
  const least = dependent * dot(column, column)
  const left = outside(column.slice(), span)
  return dot(left, left) > least ? left : left.fill(0)
}

/** Orthogonal directions of length 1 with the span of columns. */
const spanOf = (columns: ReadonlyArray<Float64Array>): ReadonlyArray<Float64Array> => {
  const span: Array<Float64Array> = []
  for (const column of columns) {
    const left = free(column, span)
    const length = Math.sqrt(dot(left, left))
    if (length > 0) span.push(left.map((value) => value / length))
  }
  return span
}

/** The direction in which a symmetric matrix bends most: the eigenvector of its largest eigenvalue in magnitude. */
const mostBent = (matrix: ReadonlyArray<Float64Array>): Float64Array => {
  const times = (vector: Float64Array): Float64Array => Float64Array.from(matrix, (row) => dot(row, vector))
  let vector = Float64Array.from(matrix, (row) => dot(row, row))
  for (let i = 0; i < 200; i++) {
    // Eigenvalues of either sign converge by the square of the matrix.
    const next = times(times(vector))
    const length = Math.sqrt(dot(next, next))
    if (!(length > 0)) break
    vector = next.map((value) => value / length)
  }
  return vector
}

/**
 * The single index of a response in logarithms,
 *
 *     t = a'l + F(b'l)
 *
 * (a partially linear single-index model; Carroll et al. 1997). F is a polynomial while b is fitted, by variable projection, from the
 * direction in which t bends most.
 *
 * @param logs l: columns of length n
 * @param t length n
 * @param fit `LogSlopes.of` l and t
 * @returns undefined where one index explains less than all products, powers of u are no multiples of 1/2, or u is one base
 */
export const of = (
  logs: ReadonlyArray<Float64Array>,
  t: Float64Array,
  { bends, weights, rss: least }: LogSlopes,
): SingleIndex | undefined => {
  const [n, d] = [t.length, logs.length]
  const around = logs.map(centred)
  const ones = new Float64Array(n).fill(1)
  const fit = (b: Float64Array): Fit => {
    const s = new Float64Array(n)
    around.forEach((column, j) => {
      for (let i = 0; i < n; i++) s[i]! += b[j]! * column[i]!
    })
    const columns = [ones, ...around, ...degrees.map((p) => s.map((value) => pow(value, p)))]
    return { s, columns, ...weighted(columns, t, weights) }
  }
  const start = mostBent(bends)
  if (!start.every(Number.isFinite)) return undefined
  const by = (column: Float64Array): Float64Array => column.map((value, i) => value * weights[i]!)
  const found = GaussNewton.minimise<Fit>(
    {
      at: (b) => {
        const there = fit(b)
        return Number.isFinite(there.rss) ? there : undefined
      },
      loss: ({ rss }) => rss,
      model: ({ s, columns, coefficients, residual }) => {
        const slope = s.map((value) =>
          degrees.reduce((sum, p, k) => sum + p * coefficients[1 + d + k]! * pow(value, p - 1), 0),
        )
        // The coefficients follow b: only the derivatives outside of the span of the columns change the fit (Kaufman 1975).
        const span = spanOf(columns.map(by))
        const moved = around.map((column) => by(column.map((value, i) => value * slope[i]!)))
        return GaussNewton.linearised(
          moved.map((column) => free(column, span)),
          by(residual),
        )
      },
    },
    start,
    { most: steps, enough: ({ rss }) => tolerance * rss },
  )
  if (found === undefined) return undefined
  const here = found.point
  const b = found.x
  const most = b.reduce((best, value, j) => (Math.abs(value) > Math.abs(b[best]!) ? j : best), 0)
  const ratios = b.map((value) => value / b[most]!)
  const index = ratios.map(nearest)
  if (!ratios.every((value, j) => Math.abs(value - index[j]!) <= near)) return undefined
  if (index.filter((power) => power !== 0).length < 2) return undefined
  const rounded = fit(index)
  // Free powers may fit to rounding: what is much better than the quadratic fit needs no comparison.
  if (!(rounded.rss <= worse * Math.min(least, Math.max(here.rss, least / 4)))) return undefined
  const slopes = rounded.coefficients.subarray(1, 1 + d)
  return { factor: slopes.map((slope, j) => nearest(slope - slopes[most]! * index[j]!)), index }
}
