import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import { type Factor, relaxedBy } from "../../../../src/prob/Factor.ts"
import * as Nd from "../../../../src/numeric/Nd.ts"
import { normalCdf } from "../../../../src/numeric/Special.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { chiSquare, kolmogorovSmirnov } from "../../../../src/testing/goodnessOfFit.ts"
import { softTrees } from "../../../support/ensembles.ts"
import { shared, sigmoid, siteOf, softmax } from "../../../support/factors.ts"

// Reparameterised draws: the Concrete distributions in closed form, and what they tend to at low temperature. Seeds are
// fixed; a right relaxation fails a check on a new seed with probability 1e-4.

const { factors } = Family
const FAILURE = 1e-4
const S = 20_000
const fills = { uniform: Rng.uniform, normal: Rng.normal, logistic: Rng.logistic, gumbel: Rng.gumbel }

/** S relaxed draws of a factor in float64, from the noise that it asks for. */
const relaxed = (
  factor: Factor,
  parameters: ReadonlyArray<ReadonlyArray<number>>,
  temperature: number,
): Nd.Nd => {
  const noise = factor.noise.map(({ kind, shape }, index) => {
    const length = S * shape.reduce((a, b) => a * b, 1)
    return Nd.of([S, ...shape], fills[kind](Rng.fold(Rng.key(11), index), new Float64Array(length)))
  })
  const slots = factor.parameters.map(({ shape }, index) => Nd.of(shape, parameters[index]!))
  return factor.draw!(
    Nd.algebra,
    slots,
    noise,
    relaxedBy<Nd.Nd>(softTrees(undefined), []),
    Nd.scalar(temperature),
  )
}

const column = (draws: Nd.Nd, index: number): Float64Array => {
  const width = draws.data.length / S
  return Float64Array.from({ length: S }, (_, s) => draws.data[s * width + index]!)
}

const logit = (x: number): number => Math.log(x) - Math.log1p(-x)
/** P(X <= x) of Binary-Concrete: the logistic noise is at most tau logit(x) - l. */
const binaryCdf = (l: number, tau: number) => (x: number) => sigmoid(tau * logit(x) - l)

const binary = (elements: number) =>
  factors.bernoulli().make(siteOf("binary", shared(Dist.bernoulli(0.5)), [elements]))
const categorical = (size: number) =>
  factors
    .categorical()
    .make(
      siteOf(
        "categorical",
        shared(Dist.categorical(softmax(Array.from({ length: size }, () => 0)))),
        [],
        size,
      ),
    )

describe("Binary-Concrete draws", () => {
  it("have the closed distribution at every temperature", () => {
    const logits = [0.5, -1.5]
    for (const tau of [0.3, 1, 2]) {
      const draws = relaxed(binary(2), [logits], tau)
      expect(draws.shape).toEqual([S, 2])
      logits.forEach((l, i) => {
        const cdf = binaryCdf(l, tau)
        expect(kolmogorovSmirnov(column(draws, i), cdf).pValue).toBeGreaterThan(FAILURE)
        expect(kolmogorovSmirnov(column(draws, i), binaryCdf(l + 0.1, tau)).pValue).toBeLessThan(FAILURE)
        expect(kolmogorovSmirnov(column(draws, i), binaryCdf(l, tau * 1.1)).pValue).toBeLessThan(FAILURE)
      })
    }
  })

  it("round to the exact coin at every temperature, and are nearly 0 or 1 at a low one", () => {
    for (const tau of [0.02, 1]) {
      const draws = column(relaxed(binary(1), [[0.8]], tau), 0)
      const ones = draws.filter((e) => e > 0.5).length
      const p = sigmoid(0.8)
      expect(chiSquare([S - ones, ones], [1 - p, p]).pValue).toBeGreaterThan(FAILURE)
      expect(chiSquare([S - ones, ones], [0.95 - p, p + 0.05]).pValue).toBeLessThan(FAILURE)
      const undecided = draws.filter((e) => e > 0.01 && e < 0.99).length / S
      if (tau < 0.1) expect(undecided).toBeLessThan(0.06)
      else expect(undecided).toBeGreaterThan(0.9)
    }
  })

  it("clamp the logit, not the noise", () => {
    const draws = column(relaxed(binary(1), [[50]], 1), 0)
    expect(kolmogorovSmirnov(draws.map(logit), (y) => sigmoid(y - 10)).pValue).toBeGreaterThan(FAILURE)
  })
})

describe("Gumbel-Softmax draws", () => {
  it("lie on the simplex, and of two categories are Binary-Concrete", () => {
    const [a, b] = [0.7, -0.4]
    for (const tau of [0.5, 1.5]) {
      const draws = relaxed(categorical(2), [[a, b]], tau)
      expect(draws.shape).toEqual([S, 2])
      const off = column(draws, 0).map((x, s) => Math.abs(x + draws.data[2 * s + 1]! - 1))
      expect(off.every((gap) => gap < 1e-12)).toBe(true)
      expect(kolmogorovSmirnov(column(draws, 0), binaryCdf(a - b, tau)).pValue).toBeGreaterThan(FAILURE)
      expect(kolmogorovSmirnov(column(draws, 0), binaryCdf(a - b + 0.1, tau)).pValue).toBeLessThan(FAILURE)
    }
  })

  it("have their largest weight at each category with its exact probability, at every temperature", () => {
    const logits = [0.2, 1.1, -0.5, 0]
    const right = softmax(logits)
    for (const tau of [0.02, 1]) {
      const draws = relaxed(categorical(4), [logits], tau)
      const counts = [0, 0, 0, 0]
      let undecided = 0
      for (let s = 0; s < S; s++) {
        const row = Array.from(draws.data.subarray(4 * s, 4 * s + 4))
        const top = Math.max(...row)
        counts[row.indexOf(top)]! += 1
        if (top < 0.99) undecided += 1
      }
      expect(chiSquare(counts, right).pValue).toBeGreaterThan(FAILURE)
      expect(chiSquare(counts, softmax([0.3, 1.1, -0.5, 0])).pValue).toBeLessThan(FAILURE)
      if (tau < 0.1) expect(undecided / S).toBeLessThan(0.1)
      else expect(undecided / S).toBeGreaterThan(0.9)
    }
  })
})

describe("continuous factors", () => {
  it("draw from themselves, whatever the temperature", () => {
    const normal = factors.normal().make(siteOf("real", shared(Dist.normal(0, 1)), [1]))
    const logNormal = factors.logNormal().make(siteOf("positive", shared(Dist.gamma(1, 1)), [1]))
    const cdf = (x: number) => normalCdf((x - 1) / 2)
    const parameters = [[1], [Math.log(2)]]
    expect(kolmogorovSmirnov(column(relaxed(normal, parameters, 0.1), 0), cdf).pValue).toBeGreaterThan(
      FAILURE,
    )
    const logs = column(relaxed(logNormal, parameters, 3), 0).map(Math.log)
    expect(kolmogorovSmirnov(logs, cdf).pValue).toBeGreaterThan(FAILURE)
    expect(kolmogorovSmirnov(logs, (x) => normalCdf((x - 1.1) / 2)).pValue).toBeLessThan(FAILURE)
  })
})
