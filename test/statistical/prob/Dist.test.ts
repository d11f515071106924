import { describe, expect, it } from "vitest"
import * as Dist from "../../../src/prob/Dist.ts"
import { betaI, gammaP, gammaQ, normalCdf } from "../../../src/numeric/Special.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { chiSquare, kolmogorovSmirnov } from "../../../src/testing/goodnessOfFit.ts"

/** The declared failure rate of each test under a fresh seed. The seeds are fixed, so a pass is a pass. */
const RATE = 1e-4
const N = 20_000
/** Two-sided normal quantile of the same rate. */
const DEVIATIONS = 3.89

type Cdf = (x: number) => number

const normal =
  (m: number, s: number): Cdf =>
  (x) =>
    normalCdf((x - m) / s)
const gamma =
  (a: number, rate: number): Cdf =>
  (x) =>
    gammaP(a, rate * x)
const inverseGamma =
  (a: number, scale: number): Cdf =>
  (x) =>
    gammaQ(a, scale / x)
const beta =
  (a: number, b: number): Cdf =>
  (x) =>
    betaI(a, b, x)
const logNormal =
  (m: number, s: number): Cdf =>
  (x) =>
    normalCdf((Math.log(x) - m) / s)
const halfNormal =
  (s: number): Cdf =>
  (x) =>
    2 * normalCdf(x / s) - 1

/** Column `j` of row-major draws. */
const column = (draws: Float64Array, size: number, j: number): Float64Array =>
  Float64Array.from({ length: draws.length / size }, (_, i) => draws[i * size + j]!)

describe("samplers of one number fit their cdf, and not that of a slightly different parameter", () => {
  it.each<{ dist: Dist.Dist; right: Cdf; wrong: Cdf }>([
    { dist: Dist.normal(-2, 3), right: normal(-2, 3), wrong: normal(-1.8, 3) },
    { dist: Dist.normal(0, 0.1), right: normal(0, 0.1), wrong: normal(0, 0.11) },
    { dist: Dist.logNormal(1, 0.5), right: logNormal(1, 0.5), wrong: logNormal(1, 0.55) },
    { dist: Dist.gamma(0.3, 2), right: gamma(0.3, 2), wrong: gamma(0.33, 2) },
    { dist: Dist.gamma(1, 1), right: gamma(1, 1), wrong: gamma(1, 1.1) },
    { dist: Dist.gamma(7.5, 0.2), right: gamma(7.5, 0.2), wrong: gamma(8, 0.2) },
    { dist: Dist.inverseGamma(2, 2), right: inverseGamma(2, 2), wrong: inverseGamma(2, 2.2) },
    { dist: Dist.inverseGamma(0.5, 1), right: inverseGamma(0.5, 1), wrong: inverseGamma(0.55, 1) },
    { dist: Dist.halfNormal(4), right: halfNormal(4), wrong: halfNormal(4.2) },
    { dist: Dist.beta(0.2, 0.7), right: beta(0.2, 0.7), wrong: beta(0.25, 0.7) },
    { dist: Dist.beta(1, 1), right: beta(1, 1), wrong: beta(1.1, 1) },
    { dist: Dist.beta(12, 5), right: beta(12, 5), wrong: beta(12, 5.5) },
  ])("$dist", ({ dist, right, wrong }) => {
    const draws = Dist.sample(dist, Rng.key(31), N)
    expect(kolmogorovSmirnov(draws, right).pValue).toBeGreaterThan(RATE)
    expect(kolmogorovSmirnov(draws, wrong).pValue).toBeLessThan(RATE)
  })
})

