import * as Dist from "../prob/Dist.ts"
import * as Rng from "../random/Rng.ts"
import * as Chart from "./Chart.ts"
import { chiSquare, kolmogorovSmirnov } from "./goodnessOfFit.ts"
import { symbolic } from "./symbolicLaws.ts"
import { fits, meanOf, near, TOLERANCE, type Verdict } from "./Verdict.ts"
import * as Real from "../numeric/Real.ts"

export type { Verdict } from "./Verdict.ts"

/** Options of `laws`. */
export interface Options {
  /** the seed of the draws; 1 by default */
  readonly seed?: number | undefined
  /** the number of draws: 20,000 by default, at least 1,000 */
  readonly draws?: number | undefined
  /** the probability, over seeds, that a law of draws fails for a right distribution; 1e-4 by default */
  readonly failureRate?: number | undefined
  /** another member of the family, for the divergence of the two */
  readonly other?: Dist.Dist | undefined
}

/**
 * The laws of distributions, shipped or your own. The density integrates to 1 and is 0 outside of its bounds; draws
 * follow the density; moments, entropy and divergence equal their integrals; derivatives equal differences; the
 * symbolic form equals the density; the cross entropy from moments equals the mean of -log p. Numbers are compared with
 * quadrature on the line, with sums over categories, and with means of draws for vectors. Functions that a distribution
 * leaves out have no law.
 *
 * *When to use*: in the tests of a distribution made with `Dist.make`. `GoodnessOfFit` tests a sampler alone.
 *
 * @returns a verdict on each law, for a test to assert: `laws(dist).filter(({ holds }) => !holds)` is empty
 *
 * @example
 * expect(laws(gumbel({ location: 1, scale: 2 })).filter(({ holds }) => !holds)).toEqual([])
 */
export const laws = (dist: Dist.Dist, options: Options = {}): ReadonlyArray<Verdict> => {
  const [chartKey, drawKey] = Rng.split(Rng.key(options.seed ?? 1), 2)
  const draws = Dist.sample(dist, drawKey, Math.max(1000, options.draws ?? 20_000))
  const rate = options.failureRate ?? 1e-4
  const own = Chart.isContinuous(dist)
    ? onTheLine(dist, Chart.make(dist, chartKey), draws, rate, options.other)
    : dist.support === "binary" || dist.support === "categorical"
      ? onCategories(dist, draws, rate, options.other)
      : onVectors(dist, draws, rate, options.other)
  return [...own, ...symbolic(dist, draws)]
}

const said = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value)

/** A figure that a distribution states, against the mean of a function of x; nothing where the distribution states none. */
type Against = (
  law: string,
  stated: number | undefined,
  f: (x: ReadonlyArray<number>) => number,
  scale?: number,
) => ReadonlyArray<Verdict>

/** Compares with integrals or sums, relative to a scale: by default 1 and the figure. */
const againstIntegrals =
  (expectation: (f: (x: number) => number) => number): Against =>
  (law, stated, f, scale) =>
    said(stated)
      ? [
          near(
            law,
            stated,
            expectation((x) => f([x])),
            scale ?? 1 + Math.abs(stated),
          ),
        ]
      : []

/** Mean and variance of each number of a draw. */
const moments = (dist: Dist.Dist, against: Against, width = 0): ReadonlyArray<Verdict> => {
  const [means, variances] = [dist.mean(), dist.variance()]
  return means.flatMap((mean, k) => {
    const element = means.length === 1 ? "" : `, element ${k}`
    return [
      ...against(`the mean is E[X]${element}`, mean, (x) => x[k]!, Math.abs(mean) + width),
      ...(said(mean)
        ? against(`the variance is Var[X]${element}`, variances[k], (x) => (x[k]! - mean) ** 2, variances[k])
        : []),
    ]
  })
}

/** Entropy, and the divergence from another member of the family. */
const entropies = (
  dist: Dist.Dist,
  other: Dist.Dist | undefined,
  against: Against,
): ReadonlyArray<Verdict> => [
  ...against("the entropy is -E[log p(X)]", dist.entropy?.(), (x) => -dist.logDensity(x)),
  ...(other === undefined
    ? []
    : against(
        "the divergence is E[log p(X) - log other(X)]",
        dist.kl?.(other),
        (x) => dist.logDensity(x) - other.logDensity(x),
      )),
]

const onTheLine = (
  dist: Dist.Dist<Chart.Interval>,
  { expectation, cdf, width }: Chart.Chart,
  draws: Float64Array,
  rate: number,
  other: Dist.Dist | undefined,
): ReadonlyArray<Verdict> => {
  const against = againstIntegrals(expectation)
  const log = dist.logMoments?.()
  return [
    ...against("the density integrates to 1", 1, () => 1, 1),
    fits("draws have the density", kolmogorovSmirnov(draws, cdf).pValue, rate),
    ...moments(dist, against, width),
    ...entropies(dist, other, against),
    ...against("E[log X] is its integral", log?.mean, ([x]) => Real.log(x!)),
    ...against("Var[log X] is its integral", log?.variance, ([x]) => (Real.log(x!) - log!.mean) ** 2),
    ...(dist.bounds === undefined ? [] : [outside(dist, dist.bounds)]),
    slopes(dist, draws),
  ]
}

