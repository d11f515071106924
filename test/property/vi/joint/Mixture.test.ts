import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SettingError } from "../../../../src/errors/Setting.ts"
import { product } from "../../../../src/numeric/Nd.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Joint from "../../../../src/prob/Joint.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { chiSquare } from "../../../../src/testing/goodnessOfFit.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Mixture from "../../../../src/vi/joint/Mixture.ts"
import * as Product from "../../../../src/vi/joint/Product.ts"
import { near, shared, siteOf, sum } from "../../../support/factors.ts"
import { runs } from "../../../support/property.ts"
import { model, planOf } from "../../../support/tinyModel.ts"

// Mixtures against the enumeration of two sites: two coins, and two categories of three. Seeds are fixed; a right sampler fails a
// check on a new seed with probability 1e-4.

const settings = { logitsClip: 10, initialScale: 1 }
const { factors } = Family
const component = (): Joint.Joint =>
  Product.product([
    Joint.single(
      "coins",
      factors.bernoulli(settings).make(siteOf("binary", shared(Dist.bernoulli(0.5)), [2])),
    ),
    Joint.single(
      "kinds",
      factors
        .categorical(settings)
        .make(siteOf("categorical", shared(Dist.categorical([0.2, 0.3, 0.5])), [2], 3)),
    ),
  ])
const [M, one] = [3, component()]
const mixture = Mixture.mixture([one, component(), component()])

const all = Array.from({ length: 36 }, (_, i) => ({
  coins: [i % 2, (i >> 1) % 2],
  kinds: [Math.floor(i / 4) % 3, Math.floor(i / 12)],
}))
const valuesOf = (draws: ReadonlyArray<(typeof all)[number]>): Joint.Values =>
  new Map([
    ["coins", Float64Array.from(draws.flatMap(({ coins }) => coins))],
    ["kinds", Float64Array.from(draws.flatMap(({ kinds }) => kinds))],
  ])
const every = valuesOf(all)

const parametersOf = (seed: number, scale = 1): ReadonlyArray<Float64Array> =>
  mixture.parameters.map(({ shape }, slot) =>
    Rng.normal(Rng.fold(Rng.key(seed), slot), new Float64Array(product(shape))).map((x) => scale * x),
  )

/** q(x) of each value by the definition. */
const byHand = ([logits, ...rest]: ReadonlyArray<Float64Array>): ReadonlyArray<number> => {
  const total = sum([...logits!].map(Math.exp))
  const parts = Array.from({ length: M }, (_, m) => one.logDensity!(rest.slice(2 * m, 2 * m + 2), every))
  return all.map((_, i) => sum(parts.map((logs, m) => (Math.exp(logits![m]!) / total) * Math.exp(logs[i]!))))
}

