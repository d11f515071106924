import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import type { Factor } from "../../../../src/prob/Factor.ts"
import { betaI, normalCdf } from "../../../../src/numeric/Special.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { chiSquare, kolmogorovSmirnov } from "../../../../src/testing/goodnessOfFit.ts"
import { shared, sigmoid, siteOf, softmax } from "../../../support/factors.ts"

// Exact draws of every factor come from its distribution, element by element. Seeds are fixed; a right sampler fails
// with probability 1e-4 a check on a new seed, and beside each check a slightly wrong distribution is shown to fail.

const { factors } = Family
const FAILURE = 1e-4
const count = 20_000
const key = Rng.key(7)

/** Element `index` of a site of `elements` elements in every draw. */
const element = (draws: Float64Array, index: number, elements: number): Float64Array =>
  Float64Array.from({ length: draws.length / elements }, (_, i) => draws[i * elements + index]!)

const counts = (draws: Float64Array, categories: number): ReadonlyArray<number> => {
  const found = Array.from({ length: categories }, () => 0)
  for (const draw of draws) found[draw]! += 1
  return found
}

const follows = (draws: Float64Array, cdf: (x: number) => number, wrong: (x: number) => number): void => {
  expect(kolmogorovSmirnov(draws, cdf).pValue).toBeGreaterThan(FAILURE)
  expect(kolmogorovSmirnov(draws, wrong).pValue).toBeLessThan(FAILURE)
}

const hasProbabilities = (
  draws: Float64Array,
  right: ReadonlyArray<number>,
  wrong: ReadonlyArray<number>,
): void => {
  const found = counts(draws, right.length)
  expect(chiSquare(found, right).pValue).toBeGreaterThan(FAILURE)
  expect(chiSquare(found, wrong).pValue).toBeLessThan(FAILURE)
}

describe("exact draws", () => {
  it("of Bernoulli have the probability of their logit, clamped", () => {
    const factor = factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(0.5)), [3]))
    const draws = factor.sample(key, [[0.4, -2, 60]], count)
    expect(draws).toHaveLength(3 * count)
    const coin = (p: number) => [1 - p, p]
    hasProbabilities(element(draws, 0, 3), coin(sigmoid(0.4)), coin(sigmoid(0.5)))
    hasProbabilities(element(draws, 1, 3), coin(sigmoid(-2)), coin(sigmoid(-1.85)))
    // At the clamp a 0 remains possible: one in 22,000.
    expect(counts(element(draws, 2, 3), 2)[0]).toBeLessThan(8)
  })

  it("of Categorical have the probabilities of their logits", () => {
    const prior = shared(Dist.categorical([0.2, 0.3, 0.5]))
    const factor = factors.categorical().make(siteOf("categorical", prior, [2], 3))
    const draws = factor.sample(key, [[0, 1, -1, 2, 2, -30]], count)
    expect(draws).toHaveLength(2 * count)
    hasProbabilities(element(draws, 0, 2), softmax([0, 1, -1]), softmax([0.15, 1, -1]))
    hasProbabilities(element(draws, 1, 2), softmax([2, 2, -10]), softmax([2.15, 2, -10]))
  })

  it("of Dirichlet have Beta marginals", () => {
    const factor = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 1, 1])), [2], 3))
    const eta = [
      [0.3, 2, 4],
      [1, 1, 0.5],
    ] as const
    const draws = factor.sample(key, [eta.flat().map(Math.log)], count)
    eta.forEach((own, site) => {
      const total = own[0] + own[1] + own[2]
      own.forEach((a, k) => {
        follows(
          element(draws, site * 3 + k, 6),
          (x) => betaI(a, total - a, x),
          (x) => betaI(a * 1.1, total - a, x),
        )
      })
    })
    for (let i = 0; i < 30; i += 3) expect(draws[i]! + draws[i + 1]! + draws[i + 2]!).toBeCloseTo(1, 12)
  })

  it("of Dirichlet with tiny concentrations are nearly one weight of 1, and never equal weights", () => {
    const factor = factors.dirichlet().make(siteOf("simplex", shared(Dist.dirichlet([1, 1])), [], 2))
    // Gamma draws of shape 5e-4 underflow as a rule; the weights are told apart on the log scale.
    const draws = element(factor.sample(key, [[Math.log(5e-4), Math.log(5e-4)]], 2000), 0, 2)
    const extreme = draws.filter((w) => w < 1e-3 || w > 1 - 1e-3).length
    expect(extreme / 2000).toBeGreaterThan(0.98)
    const large = draws.filter((w) => w > 0.5).length
    expect(chiSquare([large, 2000 - large], [0.5, 0.5]).pValue).toBeGreaterThan(FAILURE)
  })

  it("of Beta, with small shapes too", () => {
    const factor = factors.beta().make(siteOf("unit", shared(Dist.beta(1, 1)), [2]))
    const draws = factor.sample(key, [[2, 0.05].map(Math.log), [5, 0.4].map(Math.log)], count)
    follows(
      element(draws, 0, 2),
      (x) => betaI(2, 5, x),
      (x) => betaI(2.1, 5, x),
    )
    follows(
      element(draws, 1, 2),
      (x) => betaI(0.05, 0.4, x),
      (x) => betaI(0.06, 0.4, x),
    )
    expect(draws.every((x) => x > 0 && x < 1)).toBe(true)
  })

  it("of Normal and LogNormal", () => {
    const normal = factors.normal().make(siteOf("real", shared(Dist.normal(0, 1)), [2]))
    const logNormal = factors.logNormal().make(siteOf("positive", shared(Dist.gamma(1, 1)), [2]))
    const parameters = [
      [1, -2],
      [Math.log(2), Math.log(0.1)],
    ]
    const cdf = (loc: number, scale: number) => (x: number) => normalCdf((x - loc) / scale)
    for (const [index, loc, scale] of [
      [0, 1, 2],
      [1, -2, 0.1],
    ] as const) {
      follows(
        element(normal.sample(key, parameters, count), index, 2),
        cdf(loc, scale),
        cdf(loc + 0.05 * scale, scale),
      )
      follows(
        element(logNormal.sample(key, parameters, count), index, 2).map(Math.log),
        cdf(loc, scale),
        cdf(loc, 1.1 * scale),
      )
    }
  })

  it("depend on the key alone, and on nothing else", () => {
    const site = siteOf("binary", shared(Dist.bernoulli(0.5)), [4])
    const factor: Factor = factors.bernoulli().make(site)
    const logits = [[0, 1, -1, 2]]
    const draws = factor.sample(key, logits, 50)
    expect(factor.sample(key, logits, 50)).toEqual(draws)
    expect(factor.sample(Rng.key(8), logits, 50)).not.toEqual(draws)
    expect(factor.sample(key, logits, 20)).toEqual(draws.slice(0, 80))
  })
})
