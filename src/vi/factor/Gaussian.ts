import type { WeightedDraws } from "../../prob/Factor.ts"
import { fill } from "./Initial.ts"

/** The location and the logarithm of the scale of each element. */
type Parameters = ReadonlyArray<ArrayLike<number>>

/** The log density of draws of N(loc, exp(logScale)^2), summed over the elements that are not NaN. */
export const logDensity = ([loc, logScale]: Parameters, values: ArrayLike<number>): Float64Array => {
  const { length } = loc!
  return fill(values.length / length, (draw) => {
    let log = 0
    for (let i = 0; i < length; i++) {
      const value = values[draw * length + i]!
      if (Number.isNaN(value)) continue
      const z = (value - loc![i]!) / Math.exp(logScale![i]!)
      log -= 0.5 * (z * z + Math.log(2 * Math.PI)) + logScale![i]!
    }
    return log
  })
}

/** The smallest scale, relative to the largest absolute number. */
const narrowest = 1e-6

/**
 * The mean and the standard deviation of (1 - rate) N(loc, exp(logScale)^2) + rate p^, element by element: those of the
 * nearest normal distribution.
 */
export const moved = (
  [loc, logScale]: Parameters,
  { values, weights }: WeightedDraws,
  rate: number,
): ReadonlyArray<Float64Array> => {
  const { length } = loc!
  const means = Float64Array.from(loc!)
  const logScales = Float64Array.from(logScale!)
  for (let i = 0; i < length; i++) {
    const each: Array<readonly [value: number, weight: number]> = []
    for (let draw = 0; draw < weights.length; draw++) {
      const value = values[draw * length + i]!
      if (!Number.isNaN(value)) each.push([value, rate * weights[draw]!])
    }
    const own = 1 - rate
    const total = each.reduce((sum, [, weight]) => sum + weight, own)
    if (total === 0) continue
    const mean = each.reduce((sum, [value, weight]) => sum + weight * value, own * loc![i]!) / total
    const within = own * (Math.exp(2 * logScale![i]!) + (loc![i]! - mean) ** 2)
    const variance = each.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 2, within) / total
    const largest = each.reduce((most, [value]) => Math.max(most, Math.abs(value)), 1e-100)
    means[i] = mean
    logScales[i] = Math.log(Math.max(Math.sqrt(variance), narrowest * largest))
  }
  return [means, logScales]
}
