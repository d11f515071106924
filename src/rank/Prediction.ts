import { columnOf } from "../expr/columnOf.ts"
import * as FittedLaws from "../evidence/fitted/FittedLaw.ts"
import { standardNormal } from "../numeric/quadrature.ts"
import * as Student from "../numeric/Student.ts"
import * as Real from "../numeric/Real.ts"

/** The ends of an interval on every row, length m. */
export interface Interval {
  readonly low: Float64Array
  readonly high: Float64Array
}

/** Intervals that hold a share of the probability, with equal shares below and above. */
export interface Band {
  /** in (0, 1) */
  readonly level: number
  /** of the law's value: the uncertainty of its numbers, and of which law it is */
  readonly credible: Interval
  /** of a new response: that of the value, and the noise */
  readonly predictive: Interval
}

/** Predictions on m rows, averaged over laws. NaN on rows where no law is defined. */
export interface Prediction {
  /** the mean of the laws' values by their probabilities; for noise on logarithms that of medians */
  readonly mean: Float64Array
  readonly bands: ReadonlyArray<Band>
}

/** A law and its posterior probability, up to a common factor. */
export interface Weighted {
  readonly law: FittedLaws.FittedLaw
  readonly probability: number
}

export interface Rows {
  readonly features: ReadonlyArray<string>
  /** one column for each feature, length m */
  readonly columns: ReadonlyArray<Float64Array>
  /** m */
  readonly count: number
  /** the known standard error of the response on each row, where the noise was fitted with such; 1 if left out */
  readonly errors?: Float64Array | undefined
}

/** Laws beyond this share of the probability, and beyond this number, are left out. */
const [share, most] = [1 - 1e-4, 50]

/** The most probable laws that hold nearly all of the probability. */
export const leading = <A extends { readonly probability: number }>(
  laws: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  const sorted = laws
    .filter(({ probability }) => probability > 0)
    .sort((a, b) => b.probability - a.probability)
  const total = sorted.reduce((sum, { probability }) => sum + probability, 0)
  let held = 0
  return sorted.slice(0, most).filter(({ probability }) => {
    const needed = held < share * total
    held += probability
    return needed
  })
}

/** A distribution of one number: its distribution function, and its quantile, or one near it where that has no closed form. */
interface Distribution {
  readonly cdf: (value: number) => number
  readonly quantile: (level: number) => number
  readonly closed: boolean
}

/** location + scale t_degrees; of a number of a sign, on the scale of the logarithm of its magnitude. */
const student = (
  location: number,
  scale: number,
  degrees: number,
  logarithms: boolean,
  quantileOf: (level: number, degrees: number) => number,
): Distribution => {
  const cdf = (value: number): number =>
    scale > 0 ? Student.cdf((value - location) / scale, degrees) : value < location ? 0 : 1
  const quantile = (level: number): number => location + scale * quantileOf(level, degrees)
  if (!logarithms) return { cdf, quantile, closed: true }
  const sign = Math.sign(location)
  const spread = scale / Math.abs(location)
  const log = Real.log(Math.abs(location))
  return {
    cdf: (value) => {
      if (!(value * sign > 0)) return sign > 0 ? 0 : 1
      const below = Student.cdf((Real.log(value * sign) - log) / spread, degrees)
      return sign > 0 ? below : 1 - below
    },
    quantile: (level) => sign * Real.exp(log + spread * quantileOf(sign > 0 ? level : 1 - level, degrees)),
    closed: true,
  }
}

const nodes = standardNormal(0.4, 15)

/** Heavy-tailed noise around a value that is uncertain. */
const convolved = (
  location: number,
  spread: number,
  scale: number,
  degrees: number,
  quantileOf: (level: number, degrees: number) => number,
): Distribution => ({
  cdf: (value) =>
    nodes.reduce(
      (sum, { node, weight }) =>
        sum + weight * Student.cdf((value - location - spread * node) / scale, degrees),
      0,
    ),
  quantile: (level) => location + Real.hypot(scale, spread) * quantileOf(level, degrees),
  closed: false,
})

/** Ends of a search for a quantile agree to this share of their distance from the first. */
const accuracy = 1e-9

/** The quantile of a mixture: the number below which its probability is the level; shares sum to 1. */
const mixed = (
  parts: ReadonlyArray<{ readonly share: number; readonly of: Distribution }>,
  level: number,
): number => {
  const cdf = (value: number): number => parts.reduce((sum, part) => sum + part.share * part.of.cdf(value), 0)
  const each = parts.map(({ of }) => of.quantile(level))
  if (parts.length === 1 && parts[0]!.of.closed) return each[0]!
  let [low, high] = [Math.min(...each), Math.max(...each)]
  const width = Math.max(high - low, Math.abs(parts[0]!.of.quantile(0.75) - parts[0]!.of.quantile(0.25)))
  if (!(width > 0)) return low
  for (let reach = width / 1024; cdf(low) > level; reach *= 2) low -= reach
  for (let reach = width / 1024; cdf(high) < level; reach *= 2) high += reach
  while (high - low > accuracy * width) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) break
    if (cdf(middle) < level) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Predictions with bands, averaged over laws by their probabilities. The numbers of each law have a Student distribution by its
 * linearisation, and the noise is of its kind. Bands are quantiles of the mixture of all laws, not averages of quantiles: two laws that
 * disagree give a band over both. Rows where a law is not defined are predicted by the others.
 *
 * *When to use*: for intervals beside predictions. The bands are about the laws that were found: they do not know of others.
 *
 * @param levels each in (0, 1)
 * @throws RangeError when a law reads a feature that is not there
 */
