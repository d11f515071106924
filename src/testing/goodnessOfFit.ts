import { gammaQ } from "../numeric/Special.ts"
import * as Real from "../numeric/Real.ts"

/**
 * The result of a test of draws against a distribution. *When to use*: in tests of samplers, with a fixed seed, a
 * declared failure rate such as `pValue > 1e-4`, and a second test that a slightly wrong distribution fails.
 * `kolmogorovSmirnov` is for continuous distributions, `chiSquare` for counts.
 */
export interface GoodnessOfFit {
  /** The distance from the expected distribution, in the unit of the test. */
  readonly statistic: number
  /** The probability of a distance at least as large for draws from the distribution; 0 when a draw is NaN. */
  readonly pValue: number
}

const MISFIT: GoodnessOfFit = { statistic: Infinity, pValue: 0 }

/**
 * The one-sample Kolmogorov-Smirnov test of draws (any order, at least 5) from a continuous distribution.
 *
 * The statistic is sup |empirical cdf - cdf|. The p-value is Kolmogorov's limit with Stephens's correction for finite
 * samples, accurate to 1e-3 from 10 draws on (Stephens, JRSS B 32, 1970).
 */
export const kolmogorovSmirnov = (draws: ArrayLike<number>, cdf: (x: number) => number): GoodnessOfFit => {
  const n = requireCount(draws.length, 5)
  const sorted = Float64Array.from(draws).sort()
  let statistic = 0
  for (const [i, x] of sorted.entries()) {
    const f = cdf(x)
    if (Number.isNaN(f)) return MISFIT
    statistic = Math.max(statistic, (i + 1) / n - f, f - i / n)
  }
  return { statistic, pValue: kolmogorovTail(statistic, n) }
}

/** The two-sample Kolmogorov-Smirnov test: whether two sets of draws, at least 5 each, have the same distribution. */
export const kolmogorovSmirnovTwoSample = (a: ArrayLike<number>, b: ArrayLike<number>): GoodnessOfFit => {
  const m = requireCount(a.length, 5)
  const n = requireCount(b.length, 5)
  const first = Float64Array.from(a).sort()
  const second = Float64Array.from(b).sort()
  // NaN sorts to the end.
  if (Number.isNaN(first.at(-1)) || Number.isNaN(second.at(-1))) return MISFIT
  let i = 0
  let j = 0
  let statistic = 0
  while (i < m && j < n) {
    const x = Math.min(first[i] ?? Infinity, second[j] ?? Infinity)
    // Steps over tied draws together: equal samples have distance 0.
    while (i < m && first[i] === x) i += 1
    while (j < n && second[j] === x) j += 1
    statistic = Math.max(statistic, Math.abs(i / m - j / n))
  }
  return { statistic, pValue: kolmogorovTail(statistic, (m * n) / (m + n)) }
}

/**
 * Pearson's chi-square test of counts against probabilities that sum to 1, with one degree of freedom less than the
 * number of cells. Cells of probability 0 must be empty. Expected counts should be 5 or more: merge rare cells before.
 */
export const chiSquare = (counts: ArrayLike<number>, probabilities: ArrayLike<number>): GoodnessOfFit => {
  const observed = Array.from(counts)
  const total = requireCount(
    observed.reduce((sum, count) => sum + count, 0),
    1,
  )
  let statistic = 0
  let cells = 0
  for (const [k, count] of observed.entries()) {
    const expected = total * (probabilities[k] ?? 0)
    if (expected > 0) {
      statistic += (count - expected) ** 2 / expected
      cells += 1
    } else if (count > 0) return MISFIT
  }
  // A single cell has probability 1: there is no deviation.
  return { statistic, pValue: cells === 1 ? 1 : gammaQ((cells - 1) / 2, statistic / 2) }
}

const requireCount = (n: number, least: number): number => {
  if (!(n >= least)) throw new RangeError(`goodnessOfFit: needs at least ${least} draws, got ${n}`)
  return n
}

/** P(sup |empirical cdf - cdf| > d) for n draws. */
const kolmogorovTail = (d: number, n: number): number => {
  const root = Math.sqrt(n)
  const x = (root + 0.12 + 0.11 / root) * d
  if (x < 0.2) return 1
  // Two series of the same function: each converges in a few terms on its side.
  let sum = 0
  if (x < 1.18) {
    for (let k = 1; k < 20; k += 2) sum += Real.exp((-(k * k) * Math.PI * Math.PI) / (8 * x * x))
    return 1 - (Math.sqrt(2 * Math.PI) / x) * sum
  }
  for (let k = 1; k < 20; k++) sum += (k % 2 === 1 ? 2 : -2) * Real.exp(-2 * k * k * x * x)
  return Math.min(Math.max(sum, 0), 1)
}
