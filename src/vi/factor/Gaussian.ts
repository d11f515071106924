import type { Algebra } from "../../numeric/Algebra.ts"
import { exp } from "../../numeric/Elementary.ts"
import { product } from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import * as Normal from "../../prob/dist/Normal.ts"
import type { Factor, FactorSite, Moments, ParameterSlot, WeightedDraws } from "../../prob/Factor.ts"
import type { Support } from "../../prob/Support.ts"
import * as Rng from "../../random/Rng.ts"
import { divergence, drawOf, logPrior } from "./divergence.ts"
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
      const z = (value - loc![i]!) / Real.exp(logScale![i]!)
      log -= 0.5 * (z * z + Real.log(2 * Math.PI)) + logScale![i]!
    }
    return log
  })
}

/** The derivatives of the weighted sum of `logDensity` by the location and the logarithm of the scale. */
const score = (
  [loc, logScale]: Parameters,
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
): ReadonlyArray<Float64Array> => {
  const { length } = loc!
  const slopes = [new Float64Array(length), new Float64Array(length)] as const
  for (let draw = 0; draw < weights.length; draw++)
    for (let i = 0; i < length; i++) {
      const value = values[draw * length + i]!
      if (Number.isNaN(value)) continue
      const sd = Real.exp(logScale![i]!)
      const z = (value - loc![i]!) / sd
      slopes[0][i]! += (weights[draw]! * z) / sd
      slopes[1][i]! += weights[draw]! * (z * z - 1)
    }
  return slopes
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
    const within = own * (Real.exp(2 * logScale![i]!) + (loc![i]! - mean) ** 2)
    const variance = each.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 2, within) / total
    const largest = each.reduce((most, [value]) => Math.max(most, Math.abs(value)), 1e-100)
    means[i] = mean
    logScales[i] = Real.log(Math.max(Math.sqrt(variance), narrowest * largest))
  }
  return [means, logScales]
}

/** A number x = x(z), x increasing, z ~ N(loc, exp(logScale)^2). */
export interface Definition<S extends Support> {
  /** as in `Factor` */
  readonly name: string
  readonly support: S
  readonly initial: Readonly<Record<"loc" | "logScale", ParameterSlot["initialise"]>>
  /** x(z); z itself if left out */
  readonly place?: (<T>(A: Algebra<T>, z: T) => T) | undefined
  /** x(z), its inverse, and log dx/dz, in float64 */
  readonly to: (z: number) => number
  readonly from: (x: number) => number
  readonly logSlope: (z: number) => number
  /** log dx/dz over an algebra; 0 if left out */
  readonly slope?: (<T>(A: Algebra<T>, z: T) => T) | undefined
  /** E[log dx/dz]; 0 if left out */
  readonly stretch?: (<T>(A: Algebra<T>, q: Normal.Parameters<T>) => T) | undefined
  readonly moments: <T>(A: Algebra<T>, q: Normal.Parameters<T>) => Moments<T>
}

/** The factor of such a number, for each element of a site. */
export const factor = <S extends Support>(
  site: FactorSite,
  { name, support, initial, place = (_, z) => z, to, from, logSlope, slope, stretch, moments }: Definition<S>,
): Factor<S> & Required<Pick<Factor<S>, "project">> => {
  const { shape } = site
  const length = product(shape)
  const q = <T>(A: Algebra<T>, [loc, logScale]: ReadonlyArray<T>): Normal.Parameters<T> =>
    // The factor has these two parameters. `!` does not apply: `T` may include undefined.
    ({ mean: loc as T, sd: A.unary.exp(logScale as T) })
  return {
    name,
    support,
    parameters: [
      { name: "loc", shape, initialise: initial.loc },
      { name: "logScale", shape, initialise: initial.logScale },
    ],
    noise: [{ kind: "normal", shape }],
    draw: (A, parameters, [noise]) => place(A, Normal.draw(A)(noise!, q(A, parameters))),
    moments: (A, parameters) => moments(A, q(A, parameters)),
    divergence: (A, constant, parameters, parent, draws) => {
      const own = q(A, parameters)
      const entropy = Normal.entropy(A)(own)
      return divergence<typeof entropy>(
        site,
        { A, constant, parent, draws },
        {
          moments: moments(A, own),
          entropy: stretch === undefined ? entropy : A.binary.add(entropy, stretch(A, own)),
        },
      )
    },
    drawnDivergence: (A, constant, parameters, [noise], parent, draws) => {
      const own = q(A, parameters)
      const { sub, mul } = A.binary
      const half = A.literal(-0.5)
      // The log density of a draw by its noise: -(z^2 + log 2 pi) / 2 - log sd - log dx/dz
      const standard = mul(half, A.binary.add(A.unary.square(noise!), A.literal(Real.log(2 * Math.PI))))
      const plain = sub(standard, A.unary.log(own.sd))
      const log = slope === undefined ? plain : sub(plain, slope(A, Normal.draw(A)(noise!, own)))
      return sub(log, logPrior(site, { A, constant, parent, draws }, drawOf(site, draws)))
    },
    sample: (key, [loc, logScale], count) =>
      Rng.normal(key, new Float64Array(count * length)).map((noise, i) =>
        to(loc![i % length]! + exp(logScale![i % length]!) * noise),
      ),
    logDensity: (parameters, values) => {
      const z = Float64Array.from(values, from)
      return logDensity(parameters, z).map((log, draw) => {
        for (let i = draw * length; i < (draw + 1) * length; i++)
          if (!Number.isNaN(z[i])) log -= logSlope(z[i]!)
        return log
      })
    },
    score: (parameters, values, weights) => score(parameters, Float64Array.from(values, from), weights),
    project: (parameters, { values, weights }, rate) =>
      moved(parameters, { values: Float64Array.from(values, from), weights }, rate),
  }
}