describe("discrete samplers", () => {
  const counts = (dist: Dist.Dist, m: number, seed: number): Float64Array => {
    const out = new Float64Array(m)
    for (const k of Dist.sample(dist, Rng.key(seed), N)) out[k]! += 1
    return out
  }

  it.each([0.5, 0.03, 0.9])("Bernoulli(%d), and not a probability 0.02 off", (p) => {
    const observed = counts(Dist.bernoulli(p), 2, 41)
    expect(chiSquare(observed, [1 - p, p]).pValue).toBeGreaterThan(RATE)
    expect(chiSquare(observed, [1 - p - 0.02, p + 0.02]).pValue).toBeLessThan(RATE)
  })

  it.each([[[1]], [[0.5, 0.5]], [[0.1, 0.2, 0.3, 0.4]], [[0.7, 0, 0.299, 0.001]]])(
    "Categorical(%o)",
    (weights) => {
      const observed = counts(Dist.categorical(weights), weights.length, 42)
      expect(chiSquare(observed, weights).pValue).toBeGreaterThan(RATE)
      if (weights.length === 1) return
      const off = weights.map((w, k) => (k === 0 ? w - 0.03 : k === weights.length - 1 ? w + 0.03 : w))
      expect(chiSquare(observed, off).pValue).toBeLessThan(RATE)
    },
  )
})

describe("vector samplers", () => {
  it.each([[[1, 1, 1]], [[0.3, 2, 5]], [[0.05, 0.05, 0.4]], [[30, 20, 10, 5]]])("Dirichlet(%o)", (a) => {
    const draws = Dist.sample(Dist.dirichlet(a), Rng.key(51), N)
    const m = a.length
    const total = a.reduce((sum, v) => sum + v, 0)
    for (const [k, ak] of a.entries()) {
      // Each weight is Beta(a_k, rest). A weight that rounds to 1 is seen through the sum of the others.
      const weight = column(draws, m, k)
      const rest = weight.map((_, i) =>
        draws.subarray(i * m, i * m + m).reduce((sum, w, j) => (j === k ? sum : sum + w), 0),
      )
      const pValue = (scale: number): number =>
        ak < total / 2
          ? kolmogorovSmirnov(weight, beta(scale * ak, total - ak)).pValue
          : kolmogorovSmirnov(rest, beta(total - ak, scale * ak)).pValue
      expect(pValue(1)).toBeGreaterThan(RATE)
      expect(pValue(1.2)).toBeLessThan(RATE)
    }
    // So is the sum of two, which knows how they depend on each other.
    const pair = column(draws, m, 0).map((w, i) => w + draws[i * m + 1]!)
    const own = a[0]! + a[1]!
    expect(kolmogorovSmirnov(pair, beta(own, total - own)).pValue).toBeGreaterThan(RATE)
    expect(kolmogorovSmirnov(pair, beta(1.15 * own, total - own)).pValue).toBeLessThan(RATE)
    for (let i = 0; i < 100; i++) {
      expect(draws.slice(i * m, i * m + m).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12)
    }
  })

  it("NormalInverseGamma", () => {
    const draws = Dist.sample(
      Dist.normalInverseGamma(
        [1, -2],
        [
          [2, 0.9],
          [0.9, 1],
        ],
        3,
        2,
      ),
      Rng.key(52),
      N,
    )
    const sigma2 = column(draws, 3, 2)
    expect(kolmogorovSmirnov(sigma2, inverseGamma(3, 2)).pValue).toBeGreaterThan(RATE)
    expect(kolmogorovSmirnov(sigma2, inverseGamma(3, 2.1)).pValue).toBeLessThan(RATE)
    // Any direction u of the coefficients is N(u' mean, sigma^2 u' covariance u).
    for (const [u, v, variance] of [
      [1, 0, 2],
      [0, 1, 1],
      [1, -1, 1.2],
      [1, 1, 4.8],
    ] as const) {
      const standard = (scale: number): Float64Array =>
        column(draws, 3, 0).map((b0, i) => {
          const b1 = draws[3 * i + 1]!
          return (u * (b0 - 1) + v * (b1 + 2)) / Math.sqrt(scale * sigma2[i]!)
        })
      expect(kolmogorovSmirnov(standard(variance), normalCdf).pValue).toBeGreaterThan(RATE)
      expect(kolmogorovSmirnov(standard(1.15 * variance), normalCdf).pValue).toBeLessThan(RATE)
    }
  })
})

