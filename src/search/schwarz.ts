import * as Likelihood from "../evidence/Likelihood.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import * as Real from "../numeric/Real.ts"

/** A sum of squares below this share of that around the mean is rounding: the evidence does not tell smaller ones apart either. */
const rounding = Likelihood.defaultResolution ** 2

/**
 * The criterion of Schwarz (1978) of fits to a response, n log (rss / n) + k log n: the least is the best. Fits that leave no more than rounding are told
 * apart by their numbers alone.
 *
 * @param y the response times the weights, length n
 * @param w the weights
 *
 * @returns the criterion by the sum of squares of a fit, and how many numbers it has
 */
export const schwarz = (y: Float64Array, w: Float64Array): ((rss: number, numbers: number) => number) => {
  const n = y.length
  const { rss: tss } = leastSquares([w], y)
  return (rss, numbers) => n * Real.log((rss + rounding * tss) / n) + Real.log(n) * numbers
}
