import { dot } from "../numeric/orthogonal.ts"
import { centred, type LogSlopes, weighted } from "./LogSlopes.ts"
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
/** Powers of the polynomial F beside the first, and Gauss-Newton steps at most. */
const [degrees, steps] = [[2, 3, 4, 5], 12] as const
/** Shares of a step that are tried, and the share of the sum of squares that a step is worth. */
const [shares, worth] = [[1, 0.5, 0.25, 0.125], 1e-4] as const

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
 * (a partially linear single-index model; Carroll et al. 1997). F is a polynomial while b is fitted by Gauss-Newton steps from the
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
  const fit = (b: Float64Array) => {
    const s = new Float64Array(n)
    around.forEach((column, j) => {
      for (let i = 0; i < n; i++) s[i]! += b[j]! * column[i]!
    })
    const columns = [ones, ...around, ...degrees.map((p) => s.map((value) => pow(value, p)))]
    return { b, s, columns, ...weighted(columns, t, weights) }
  }
  const start = mostBent(bends)
  if (!start.every(Number.isFinite)) return undefined
  let here = fit(start)
  for (let step = 0; step < steps; step++) {
    const { b, s, columns, coefficients, rss } = here
    const slope = s.map((value) =>
      degrees.reduce((sum, p, k) => sum + p * coefficients[1 + d + k]! * pow(value, p - 1), 0),
    )
    const moved = around.map((column) => column.map((value, i) => value * slope[i]!))
    const change = weighted([...columns, ...moved], t, weights).coefficients.subarray(columns.length)
    const next = shares
      .map((share) => fit(b.map((value, j) => value + share * change[j]!)))
      .find((tried) => tried.rss < rss)
    if (next === undefined) break
    here = next
    if (rss - next.rss < worth * rss) break
  }
  const { b } = here
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