/** A Monte Carlo mean and its standard error. */
const monteCarlo = (values: Float64Array): { readonly mean: number; readonly error: number } => {
  const n = values.length
  const mean = values.reduce((sum, v) => sum + v, 0) / n
  const square = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1)
  return { mean, error: Math.sqrt(square / n) }
}

const drawsOf = (
  dist: Dist.Dist,
  key: Rng.Key,
  count: number,
): ReadonlyArray<number | ReadonlyArray<number>> => {
  const size = Dist.eventSize(dist)
  const draws = Dist.sample(dist, key, count)
  return size === 1
    ? Array.from(draws)
    : Array.from({ length: count }, (_, i) => Array.from(draws.subarray(i * size, (i + 1) * size)))
}

describe("entropies and divergences are the expectations that they claim to be", () => {
  const identity = [
    [1, 0],
    [0, 1],
  ]
  it.each<[Dist.Dist, Dist.Dist, number]>([
    [Dist.bernoulli(0.3), Dist.bernoulli(0.6), Dist.kl(Dist.bernoulli(0.3), Dist.bernoulli(0.6))],
    [
      Dist.categorical([0.2, 0.3, 0.5]),
      Dist.categorical([0.5, 0.25, 0.25]),
      Dist.kl(Dist.categorical([0.2, 0.3, 0.5]), Dist.categorical([0.5, 0.25, 0.25])),
    ],
    [
      Dist.dirichlet([2, 3, 0.7, 1.5]),
      Dist.dirichlet([1, 1, 1, 1]),
      Dist.kl(Dist.dirichlet([2, 3, 0.7, 1.5]), Dist.dirichlet([1, 1, 1, 1])),
    ],
    [Dist.normal(1, 2), Dist.normal(0, 3), Dist.kl(Dist.normal(1, 2), Dist.normal(0, 3))],
    [Dist.logNormal(1, 0.4), Dist.logNormal(0.5, 1), Dist.kl(Dist.logNormal(1, 0.4), Dist.logNormal(0.5, 1))],
    [Dist.gamma(3, 2), Dist.gamma(2, 1), Dist.kl(Dist.gamma(3, 2), Dist.gamma(2, 1))],
    [
      Dist.inverseGamma(3, 2),
      Dist.inverseGamma(2, 1),
      Dist.kl(Dist.inverseGamma(3, 2), Dist.inverseGamma(2, 1)),
    ],
    [Dist.halfNormal(1), Dist.halfNormal(2), Dist.kl(Dist.halfNormal(1), Dist.halfNormal(2))],
    [Dist.beta(2, 5), Dist.beta(1, 1), Dist.kl(Dist.beta(2, 5), Dist.beta(1, 1))],
    [
      Dist.normalInverseGamma(
        [0, 1],
        [
          [2, 0.6],
          [0.6, 1],
        ],
        3,
        2,
      ),
      Dist.normalInverseGamma([0.5, 0.5], identity, 2.5, 3),
      Dist.kl(
        Dist.normalInverseGamma(
          [0, 1],
          [
            [2, 0.6],
            [0.6, 1],
          ],
          3,
          2,
        ),
        Dist.normalInverseGamma([0.5, 0.5], identity, 2.5, 3),
      ),
    ],
  ])("%o", (q, p, kl) => {
    const draws = drawsOf(q, Rng.key(61), N)
    const logQ = Float64Array.from(draws, (x) => Dist.logDensity(q, x))
    const surprise = monteCarlo(logQ.map((value) => -value))
    expect(Math.abs(surprise.mean - Dist.entropy(q))).toBeLessThan(DEVIATIONS * surprise.error)
    const divergence = monteCarlo(logQ.map((value, i) => value - Dist.logDensity(p, draws[i]!)))
    expect(Math.abs(divergence.mean - kl)).toBeLessThan(DEVIATIONS * divergence.error)
    // The counterpart: a divergence 20 % too large is found out.
    expect(Math.abs(divergence.mean - 1.2 * kl)).toBeGreaterThan(DEVIATIONS * divergence.error)
  })
})
