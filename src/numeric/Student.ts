import { betaI, lgamma } from "./Special.ts"
import * as Real from "./Real.ts"

/** The probability that a Student t number of some degrees of freedom, > 0, is at most t. */
export const cdf = (t: number, degrees: number): number => {
  if (Number.isNaN(t)) return Number.NaN
  const tail = betaI(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
  return t > 0 ? 1 - tail : tail
}

/** The log density of a Student t number of some degrees of freedom, > 0. */
export const logDensity = (t: number, degrees: number): number =>
  lgamma((degrees + 1) / 2) -
  lgamma(degrees / 2) -
  Real.log(degrees * Math.PI) / 2 -
  ((degrees + 1) / 2) * Real.log1p((t * t) / degrees)

/** The number below which a Student t number lies with probability p, in (0, 1): by bisection, to 1e-13 of its size. */
export const quantile = (p: number, degrees: number): number => {
  if (p === 0.5) return 0
  if (p > 0.5) return -quantile(1 - p, degrees)
  let [low, high] = [-1, 0]
  while (cdf(low, degrees) > p) [low, high] = [2 * low, low]
  while (high - low > 1e-13 * -low) {
    const middle = (low + high) / 2
    if (cdf(middle, degrees) > p) high = middle
    else low = middle
    if (middle === low && middle === high) break
  }
  return (low + high) / 2
}
