import { lgamma } from "../../numeric/Special.ts"
import * as Real from "../../numeric/Real.ts"

/**
 * Student's t noise as normal noise with a weight for each row: the expected precision of the normal mixture, given its residual
 * (Lange, Little and Taylor 1989).
 *
 * @param sigma the scale of the t distribution
 */
export const weights = (residuals: Float64Array, degrees: number, sigma: number): Float64Array => {
  const out = new Float64Array(residuals.length)
  for (let i = 0; i < out.length; i++) out[i] = weight(residuals[i]!, degrees, sigma)
  return out
}

const weight = (residual: number, degrees: number, sigma: number): number =>
  (degrees + 1) / (degrees + (residual / sigma) ** 2)

/**
 * The sum of the log densities of Student's t residuals on some rows, in nats.
 *
 * @param rounding the square of each residual by the rounding of the data, which is added to it
 */
export const logDensity = (
  residuals: Float64Array,
  rows: Int32Array,
  degrees: number,
  sigma: number,
  rounding = 0,
): number => {
  const constant =
    lgamma((degrees + 1) / 2) - lgamma(degrees / 2) - 0.5 * Real.log(degrees * Math.PI) - Real.log(sigma)
  let sum = 0
  for (const i of rows)
    sum += constant - ((degrees + 1) / 2) * Real.log1p((residuals[i]! ** 2 + rounding) / sigma ** 2 / degrees)
  return sum
}

/**
 * By how much the posterior of coefficients and log sigma is wider, in nats of its volume, than that of weighted normal noise: the Fisher
 * information of a location is (nu + 1) / (nu + 3) in place of the mean weight 1, and that of log sigma 2 nu / (nu + 3) in place of 2.
 */
export const logVolume = (degrees: number, coefficients: number): number =>
  (coefficients / 2) * Real.log((degrees + 3) / (degrees + 1)) + 0.5 * Real.log((degrees + 3) / degrees)

/** The log likelihood of normal residuals at its maximum over sigma, in nats. */
export const normalHeight = (count: number, rss: number): number =>
  -(count / 2) * (Real.log((2 * Math.PI * rss) / count) + 1)

/**
 * By how much Student's t noise raises the log likelihood of residuals at most, without another fit of the law: a law whose
 * residuals have no tails has them under no other coefficients.
 *
 * @param residuals of the rows that count
 */
export const gain = (residuals: Float64Array, degrees: number): number => {
  const n = residuals.length
  const rows = Int32Array.from(residuals.keys())
  let sum = 0
  for (const value of residuals) sum += value * value
  if (!(sum > 0 && sum < Infinity)) return 0
  let sigma = Math.sqrt(sum / n)
  for (let k = 0; k < 20; k++) {
    let weighted = 0
    for (const value of residuals) weighted += weight(value, degrees, sigma) * value ** 2
    sigma = Math.sqrt(weighted / n)
  }
  return logDensity(residuals, rows, degrees, sigma) - normalHeight(n, sum)
}