export const make = (
  laws: ReadonlyArray<Weighted>,
  { features, columns, count, errors }: Rows,
  levels: ReadonlyArray<number>,
): Prediction => {
  const known = new Map<string, number>()
  const quantileOf = (level: number, degrees: number): number => {
    const key = `${level} ${degrees}`
    const found = known.get(key) ?? Student.quantile(level, degrees)
    known.set(key, found)
    return found
  }
  const parts = leading(laws).map(({ law, probability }) => {
    const { mean, slopes } = FittedLaws.rows(law, features, columns, count)
    const scales = columnOf(law.noise.deviation, ["mu"], [mean], count)
    return { law, probability, mean, slopes, scales }
  })
  const empty = (): Interval => ({
    low: new Float64Array(count).fill(Number.NaN),
    high: new Float64Array(count).fill(Number.NaN),
  })
  const bands = levels.map((level) => ({ level, credible: empty(), predictive: empty() }))
  const mean = new Float64Array(count).fill(Number.NaN)
  for (let i = 0; i < count; i++) {
    const here = parts.flatMap((part) => {
      const { law, probability, slopes, scales } = part
      const location = part.mean[i]!
      const spread = deviation(law, slopes, i)
      if (!Number.isFinite(location) || !Number.isFinite(spread)) return []
      const { noise, freedom, sigma } = law
      const logarithms = noise.residual === "logarithm" && location !== 0
      const size = logarithms ? Math.abs(location) : 1
      const own = sigma * scales[i]! * size * (errors?.[i] ?? 1)
      return [
        {
          probability,
          location,
          value: student(location, spread, freedom, logarithms, quantileOf),
          response:
            noise.degrees === undefined
              ? student(location, Real.hypot(spread, own), freedom, logarithms, quantileOf)
              : convolved(location, spread, own, noise.degrees, quantileOf),
        },
      ]
    })
    const total = here.reduce((sum, { probability }) => sum + probability, 0)
    if (!(total > 0)) continue
    mean[i] = here.reduce((sum, { probability, location }) => sum + (probability / total) * location, 0)
    const values = here.map(({ probability, value: of }) => ({ share: probability / total, of }))
    const responses = here.map(({ probability, response: of }) => ({ share: probability / total, of }))
    for (const { level, credible, predictive } of bands) {
      const below = (1 - level) / 2
      credible.low[i] = mixed(values, below)
      credible.high[i] = mixed(values, 1 - below)
      predictive.low[i] = mixed(responses, below)
      predictive.high[i] = mixed(responses, 1 - below)
    }
  }
  return { mean, bands }
}

/**
 * The log density of new responses under a law, of each row, in nats: that of the distribution whose quantiles are its predictive bands. Minus infinity
 * where the law is not defined, or noise on logarithms excludes the sign.
 *
 * @param y the responses, length m
 * @throws RangeError when the law reads a feature that is not there
 */
export const logDensity = (
  law: FittedLaws.FittedLaw,
  { features, columns, count, errors }: Rows,
  y: ArrayLike<number>,
): Float64Array => {
  const { noise, freedom, sigma } = law
  const { mean, slopes } = FittedLaws.rows(law, features, columns, count)
  const scales = columnOf(noise.deviation, ["mu"], [mean], count)
  return mean.map((location, i) => {
    const spread = deviation(law, slopes, i)
    const own = sigma * scales[i]! * (errors?.[i] ?? 1)
    const value = y[i]!
    if (!Number.isFinite(location) || !Number.isFinite(spread)) return -Infinity
    if (noise.degrees !== undefined) {
      const { degrees } = noise
      const at = (node: number): number =>
        Real.exp(Student.logDensity((value - location - spread * node) / own, degrees)) / own
      return Real.log(nodes.reduce((sum, { node, weight }) => sum + weight * at(node), 0))
    }
    const logarithms = noise.residual === "logarithm" && location !== 0
    if (logarithms && !(value / location > 0)) return -Infinity
    const scale = Real.hypot(logarithms ? spread / Math.abs(location) : spread, own)
    const residual = logarithms ? Real.log(value / location) : value - location
    return (
      Student.logDensity(residual / scale, freedom) -
      Real.log(scale) -
      (logarithms ? Real.log(Math.abs(value)) : 0)
    )
  })
}

/** The standard deviation of a law's value on a row: the root of g'Cg, g the derivatives by its numbers. */
const deviation = (
  { covariance, names }: FittedLaws.FittedLaw,
  slopes: ReadonlyArray<Float64Array>,
  row: number,
): number => {
  const count = names.length
  let variance = 0
  for (let j = 0; j < count; j++)
    for (let k = 0; k < count; k++)
      variance += slopes[j]![row]! * covariance[j * count + k]! * slopes[k]![row]!
  return Math.sqrt(Math.max(0, variance))
}
