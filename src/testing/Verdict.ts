import * as Real from "../numeric/Real.ts"

export interface Verdict {
  /** the law in words */
  readonly law: string
  readonly holds: boolean
  /** the figures: the distribution's number, and the number to which it was compared */
  readonly detail: string
}

/** The largest difference from an integral, relative to the integral's scale. */
export const TOLERANCE = 1e-4

/** A figure against an integral, in units of a scale. */
export const near = (law: string, found: number, expected: number, scale: number): Verdict => ({
  law,
  holds: Math.abs(found - expected) <= TOLERANCE * scale,
  detail: `${found}, by integration ${expected}`,
})

/** A goodness of fit against the declared failure rate. */
export const fits = (law: string, pValue: number, rate: number): Verdict => ({
  law,
  holds: pValue > rate,
  detail: `p = ${pValue}`,
})

/** The mean of draws against its expected value, by a two-sided p-value of the normal approximation. */
export const meanOf = (law: string, values: Float64Array, expected: number, rate: number): Verdict => {
  const n = values.length
  const mean = values.reduce((sum, v) => sum + v, 0) / n
  const error = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1) / n)
  // 2 exp(-z^2 / 2) bounds the normal tail from above.
  const reach = Math.sqrt(2 * Real.log(2 / rate)) * error + 1e-9 * (1 + Math.abs(expected))
  return {
    law,
    holds: Math.abs(mean - expected) <= reach,
    detail: `${expected}, from draws ${mean} with a standard error of ${error}`,
  }
}