describe("a mixture of distributions of the same sites", () => {
  it("has the weighted mean of the densities, which sums to 1 and sums out NaN", () =>
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const parameters = parametersOf(seed)
        const expected = byHand(parameters)
        near(sum([...expected]), 1)
        mixture.logDensity!(parameters, every).forEach((log, i) => near(log, Math.log(expected[i]!), 10))
        const hidden = new Map([
          ["coins", Float64Array.of(NaN, 1)],
          ["kinds", Float64Array.of(2, NaN)],
        ])
        const matching = all.flatMap(({ coins, kinds }, i) =>
          coins[1] === 1 && kinds[0] === 2 ? [expected[i]!] : [],
        )
        near(mixture.logDensity!(parameters, hidden)[0]!, Math.log(sum(matching)), 10)
      }),
      runs(30),
    ))

  it("is drawn with that density, all sites from one component", () => {
    const parameters = parametersOf(2, 2)
    const count = 20_000
    const drawn = mixture.sample(Rng.key(4), parameters, count)
    const found = all.map(() => 0)
    for (let h = 0; h < count; h++) {
      const [coins, kinds] = [drawn.get("coins")!, drawn.get("kinds")!]
      found[coins[2 * h]! + 2 * coins[2 * h + 1]! + 4 * kinds[2 * h]! + 12 * kinds[2 * h + 1]!]! += 1
    }
    const expected = byHand(parameters)
    expect(chiSquare(found, expected).pValue).toBeGreaterThan(1e-4)
    // The product of the marginal distributions is another distribution.
    const marginal = (of: (value: (typeof all)[number]) => number, at: number): number =>
      sum(all.map((value, i) => (of(value) === at ? expected[i]! : 0)))
    const apart = all.map(
      ({ coins, kinds }) =>
        sum(all.map((value, i) => (value.coins.join() === coins.join() ? expected[i]! : 0))) *
        marginal((value) => value.kinds[0]! + 3 * value.kinds[1]!, kinds[0]! + 3 * kinds[1]!),
    )
    expect(chiSquare(found, apart).pValue).toBeLessThan(1e-4)
    expect(mixture.sample(Rng.key(4), parameters, 10).get("kinds")).toEqual(drawn.get("kinds")!.slice(0, 20))
  })

  it("has the slopes of the log density", () =>
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const parameters = parametersOf(seed)
        const weights = Rng.normal(Rng.key(seed), new Float64Array(36))
        const at = (slot: number, i: number, by: number): number => {
          const moved = parameters.map((own, index) => (index === slot ? own.with(i, own[i]! + by) : own))
          return sum([...mixture.logDensity!(moved, every)].map((log, h) => weights[h]! * log))
        }
        mixture.score!(parameters, every, weights).forEach((slopes, slot) =>
          slopes.forEach((slope, i) => {
            const found = (at(slot, i, 1e-5) - at(slot, i, -1e-5)) / 2e-5
            expect(Math.abs(slope - found)).toBeLessThan(2e-6 * Math.max(1, Math.abs(found)))
          }),
        )
      }),
      runs(10),
    ))

  it("moves towards draws: the inclusive divergence falls, and with one component to the least one", () =>
    fc.assert(
      fc.property(fc.nat(1e6), fc.constantFrom(0, 0.3, 1), (seed, rate) => {
        const parameters = parametersOf(seed)
        const drawn = Array.from({ length: 5 }, (_, i) => all[(seed + i * i * 7) % 36]!)
        const draws = { values: valuesOf(drawn), weights: drawn.map((_, i) => (i + 1) / 15) }
        const q = byHand(parameters)
        const target = q.map(
          (own, i) =>
            (1 - rate) * own + rate * sum(drawn.map((x, d) => (x === all[i] ? draws.weights[d]! : 0))),
        )
        const crossEntropy = (by: ReadonlyArray<Float64Array>): number =>
          -sum(byHand(by).map((own, i) => target[i]! * Math.log(own)))
        const found = mixture.project!(parameters, draws, rate)
        expect(found.every((slot) => slot.every(Number.isFinite))).toBe(true)
        const [before, after] = [crossEntropy(parameters), crossEntropy(found)]
        if (rate === 0) expect(after).toBeCloseTo(before, 9)
        else expect(after).toBeLessThan(before)
        const single = Mixture.mixture([one])
        const own = parameters.slice(0, 3).with(0, Float64Array.of(0))
        const least = one.logDensity!(one.project!(own.slice(1), draws, rate), every)
        single.logDensity!(single.project!(own, draws, rate), every).forEach((log, i) =>
          near(log, least[i]!, 10),
        )
      }),
      runs(30),
    ))

  it("lacks what a component lacks", () => {
    const { project: _, score: __, ...rest } = component()
    const lacking = Mixture.mixture([component(), rest])
    expect(lacking.project).toBeUndefined()
    expect(lacking.score).toBeUndefined()
    expect(lacking.logDensity).toBeDefined()
  })
})

describe("a mixture of families", () => {
  it("has all sites of the trees, and the weights' factors of the first", () => {
    const families = [Family.meanField(model, settings), Family.autoregressive(model, settings)]
    const plan = planOf(model, Family.mixture(model, families))
    const joint = Plan.jointOf(plan, "trees.operator")
    expect(joint.name).toBe("Mixture(2)")
    expect([...joint.sites].sort()).toEqual(["trees.operator", "trees.split", "trees.terminal"])
    expect(plan.sites.map(({ name, factor }) => [name, factor.name])).toEqual([
      ["operatorWeights", "Dirichlet(log concentration)"],
      ["featureWeights", "Dirichlet(log concentration)"],
      ["trees.split", "Mixture(2)"],
      ["trees.operator", "Mixture(2)"],
      ["trees.terminal", "Mixture(2)"],
    ])
    // Of mixtures there are mixtures.
    const nested = Family.mixture(model, [Family.mixture(model, families), Family.treeConditional(model)])
    expect(Plan.jointOf(planOf(model, nested), "trees.split").parameters.length).toBe(
      1 + joint.parameters.length + 1 + 1 + 4,
    )
  })

  it("needs a component", () => {
    expect(() => Family.mixture(model, [])).toThrow(SettingError)
  })
})
