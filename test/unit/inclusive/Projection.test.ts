import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import { digamma } from "../../../src/numeric/Special.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Elbo from "../../../src/vi/Elbo.ts"
import * as Projection from "../../../src/inclusive/Projection.ts"
import { temper } from "../../../src/inclusive/FamilyDraws.ts"
import * as Assignment from "../../../src/inclusive/Assignment.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { runs } from "../../support/property.ts"

describe("slots", () => {
  const permutations = (n: number, slots: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> =>
    n === 0
      ? [[]]
      : slots.flatMap((slot) =>
          permutations(
            n - 1,
            slots.filter((other) => other !== slot),
          ).map((rest) => [slot, ...rest]),
        )
  it("are given to trees for the greatest sum, as trying all says", () =>
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 5 })
          .chain((slots) =>
            fc.tuple(
              fc.constant(slots),
              fc.array(
                fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: slots, maxLength: slots }),
                { maxLength: slots },
              ),
            ),
          ),
        ([slots, scores]) => {
          const worth = (chosen: ReadonlyArray<number>): number =>
            chosen.reduce((sum, slot, tree) => sum + scores[tree]![slot]!, 0)
          const found = Assignment.assign(scores, slots)
          expect(new Set(found).size).toBe(scores.length)
          const all = permutations(
            scores.length,
            Array.from({ length: slots }, (_, slot) => slot),
          )
          expect(worth(found)).toBeCloseTo(Math.max(...all.map(worth)), 9)
        },
      ),
      runs(100),
    ))

  it("are given where no slot has a tree's shape, and where there are many", () => {
    expect(Assignment.assign([[-Infinity]], 1)).toEqual([0])
    expect(
      Assignment.assign(
        [
          [-Infinity, -Infinity],
          [1, 0],
        ],
        2,
      ),
    ).toEqual([1, 0])
    // The worst of each tree is its own slot: all have to move on by one.
    const many = 40
    const scores = Array.from({ length: many }, (_, tree) =>
      Array.from({ length: many }, (_, slot) => (slot === (tree + 1) % many ? 1 : slot === tree ? -5 : 0)),
    )
    expect(Assignment.assign(scores, many)).toEqual(
      Array.from({ length: many }, (_, tree) => (tree + 1) % many),
    )
  })
})

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin, Operator.add] })
const links = [Link.identity, Link.square]
const depth = 2

/** Everything that a selecting likelihood can have latent: the indicators' probability, the links' weights. */
const model = Model.gen(function* () {
  const operators = yield* Model.sample("operatorWeights", Dist.dirichlet([1, 2, 3]))
  const features = yield* Model.sample("featureWeights", Dist.dirichlet([1, 1]))
  const inclusion = yield* Model.sample("inclusion", Dist.beta(2, 1))
  const linkWeights = yield* Model.sample("linkWeights", Dist.dirichlet([3, 1]))
  yield* Model.sample("unrelated", Dist.normal(1, 2))
  const split = Prior.depthDecay(0.9, 1)
  const [forest, included] = yield* Model.plate(
    "trees",
    2,
    Effect.all([
      Tree.prior({ grammar, depth, split, operators, features }),
      Model.sample("included", Dist.bernoulli(inclusion)),
    ]),
  )
  const site = yield* Model.sample("link", Dist.categorical(linkWeights))
  yield* Model.observe("y", Likelihood.selectedLinear(forest, { included, link: { site, links } }))
})

const [a, b] = [Tree.leaf(0), Tree.leaf(1)]
const product = Tree.branch(0, [a, b])
const sine = Tree.branch(1, [a])
const ensembles = [
  { link: 1, trees: [product, sine], weight: 0.75 },
  { link: 0, trees: [sine], weight: 0.25 },
]

