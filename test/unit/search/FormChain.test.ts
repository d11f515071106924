import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"
import * as Rng from "../../../src/random/Rng.ts"
import type { ApproximateEvidence } from "../../../src/search/ApproximateEvidence.ts"
import * as ConstantFitting from "../../../src/search/ConstantFitting.ts"
import * as SearchSpace from "../../../src/search/SearchSpace.ts"
import * as LocalSearch from "../../support/localSearch.ts"
import { dataset } from "../../support/selected.ts"

const rows = 80

/** The share of the variance that a search of some steps leaves unexplained. */
const leftOf = (low: number, high: number, law: (x: number) => number): number => {
  const x = Float64Array.from({ length: rows }, (_, i) => low + ((high - low) * i) / (rows - 1))
  const data = dataset({ x }, x.map(law))
  const grammar = LawGrammar.make(["x"])
  const uniform = (count: number) => Array.from({ length: count }, () => -Math.log(count))
  const weights = {
    depth: 5,
    split: { alpha: 0.95, delta: 1 },
    operators: uniform(grammar.operators.length),
    terminals: uniform(grammar.terminals.length),
  }
  const space = Effect.runSync(SearchSpace.make(grammar, weights, data, 1, Rng.key(4)))
  const fitter = Effect.runSync(ConstantFitting.make(space, grammar, data))
  const target = GPrior.target(data.y, { a: 3, resolution: 1e-6 })
  const table = GPrior.table(target)
  const approximate: ApproximateEvidence = {
    most: 3,
    links: [0, 1, 2],
    weigh: () => undefined,
    weights: () => undefined,
    bound: () => undefined,
    evidence: (_, rank, rss) => GPrior.logNull(target) + table(rank, rss),
    prior: (_, trees, sum) => sum - trees,
  }
  const search = LocalSearch.make(space, approximate, Rng.generator(Rng.key(1)), 300, fitter)
  const left = (): number => (search.leader()?.rss ?? Infinity) / target.tss
  for (let i = 0; i < 400 && left() > 1e-10; i++) search.step()
  return left()
}

// None of these has a term that is good by itself, or a wave that no grid of few periods has.
describe("sums of forms", () => {
  it("of two exponentials of opposite signs are found", () => {
    expect(leftOf(0, 330, (x) => 0.5 + 1.4 * Math.exp(-0.03 * x) - 1.1 * Math.exp(-0.012 * x))).toBeLessThan(
      1e-10,
    )
  })
  it("of a decay and two peaks are found", () => {
    const peak = (x: number, at: number, width: number): number => Math.exp(-(((x - at) / width) ** 2))
    const law = (x: number): number => 80 * Math.exp(-0.02 * x) + 55 * peak(x, 40, 11) + 38 * peak(x, 83, 9)
    expect(leftOf(1, 125, law)).toBeLessThan(1e-10)
  })
  it("of waves with phases are found, of many periods as well", () => {
    const law = (x: number): number => 10 + 3 * Math.sin(0.52 * x + 1.4) + 1.6 * Math.sin(0.14 * x - 0.4)
    expect(leftOf(1, 168, law)).toBeLessThan(1e-10)
  })
  it("of a decay and a wave are found", () => {
    const law = (x: number): number => 2 * Math.exp(-0.83 * x) + 1.3 * Math.sin(2.7 * x + 0.4)
    expect(leftOf(0, 6, law)).toBeLessThan(1e-10)
  })
})

// No grid has three rough values, and no sum of simpler terms leads here: the phase is worth nothing before rate and frequency are fitted.
describe("terms of three numbers", () => {
  it("such as damped waves with a phase are found", () => {
    expect(leftOf(0, 10, (x) => 2.3 * Math.exp(-0.31 * x) * Math.cos(1.9 * x + 0.7))).toBeLessThan(1e-10)
  })
  it("such as damped waves with a small phase are found", () => {
    expect(leftOf(0, 9.4, (x) => Math.exp(-0.32 * x) * Math.cos(1.39 * x + 0.08))).toBeLessThan(1e-10)
  })
})
