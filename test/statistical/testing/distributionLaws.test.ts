import { describe, expect, it } from "vitest"
import * as Dist from "../../../src/prob/Dist.ts"
import { laws, type Verdict } from "../../../src/testing/distributionLaws.ts"

// The public law suite: all distributions that ship keep its laws, and each law fails on something wrong. Draws fail with
// the declared probability of 1e-4 a law on a new seed; seeds are fixed.

const broken = (verdicts: ReadonlyArray<Verdict>): ReadonlyArray<string> =>
  verdicts.filter(({ holds }) => !holds).map(({ law, detail }) => `${law}: ${detail}`)

const covariance = [
  [2, 0.6],
  [0.6, 1],
]

const shipped: ReadonlyArray<readonly [dist: Dist.Dist, other?: Dist.Dist]> = [
  [Dist.bernoulli(0.3), Dist.bernoulli(0.6)],
  [Dist.categorical([0.2, 0.3, 0.4999, 0.0001]), Dist.categorical([0.5, 0.25, 0.125, 0.125])],
  [Dist.normal(-2, 3), Dist.normal(1, 4)],
  [Dist.normal(1e30, 1e25), Dist.normal(1e30, 2e25)],
  [Dist.laplace(1, 2), Dist.laplace(-1, 3)],
  [Dist.laplace(1e-30, 1e-31)],
  [Dist.studentT(1, 3, 2)],
  [Dist.studentT(1.5, 3, 2)],
  [Dist.studentT(3, 0, 1e-20)],
  [Dist.studentT(30, -1, 2)],
  [Dist.uniform(-3, 0.5), Dist.uniform(-4, 1)],
  [Dist.uniform(0, 10, "positive"), Dist.uniform(0, 11, "positive")],
  [Dist.uniform(0.2, 0.7, "unit")],
  [Dist.logNormal(1, 0.5), Dist.logNormal(0, 1)],
  [Dist.gamma(0.3, 2), Dist.gamma(1, 1)],
  [Dist.gamma(7.5, 0.2), Dist.gamma(7, 0.3)],
  [Dist.inverseGamma(3, 2), Dist.inverseGamma(2, 1)],
  [Dist.inverseGamma(0.5, 1)],
  [Dist.halfNormal(4), Dist.halfNormal(5)],
  [Dist.beta(0.4, 0.7), Dist.beta(1, 2)],
  [Dist.beta(12, 5), Dist.beta(10, 5)],
  [Dist.dirichlet([2, 3, 0.7]), Dist.dirichlet([4, 6, 1.4])],
  [Dist.dirichlet([1.5, 4]), Dist.dirichlet([3, 8])],
  [Dist.normalInverseGamma([0, 1], covariance, 4, 2), Dist.normalInverseGamma([0, 1], covariance, 5, 2)],
]

describe("every distribution that ships keeps the laws", () => {
  it.each(
    shipped.map(([dist, other]) => ({
      title: `${dist.name} ${JSON.stringify(dist.parameters)}`,
      dist,
      other,
    })),
  )("$title", ({ dist, other }) => {
    const found = laws(dist, { seed: 3, other })
    expect(found.length).toBeGreaterThan(4)
    expect(broken(found)).toEqual([])
  })
})

describe("a law fails", () => {
  const right = Dist.normal(1, 2)
  const names = (dist: Dist.Dist, other?: Dist.Dist): ReadonlyArray<string> =>
    laws(dist, { seed: 3, other })
      .filter(({ holds }) => !holds)
      .map(({ law }) => law)

  it("on a density that is not normalised", () => {
    const wrong = { ...right, logDensity: (x: ReadonlyArray<number>) => right.logDensity(x) + 0.001 }
    expect(names(wrong)).toContain("the density integrates to 1")
  })

  it("on a sampler of another distribution", () => {
    expect(names({ ...right, draw: Dist.normal(1.1, 2).draw })).toEqual(["draws have the density"])
    const categorical = Dist.categorical([0.2, 0.3, 0.5])
    const off = Dist.categorical([0.22, 0.3, 0.48])
    expect(names({ ...categorical, draw: off.draw })).toEqual(["draws have the probabilities"])
    const weights = Dist.dirichlet([2, 3, 0.7])
    expect(
      names({ ...weights, draw: Dist.dirichlet([2.2, 3, 0.7]).draw }, Dist.dirichlet([4, 6, 1.4])),
    ).toContain("the mean is E[X], element 0")
  })

  it("on wrong moments, entropies, divergences and derivatives", () => {
    expect(names({ ...right, mean: () => [1.01] })).toContain("the mean is E[X]")
    expect(names({ ...right, variance: () => [4.01] })).toEqual(["the variance is Var[X]"])
    expect(names({ ...right, entropy: () => 2.11 })).toEqual(["the entropy is -E[log p(X)]"])
    expect(names({ ...right, kl: () => 0.2 }, Dist.normal(0, 2))).toEqual([
      "the divergence is E[log p(X) - log other(X)]",
    ])
    const derivatives = (x: number) => ({ log: 0, slope: (1.01 - x) / 4, curvature: -0.25 })
    expect(names({ ...right, derivatives })).toEqual(["derivatives are those of the log density"])
    const gamma = Dist.gamma(2, 3)
    const logMoments = () => ({
      mean: gamma.logMoments!().mean + 0.01,
      variance: gamma.logMoments!().variance,
    })
    expect(names({ ...gamma, logMoments })).toContain("E[log X] is its integral")
  })

  it("on symbolic forms of another distribution", () => {
    const { logDensity } = right.lifted!
    expect(names({ ...right, lifted: { logDensity: () => (x) => x } })).toEqual([
      "the form over an algebra is the log density",
    ])
    expect(names({ ...right, lifted: { logDensity, crossEntropy: () => (q) => q.mean } })).toEqual([
      "the cross entropy is -E[log p(X)]",
    ])
  })

  it("on bounds beyond which there is a density", () => {
    expect(names({ ...right, bounds: [-20, 20] })).toContain("the density is 0 outside of the bounds")
  })
})