const outside = (dist: Dist.Dist<Chart.Interval>, [low, high]: readonly [number, number]): Verdict => {
  const margin = 1e-6 * (high - low)
  const found = [low - margin, high + margin].map((x) => dist.logDensity([x]))
  return {
    law: "the density is 0 outside of the bounds",
    holds: found.every((log) => log === -Infinity),
    detail: found.join(", "),
  }
}

/** Derivatives against central differences at four quantiles of the draws, in units of their quartile distance. */
const slopes = (dist: Dist.Dist<Chart.Interval>, draws: Float64Array): Verdict => {
  const sorted = draws.slice().sort()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!
  const width = at(0.75) - at(0.25)
  const worst = [0.15, 0.35, 0.65, 0.85].map((share) => {
    const x = at(share)
    // A step that stays inside of supports that end nearby.
    const step =
      1e-4 *
      Math.min(width, dist.support === "real" ? width : Math.abs(x), dist.support === "unit" ? 1 - x : width)
    const { slope, curvature } = Dist.derivatives(dist, x)
    const [below, here, above] = [x - step, x, x + step].map((point) => dist.logDensity([point]))
    const first = (above! - below!) / (2 * step)
    const second = (above! - 2 * here! + below!) / (step * step)
    // Second differences lose half of the digits.
    const scale = Math.abs(first) + width * Math.abs(second) + 1 / width
    return Math.max(Math.abs(slope - first) / scale, (1e-2 * (width * Math.abs(curvature - second))) / scale)
  })
  return {
    law: "derivatives are those of the log density",
    holds: worst.every((gap) => gap <= TOLERANCE),
    detail: `relative to differences ${worst.join(", ")}`,
  }
}

const onCategories = (
  dist: Dist.Dist,
  draws: Float64Array,
  rate: number,
  other: Dist.Dist | undefined,
): ReadonlyArray<Verdict> => {
  const size = dist.support === "binary" ? 2 : dist.axis
  const probabilities = Array.from({ length: size }, (_, k) => Real.exp(dist.logDensity([k])))
  const against = againstIntegrals((f) =>
    probabilities.reduce((sum, p, k) => (p === 0 ? sum : sum + p * f(k)), 0),
  )
  // The mean of a binary site is that of the number, of a categorical site that of the one-hot vector.
  const of = (vector: ReadonlyArray<number>): ReadonlyArray<number> =>
    dist.support === "binary" ? vector.slice(1) : vector
  return [
    ...against("the probabilities sum to 1", 1, () => 1, 1),
    fits("draws have the probabilities", fitOf(draws, probabilities), rate),
    ...of(probabilities).flatMap((p, k) => [
      near(`the mean is E[X], element ${k}`, dist.mean()[k] ?? Number.NaN, p, 1),
      near(`the variance is Var[X], element ${k}`, dist.variance()[k] ?? Number.NaN, p * (1 - p), 1),
    ]),
    ...entropies(dist, other, against),
  ]
}

/** The chi-square test, with all categories of expected counts below 5 in one cell. */
const fitOf = (draws: Float64Array, probabilities: ReadonlyArray<number>): number => {
  const rare = probabilities.map((p) => p > 0 && p * draws.length < 5)
  const counts = new Float64Array(probabilities.length + 1)
  for (const k of draws) counts[rare[k] === true ? probabilities.length : k]! += 1
  const merged = probabilities.map((p, k) => (rare[k] === true ? 0 : p))
  return chiSquare(counts, [
    ...merged,
    probabilities.reduce((sum, p, k) => (rare[k] === true ? sum + p : sum), 0),
  ]).pValue
}

const onVectors = (
  dist: Dist.Dist,
  draws: Float64Array,
  rate: number,
  other: Dist.Dist | undefined,
): ReadonlyArray<Verdict> => {
  const { size } = dist
  const rows = Array.from({ length: draws.length / size }, (_, i) =>
    Array.from(draws.subarray(i * size, (i + 1) * size)),
  )
  const against: Against = (law, stated, f) =>
    said(stated) ? [meanOf(law, Float64Array.from(rows, f), stated, rate)] : []
  return [
    ...moments(dist, against),
    ...entropies(dist, other, against),
    // E[q(X) / p(X)] = 1 for any density q if p is normalised and the draws follow p.
    ...(other === undefined
      ? []
      : against("draws weighted by other(X) / p(X) have the total 1", 1, (row) =>
          Real.exp(other.logDensity(row) - dist.logDensity(row)),
        )),
  ]
}
