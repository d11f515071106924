// A restricted prior, from the declaration to the ranking of what a search has found, against the exact posterior.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Search from "../../../src/search/Search.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Restriction from "../../../src/prob/tree/Restriction.ts"
import * as Ranking from "../../../src/rank/Ranking.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Family from "../../../src/vi/Family.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin, Operator.sub] })
const generator = Rng.generator(Rng.key(21))
const X = Array.from({ length: 40 }, () => [1 + generator.next(), 3 * generator.next()] as const)
const y = X.map(([a, b]) => Math.sin(a) * Math.sin(b) + 0.3 * a + 0.2 * generator.normal())

const modelOf = (split: Prior.Split, restrictions: ReadonlyArray<Tree.Restriction>) =>
  Model.gen(function* () {
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(3, 1))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
    const trees = yield* Model.plate(
      "trees",
      1,
      Tree.prior({ grammar, depth: 2, split, operators, features, restrictions }),
    )
    yield* Model.observe("y", Likelihood.conjugateLinear(trees, { mu0: 0, sigma0: 10, a0: 2, b0: 0.1 }))
  })

const decay = Prior.depthDecay(0.9, 0.5)
const cases: ReadonlyArray<readonly [string, Prior.Split, ReadonlyArray<Tree.Restriction>]> = [
  ["none", decay, []],
  ["a table of split probabilities", Prior.splitTable([0.8, 0.3]), []],
  ["at most 4 nodes", decay, [Tree.atMostNodes(4)]],
  ["at most one sine, and no sub", decay, [Tree.atMostUses("sin", 1), Tree.atMostUses("sub", 0)]],
  [
    "a function of the tree",
    decay,
    [Tree.logPrior((tree) => (tree._tag === "Branch" && tree.operator === 2 ? -4 : 1 - Tree.size(tree) / 3))],
  ],
  ["a law with b", decay, [Tree.contains("b")]],
  ["a law with one sine at most", decay, [Tree.inLaw(Tree.atMostUses("sin", 1))]],
  [
    "no sine inside of a product, and differences of a",
    decay,
    [Tree.notInside("sin", "mul"), Tree.over("sub", ["a"])],
  ],
  ["no powers but the first", decay, [Tree.exponents(0, 1)]],
  ["a root that is no leaf", decay, [Tree.logPrior((tree) => (tree._tag === "Leaf" ? -Infinity : 0))]],
]

describe.each(cases)("a prior restricted by: %s", (_, split, restrictions) => {
  const model = modelOf(split, restrictions)
  const law = TreePrior.ofLaw({ grammar, restrictions })
  const log = (tree: Tree.Tree): number =>
    Restriction.compile(grammar, restrictions).log(tree) + (law?.(0, [tree]) ?? 0)
  const allowed = (tree: Tree.Tree): boolean => log(tree) > -Infinity

  it.live(
    "ranks what a search finds as enumeration does, and the search keeps nothing that it excludes",
    () =>
      Effect.gen(function* () {
        const data = yield* Data.fromRows({ X, y, features: ["a", "b"] })
        const posterior = yield* Search.fit(model, data, { library: 200, patience: 40 }).pipe(
          Effect.provide([Stop.layer({ steps: 120 }), Fit.seed(3)]),
        )
        const { likelihood, sites } = posterior.plan
        const prior = yield* TreePrior.of(likelihood.forest, sites)
        const exact = yield* Enumerate.enumerate(likelihood, prior, data)
        const archive = posterior.archive.ensembles
        expect(archive.length).toBeGreaterThan(5)
        expect(archive.flatMap(({ trees }) => trees).filter((tree) => !allowed(tree))).toEqual([])

        const scorer = yield* Scorer.make(posterior.plan, { train: data })
        const { models } = yield* Ranking.fromArchive(
          scorer,
          likelihood,
          archive.filter(({ trees }) => trees.length === 1),
        )
        // The best of all is among what was found; those of equal values are one.
        expect(models[0]!.lmpse).toBeCloseTo(exact.ensembles[0]!.lmpse, 8)
        const enumerated = new Map(exact.ensembles.map((one) => [one.trees.map(Tree.key).join(" "), one]))
        const found = models.map(({ ensemble }) => enumerated.get(ensemble.key)!)
        const total = found.reduce((sum, { posterior }) => sum + posterior, 0)
        models.forEach((one, i) => {
          expect(one.lmpse).toBeCloseTo(found[i]!.lmpse, 8)
          expect(one.posterior).toBeCloseTo(found[i]!.posterior / total, 8)
        })
      }),
  )

  it.effect("is enumerated as the unrestricted prior times r, normalised", () =>
    Effect.gen(function* () {
      const data = yield* Data.fromRows({ X, y, features: ["a", "b"] })
      const spaceOf = (restricted: ReadonlyArray<Tree.Restriction>) => {
        const other = modelOf(split, restricted)
        return Effect.gen(function* () {
          const plan = yield* Plan.trace(other).pipe(Effect.provide(Family.meanField(other)))
          const prior = yield* TreePrior.of(plan.likelihood.forest, plan.sites)
          return { prior, space: yield* Enumerate.enumerate(plan.likelihood, prior, data) }
        })
      }
      const { space, prior } = yield* spaceOf(restrictions)
      const { space: free } = yield* spaceOf([])
      expect(free.logPriorMass).toBeCloseTo(0, 10)
      const last = Math.log1p(-Prior.splitProbability(split, 2))
      let [mass, marginal, lmpse] = [0, 0, 0]
      const kept = free.ensembles.filter(({ trees: [tree] }) => allowed(tree!))
      for (const one of kept) {
        const drawn = one.logPrior - TreePrior.deepest(prior, one.trees) * last + log(one.trees[0]!)
        mass += one.orders * Math.exp(drawn)
        marginal += one.orders * Math.exp(drawn + one.logEvidence)
        lmpse += Math.exp(one.lmpse + log(one.trees[0]!))
      }
      expect(space.ensembles).toHaveLength(kept.length)
      expect(space.logPriorMass).toBeCloseTo(Math.log(mass), 10)
      expect(space.logMarginal).toBeCloseTo(Math.log(marginal), 9)
      for (const one of space.ensembles) {
        const before = kept.find(({ trees }) => Tree.key(trees[0]!) === Tree.key(one.trees[0]!))!
        expect(one.lmpse).toBeCloseTo(before.lmpse + log(one.trees[0]!), 10)
        expect(one.posterior).toBeCloseTo(Math.exp(one.lmpse) / lmpse, 10)
      }
    }),
  )
})

it.effect("a prior that excludes every tree is said to", () =>
  Effect.gen(function* () {
    const data = yield* Data.fromRows({ X, y, features: ["a", "b"] })
    const model = modelOf(decay, [Tree.logPrior(() => -Infinity, "nothing at all")])
    const plan = yield* Plan.trace(model).pipe(Effect.provide(Family.meanField(model)))
    const prior = yield* TreePrior.of(plan.likelihood.forest, plan.sites)
    const error = yield* Effect.flip(Enumerate.enumerate(plan.likelihood, prior, data))
    expect(error.message).toContain("the prior excludes every tree of depth 2 or less: nothing at all")
  }),
)
