import { logBeta } from "../../numeric/Special.ts"
import { orderStatistic } from "../../numeric/orderStatistic.ts"
import * as Real from "../../numeric/Real.ts"
import type { WrongRows } from "../Noise.ts"

/** The largest share of rows that may be wrong: a law that most rows contradict is no law. */
const most = 0.2

/** The distribution of wrong rows among given responses. */
export interface Wrongness {
  /** log density of the response of each row if the row is wrong, length n, in nats */
  readonly logDensity: Float64Array
  /** log prior of one given set of k wrong rows */
  readonly logPrior: (k: number) => number
  /** log odds of a row being wrong, given that k of the others are */
  readonly logOdds: (k: number) => number
  /** the largest number of wrong rows */
  readonly most: number
  /** Rows far outside of the middle of y: a first guess, which a law has to confirm. Indices from 0. */
  readonly suspects: ReadonlyArray<number>
}

/** The value below which a share of the numbers lies. */
const quantile = (values: Float64Array, share: number): number =>
  orderStatistic(values, Math.min(values.length - 1, Math.floor(share * values.length)))

export const median = (values: Float64Array): number => {
  const middle = values.length >> 1
  const upper = orderStatistic(values, middle)
  return values.length % 2 === 1 ? upper : (orderStatistic(values, middle - 1) + upper) / 2
}

/** The median absolute deviation of a standard normal. */
const normalMad = 0.6745

/** The standard deviation of normal residuals on some rows, by their median magnitude; 0 where it is not finite. */
export const spread = (residuals: Float64Array, rows: Int32Array): number => {
  const sizes = new Float64Array(rows.length)
  for (let k = 0; k < sizes.length; k++) sizes[k] = Math.abs(residuals[rows[k]!]!)
  const value = median(sizes) / normalMad
  return Number.isFinite(value) ? value : 0
}

/** How many times the distance between the quantiles of 5 and 95 % a suspect lies outside of these. */
const far = 5

/** @param y the response, length n */
export const make = ({ probability, share: [a, b] }: WrongRows, y: Float64Array): Wrongness => {
  const n = y.length
  const centre = median(y)
  const distances = y.map((value) => Math.abs(value - centre))
  // Where most values are equal their mean distance is the scale.
  const scale = median(distances) || distances.reduce((sum, value) => sum + value, 0) / n || 1
  const [low, high] = [quantile(y, 0.05), quantile(y, 0.95)]
  const reach = far * (high - low)
  const outside: Array<number> = []
  for (let i = 0; i < n; i++) if (y[i]! < low - reach || y[i]! > high + reach) outside.push(i)
  const limit = Math.floor(most * n)
  // Given that there are wrong rows, none of them being wrong has no probability.
  const logSome = Real.log(probability) - Real.log1p(-Real.exp(logBeta(a, b + n) - logBeta(a, b)))
  return {
    logDensity: distances.map(
      (distance) => -Real.log(Math.PI * scale) - 2 * Real.log(Real.hypot(1, distance / scale)),
    ),
    logPrior: (k) =>
      k === 0 ? Real.log1p(-probability) : logSome + logBeta(a + k, b + n - k) - logBeta(a, b),
    logOdds: (k) =>
      k === 0
        ? logSome + logBeta(a + 1, b + n - 1) - logBeta(a, b) - Real.log1p(-probability)
        : Real.log((a + k) / (b + n - 1 - k)),
    most: limit,
    suspects: reach > 0 && outside.length <= limit ? outside : [],
  }
}
