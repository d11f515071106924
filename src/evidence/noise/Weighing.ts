import type { Fit } from "../fitted/gPriorFit.ts"
import type { ResponseFit } from "../responseFit.ts"
import type { Back, Response } from "../response.ts"
import type * as GPrior from "../gPrior.ts"
import * as Real from "../../numeric/Real.ts"

/**
 * Rows with weights, so that noise of any kind is normal noise of one scale: residuals are by_i (T(y_i) - T(mu_i)), with T the identity
 * or the logarithm of the magnitude. The closed form of the evidence (`GPrior`) holds for them. It is plain data.
 */
export interface Weighing {
  /** index of the kind of noise in `Noise.kinds` */
  readonly kind: number
  /** the rows that are not wrong, ascending, from 0 */
  readonly rows: Int32Array
  /** the weight of each of `rows`, above 0 */
  readonly by: Float64Array
  readonly logarithms: boolean
  /** the number of `rows` */
  readonly count: number
  /**
   * What the log density of the weighted values lacks to be a log density of y, in nats: Jacobians, the density of wrong rows and
   * the prior of the set of them, and the tails of noise that is not normal
   */
  readonly logDensity: number
}

/** Where the fit of a law begins. */
export interface Start {
  /** the law's values on all rows, length n */
  readonly mean: Float64Array
  readonly fit: { readonly point: Pick<ResponseFit["point"], "coefficients"> }
}

/** Entries of a column on some rows. */
export const pick = (column: Float64Array, rows: Int32Array): Float64Array => {
  if (column.length === rows.length) return column
  const out = new Float64Array(rows.length)
  for (let i = 0; i < out.length; i++) out[i] = column[rows[i]!]!
  return out
}

/** The weights of n rows: 0 of those that are wrong, and 1 of each where there is no weighing. */
export const ofAllRows = (weighing: Pick<Weighing, "rows" | "by"> | undefined, n: number): Float64Array => {
  if (weighing === undefined) return new Float64Array(n).fill(1)
  const weights = new Float64Array(n)
  weighing.rows.forEach((row, i) => (weights[row] = weighing.by[i]!))
  return weights
}

/** A response of weighted rows, for a fit on the scale of a link. */
export interface Weighed {
  /** g(y) and the slopes of g by the weighted response, on `rows` */
  readonly response: Response
  /** the way from z to the weighted response, on `rows` */
  readonly way: Back
}

/** The weighted response by_i T(y_i), on `rows`. */
export const values = ({ rows, by, logarithms }: Weighing, y: Float64Array): Float64Array => {
  const out = new Float64Array(rows.length)
  for (let i = 0; i < out.length; i++) {
    const value = y[rows[i]!]!
    out[i] = by[i]! * (logarithms ? Real.log(Math.abs(value)) : value)
  }
  return out
}

/** A response under a weighing. Where a link is not defined, so it stays. */
export const apply = (weighing: Weighing, response: Response, y: Float64Array, way: Back): Weighed => {
  const { rows, by, logarithms } = weighing
  const slopes = new Float64Array(rows.length)
  for (let i = 0; i < slopes.length; i++) {
    const slope = response.slopes[rows[i]!]!
    slopes[i] = logarithms ? (slope * Math.abs(y[rows[i]!]!)) / by[i]! : slope / by[i]!
  }
  return {
    response: { ...response, values: pick(response.values, rows), slopes },
    way: wayOf(weighing, y, way),
  }
}

/** The way from z to the weighted response, on `rows`; values of the law of another sign than y have no logarithm. */
export const wayOf = ({ rows, by, logarithms }: Weighing, y: Float64Array, way: Back): Back => ({
  run: (z, values, derivatives) => {
    way.run(z, values, derivatives)
    for (let i = 0; i < by.length; i++) {
      if (logarithms) {
        const value = values[i]!
        derivatives[i] = derivatives[i]! / value
        values[i] = Math.sign(value) === Math.sign(y[rows[i]!]!) ? Real.log(Math.abs(value)) : Number.NaN
      }
      values[i] = values[i]! * by[i]!
      derivatives[i] = derivatives[i]! * by[i]!
    }
  },
})

/** The fit of the weighted intercept alone: weighted values less this times the weights are around it. */
const interceptOf = (by: Float64Array, y: Float64Array): number => {
  let [mass, sum] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    mass += by[i]! ** 2
    sum += by[i]! * y[i]!
  }
  return sum / mass
}

/** The number of rows that share the sum of squares of weighted values: (sum d^2)^2 / sum d^4; 0 where there is none. */
export const effectiveRows = ({ by }: Pick<Weighing, "by">, y: Float64Array): number => {
  const mean = interceptOf(by, y)
  let largest = 0
  for (let i = 0; i < y.length; i++) largest = Math.max(largest, Math.abs(y[i]! - mean * by[i]!))
  let [squares, fourths] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    const square = ((y[i]! - mean * by[i]!) / largest) ** 2
    squares += square
    fourths += square * square
  }
  return largest > 0 ? squares ** 2 / fourths : 0
}

/**
 * The target of weighted values: sums of squares around the fit of the weighted intercept.
 *
 * @param least a lower bound of the sum of squares by rounding, in the unit of weighted values
 */
export const target = (
  { by, count }: Pick<Weighing, "by" | "count">,
  y: Float64Array,
  prior: { readonly a: number; readonly resolution: number },
  least = 0,
): GPrior.Target => {
  const mean = interceptOf(by, y)
  let tss = 0
  for (let i = 0; i < y.length; i++) tss += (y[i]! - mean * by[i]!) ** 2
  const rounding = Math.max(least, Math.max(prior.resolution, Number.EPSILON) ** 2 * tss)
  return { rows: count, tss, rounding, a: prior.a }
}

/** The fit of some rows as one of all rows, of which the others have no weight. */
export const spread = (fit: ResponseFit | undefined, { rows }: Weighing, n: number): Fit | undefined => {
  if (fit === undefined) return undefined
  const { coefficients, residual, slopes } = fit.point
  const all = (some: Float64Array): Float64Array => {
    if (some.length === n) return some
    const out = new Float64Array(n)
    rows.forEach((row, i) => (out[row] = some[i]!))
    return out
  }
  return { coefficients, rank: fit.rank, residual: all(residual), rss: fit.rss, slopes: all(slopes) }
}