const setup = (
  family: ReturnType<typeof Family.treeConditional<void, Model.SitesOf<typeof model>>> = Family.meanField(
    model,
  ),
) =>
  Effect.gen(function* () {
    const plan = yield* Plan.trace(model).pipe(Effect.provide(family))
    const projection = yield* Projection.make(plan)
    const start = Elbo.initialParameters(plan, Rng.key(1))
    const moments = (flat: Float64Array, name: string) => {
      const { factor } = Plan.site(plan, name)
      const slots = Plan.parametersOf(plan, name, flat)
      return factor.moments(
        Nd.algebra,
        factor.parameters.map(({ shape }, index) => Nd.of(shape, slots[index]!)),
      )
    }
    const mean = (flat: Float64Array, name: string) => Array.from(moments(flat, name).mean.data)
    return { plan, projection, start, moments, mean }
  })

describe("a move to weighted ensembles", () => {
  it.effect("puts their shares into every site, slots told apart", () =>
    Effect.gen(function* () {
      const { plan, projection, start, mean } = yield* setup()
      const before = Float64Array.from(start)
      const end = projection.move(start, ensembles, 1)
      expect(start).toEqual(before)
      const close = (found: ReadonlyArray<number>, expected: ReadonlyArray<number>) =>
        expected.forEach((value, i) => expect(found[i]).toBeCloseTo(value, 3))
      const included = mean(end, "trees.included")
      // The slot of the sine is in both ensembles, that of the product in the first only.
      const slot = included[0]! > included[1]! ? 0 : 1
      close(included, slot === 0 ? [1, 0.75] : [0.75, 1])
      close(mean(end, "link"), [0.25, 0.75])
      const split = mean(end, "trees.split")
      const nodes = 7
      const at = (k: number, node: number) => k * nodes + node
      close([split[at(slot, 0)]!, split[at(slot, 1)]!], [1, 0])
      close(
        [0, 1, 2].map((node) => split[at(1 - slot, node)]!),
        [1, 0, 0],
      )
      // Below the only operand of a sine nothing is known, and at the maximum depth nothing is decided.
      const first = mean(start, "trees.split")
      for (const node of [2, 3, 6]) expect(split[at(slot, node)]).toBeCloseTo(first[at(slot, node)]!, 12)
      const operator = mean(end, "trees.operator")
      close(operator.slice(3 * at(slot, 0), 3 * at(slot, 0) + 3), [0, 1, 0])
      close(operator.slice(3 * at(1 - slot, 0), 3 * at(1 - slot, 0) + 3), [1, 0, 0])
      const terminal = mean(end, "trees.terminal")
      close(terminal.slice(2 * at(1 - slot, 1), 2 * at(1 - slot, 1) + 4), [1, 0, 0, 1])
      close(terminal.slice(2 * at(slot, 1), 2 * at(slot, 1) + 2), [1, 0])
      expect(Plan.parametersOf(plan, "unrelated", end)).toEqual(Plan.parametersOf(plan, "unrelated", start))
    }),
  )

  it.effect("gives weights and probabilities the counts of each ensemble", () =>
    Effect.gen(function* () {
      const { projection, start, moments } = yield* setup()
      const end = projection.move(start, ensembles, 1)
      const logOf = (...concentrations: ReadonlyArray<ReadonlyArray<number>>) => {
        const logs = concentrations.map((c) => {
          const total = digamma(c.reduce((sum, value) => sum + value, 0))
          return c.map((value) => digamma(value) - total)
        })
        return logs[0]!.map((log, k) => 0.75 * log + 0.25 * logs[1]![k]!)
      }
      const check = (found: Nd.Nd | undefined, expected: ReadonlyArray<number>) =>
        expected.forEach((value, k) => expect(found!.data[k]).toBeCloseTo(value, 8))
      // A product and a sine; a sine alone.
      check(moments(end, "operatorWeights").log, logOf([2, 3, 3], [1, 3, 3]))
      check(moments(end, "featureWeights").log, logOf([3, 2], [2, 1]))
      check(moments(end, "linkWeights").log, logOf([3, 2], [4, 1]))
      // Two of two are in; one of two.
      const [log, log1m] = logOf([4, 1], [3, 2])
      const inclusion = moments(end, "inclusion")
      expect(inclusion.log!.data[0]).toBeCloseTo(log!, 8)
      expect(inclusion.log1m!.data[0]).toBeCloseTo(log1m!, 8)
    }),
  )

  it.effect("decides nothing at the maximum depth, and everything above it", () =>
    Effect.gen(function* () {
      const { projection, start, mean } = yield* setup()
      // A sum of a sine and b: the sine's operand is as deep as can be.
      const deep = Tree.branch(2, [sine, b])
      const end = projection.move(start, [{ link: 0, trees: [deep], weight: 1 }], 1)
      const slot = mean(end, "trees.included")[0]! > 0.5 ? 0 : 1
      const [before, after] = [start, end].map((flat) =>
        mean(flat, "trees.split").slice(7 * slot, 7 * slot + 7),
      )
      expect(after!.slice(0, 3).map(Math.round)).toEqual([1, 1, 0])
      expect(after!.slice(3)).toEqual(before!.slice(3).map((p) => expect.closeTo(p, 12)))
      expect(mean(end, "trees.terminal")[2 * (7 * slot + 3)]).toBeCloseTo(1, 3)
    }),
  )

  it.effect("gives a tree the slot that q has in", () =>
    Effect.gen(function* () {
      const { plan, projection, start, mean } = yield* setup(
        Family.meanField(model, { logitsClip: 10, initialScale: 0 }),
      )
      for (const slot of [0, 1]) {
        // Slots are alike but for their indicators.
        const flat = Float64Array.from(start)
        Plan.parametersOf(plan, "trees.included", flat)[0]!.set(slot === 0 ? [2, -2] : [-2, 2])
        const end = projection.move(flat, [{ link: 0, trees: [sine], weight: 1 }], 1)
        expect(Math.round(mean(end, "trees.included")[slot]!)).toBe(1)
      }
    }),
  )

  it.effect("comes closer with every move, whatever the order of the trees", () =>
    Effect.gen(function* () {
      const { plan, projection, start } = yield* setup(Family.treeConditional(model))
      const swapped = ensembles.map((one) => ({ ...one, trees: one.trees.toReversed() }))
      let flat = start
      const found: Array<number> = []
      for (let round = 0; round < 12; round++) {
        const operator = Plan.site(plan, "trees.operator").factor
        const values = new Float64Array(14).fill(NaN)
        // A product at one root and a sine at the other, in either order.
        const logs = [0, 1].map((first) => {
          values[0] = first
          values[7] = 1 - first
          return operator.logDensity!(Plan.parametersOf(plan, "trees.operator", flat), values)[0]!
        })
        found.push(Math.max(...logs))
        flat = projection.move(flat, round % 2 === 0 ? swapped : ensembles, 0.3)
      }
      found.slice(1).forEach((log, i) => expect(log).toBeGreaterThan(found[i]!))
      expect(found.at(-1)).toBeGreaterThan(Math.log(0.9))
    }),
  )
})

describe("weights at a temperature", () => {
  const count = (weights: ReadonlyArray<number>): number => 1 / weights.reduce((sum, w) => sum + w * w, 0)

  it("count for as many ensembles as they are told to, and no temperature is below 1", () => {
    const scores = Array.from({ length: 50 }, (_, i) => -30 * i)
    for (const breadth of [2, 8, 30]) {
      const { temperature, weights } = temper(scores, breadth)
      expect(count(weights)).toBeCloseTo(breadth, 4)
      expect(temperature).toBeGreaterThan(1)
    }
    const plain = temper([0, -Math.log(3)], 1)
    expect(plain.temperature).toBe(1)
    expect(plain.weights[0]).toBeCloseTo(0.75, 12)
    // Equal scores are as wide as can be.
    expect(temper([5, 5, 5], 2).temperature).toBe(1)
    // More than there are cannot be had.
    expect(count(temper([0, -1000], 10).weights)).toBeCloseTo(1.8, 3)
  })
})
