import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as EnsemblePrior from "../../../src/evidence/ensemblePrior.ts"
import { engine as scalar } from "../../../src/vi/engines/oracle/engine.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import { engine as simd } from "../../../src/vi/engines/simd/engine.ts"
import { engine as tfjs } from "../../../src/vi/engines/tfjs/engine.ts"
import { dot, page } from "../../../src/prob/planText.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Noise from "../../../src/evidence/Noise.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Sym from "../../../src/prob/Sym.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Law from "../../../src/models/law.ts"
import { softTrees } from "../../support/ensembles.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.sub, Operator.sin] })

/** A model of two trees without indicators or links. */
const declare = (observed: (forest: Tree.Forest) => Likelihood.Likelihood) =>
  Model.gen(function* () {
    const operators = yield* Model.sample("operatorWeights", Dist.dirichlet([1, 2]))
    const features = yield* Model.sample("featureWeights", Dist.dirichlet([0.5, 1]))
    const prior = Tree.prior({ grammar, depth: 1, split: Prior.depthDecay(0.7, 1), operators, features })
    yield* Model.observe("y", observed(yield* Model.plate("trees", 2, prior)))
  })

const forest: Tree.Forest = {
  _tag: "Forest",
  grammar,
  depth: 1,
  split: Prior.depthDecay(0.7, 1),
  trees: 2,
  weights: {
    operators: Sym.make("operatorWeights", "simplex", [], 2),
    terminals: Sym.make("featureWeights", "simplex", [], 2),
  },
  sites: { split: "trees.split", operator: "trees.operator", terminal: "trees.terminal" },
}
const included = Sym.make("trees.included", "binary", [2])
const linkSite = (size: number, shape: ReadonlyArray<number> = []): Sym.Sym<"categorical"> => ({
  _tag: "Sym",
  site: "link",
  support: "categorical",
  shape,
  size,
})

describe("Likelihood.selectedLinear", () => {
  it("has defaults", () => {
    expect(Likelihood.selectedLinear(forest)).toMatchObject({
      name: "selected linear",
      forest,
      coefficients: { _tag: "HyperG", a: 3 },
      resolution: 1e-7,
      included: undefined,
      link: undefined,
    })
    const links = [Link.identity, Link.log]
    expect(Likelihood.selectedLinear(forest, { link: { site: linkSite(2), links } }).link?.noise).toBe(
      "response",
    )
  })

  it("takes relaxed trees unless something is chosen among hard ones", () => {
    const link = { site: linkSite(2), links: [Link.identity, Link.log] }
    expect(Likelihood.selectedLinear(forest).relaxed?.conjugate).toBeUndefined()
    expect(Likelihood.selectedLinear(forest).relaxed).toBeDefined()
    for (const options of [{ included }, { link }, { noise: Noise.latent() }])
      expect(Likelihood.selectedLinear(forest, options).relaxed).toBeUndefined()
  })

  it.each([
    [() => Likelihood.hyperG(2), "a of the hyper-g/n prior must be above 2"],
    [() => Likelihood.selectedLinear(forest, { resolution: 1 }), "resolution must lie in [0, 1)"],
    [() => Likelihood.selectedLinear(forest, { resolution: Number.NaN }), "resolution must lie in [0, 1)"],
    [
      () => Likelihood.selectedLinear(forest, { included: Sym.make("trees.included", "binary", [3]) }),
      'the site "trees.included" has 3 indicators',
    ],
    [
      () => Likelihood.selectedLinear(forest, { included: Sym.make("others.included", "binary", [2]) }),
      "sample it inside the trees' plate",
    ],
    [
      () => Likelihood.selectedLinear(forest, { link: { site: linkSite(3), links: [Link.log] } }),
      "has 3 categories, but there are 1 links",
    ],
    [
      () => Likelihood.selectedLinear(forest, { link: { site: linkSite(2), links: [Link.log, Link.log] } }),
      'the link "log" is given twice',
    ],
    [
      () => Likelihood.selectedLinear(forest, { link: { site: linkSite(1, [2]), links: [Link.log] } }),
      "lies inside a plate",
    ],
  ])("complains: %#", (declaration, message) => {
    expect(declaration).toThrow(Likelihood.LikelihoodError)
    expect(declaration).toThrow(message)
  })
})

describe("a plan that selects", () => {
  const model = Law.model(grammar, { trees: 2, depth: 2 })
  const traced = Plan.trace(model).pipe(Effect.provide(Family.meanField(model)))
  const data = {
    features: ["a", "b"],
    columns: [Float64Array.of(1, 2, 3), Float64Array.of(3, 1, 2)],
    target: "y",
    y: Float64Array.of(1, 2, 1),
    rows: 3,
  }

  it.effect("has its sites in its picture", () =>
    Effect.gen(function* () {
      const plan = yield* traced
      expect(page(plan)).toMatch(/trees\.included +binary +\[2\]/)
      expect(page(plan)).toContain("draw link")
      expect(dot(plan)).toContain("draw trees.included")
    }),
  )

  it.effect.each([scalar, simd, tfjs].map((engine) => [engine.name, engine] as const))(
    "is refused by the engine %s with one message",
    ([, engine]) =>
      Effect.gen(function* () {
        const plan = yield* traced
        const objective = { samples: 1, combine: <T>(_: unknown, evidence: T) => evidence }
        const compile = Effect.scoped(engine.compile(plan, data, softTrees(undefined), objective))
        expect((yield* Effect.flip(compile)).message).toBe(
          'the likelihood of "y" takes hard trees only: inclusion indicators, links of the response, known forms and kinds of noise have no relaxation; leave them out, or use Search.fit or Inclusive.fit',
        )
      }),
  )

  it.effect("is not enumerated, but its sets are", () =>
    Effect.gen(function* () {
      const { likelihood, sites } = yield* traced
      const prior = yield* TreePrior.of(likelihood.forest, sites)
      const error = yield* Effect.flip(Enumerate.enumerate(likelihood, prior, data))
      expect(error.message).toContain("rank Enumerate.sets of trees instead")
      expect([...Enumerate.sets(["p", "q", "r"], 2)].map((set) => set.join(""))).toEqual([
        "",
        "p",
        "q",
        "r",
        "pq",
        "pr",
        "qr",
      ])
    }),
  )

  it.effect("names a site that the model does not sample", () =>
    Effect.gen(function* () {
      const forgetful = declare((trees) => Likelihood.selectedLinear(trees, { included }))
      const error = yield* Effect.flip(
        Plan.trace(forgetful).pipe(Effect.provide(Family.meanField(forgetful))),
      )
      expect(error.message).toBe(
        'the likelihood of "y" needs the site "trees.included", which the model does not sample',
      )
    }),
  )
})

type Sites = Parameters<typeof EnsemblePrior.of>[1]
const weights: Sites = [
  { name: "operatorWeights", prior: { _tag: "Shared", dist: Dist.dirichlet([1, 2]) } },
  { name: "featureWeights", prior: { _tag: "Shared", dist: Dist.dirichlet([0.5, 1]) } },
]
const shared = (name: string, dist: Dist.Dist): Sites[number] => ({
  name,
  prior: { _tag: "Shared", dist },
})
const rate = Sym.make("rate", "unit", [])
const conditional: Sites[number] = {
  name: "trees.included",
  prior: { _tag: "Shared", dist: Dist.bernoulli(rate) },
}

describe("the prior of ensembles", () => {
  const trees = [...Enumerate.trees(grammar, 1)]
  const treePrior = Effect.runSync(TreePrior.of(forest, weights))
  const last = Math.log1p(-Prior.splitProbability(forest.split, 1))
  const joint = TreePrior.logPrior(treePrior)

  it.each([
    ["a fixed probability", [shared("trees.included", Dist.bernoulli(0.3))], 0.3 ** 2],
    // E[p^2] = a (a + 1) / ((a + b) (a + b + 1))
    ["a latent one", [conditional, shared("rate", Dist.beta(2, 3))], (2 * 3) / (5 * 6)],
  ] as const)("sums to the probability that included trees differ, with %s", (_, sites, both) => {
    const likelihood = Likelihood.selectedLinear(forest, { included })
    const { logPrior } = Effect.runSync(EnsemblePrior.of(likelihood, [...weights, ...sites]))
    // Without the factors of leaves at the maximum depth, which no draw makes.
    const mass = (set: ReadonlyArray<Tree.Tree>): number =>
      Math.exp(logPrior(0, set) - TreePrior.deepest(treePrior, set) * last)
    let total = mass([])
    let equal = 0
    trees.forEach((first, i) => {
      total += mass([first])
      trees.slice(i + 1).forEach((second) => (total += mass([first, second])))
      const twice = [first, first]
      equal += both * Math.exp(joint(twice) - TreePrior.deepest(treePrior, twice) * last)
    })
    expect(equal).toBeGreaterThan(0.01)
    expect(total + equal).toBeCloseTo(1, 12)
  })

  it("adds the link's prior", () => {
    const links = [Link.identity, Link.log]
    const of = (dist: Sites[number], ...more: Sites) =>
      Effect.runSync(
        EnsemblePrior.of(Likelihood.selectedLinear(forest, { link: { site: linkSite(2), links } }), [
          ...weights,
          dist,
          ...more,
        ]),
      )
    const pair = trees.slice(0, 2)
    const fixed = of(shared("link", Dist.categorical([0.9, 0.1])))
    expect(fixed.logPrior(1, pair)).toBeCloseTo(Math.log(0.1) + Math.log(2) + joint(pair), 12)
    const latent = of(
      { name: "link", prior: { _tag: "Shared", dist: Dist.categorical(Sym.make("w", "simplex", [], 2)) } },
      shared("w", Dist.dirichlet([1, 3])),
    )
    expect(latent.links.map(Math.exp)).toEqual([expect.closeTo(0.25, 12), expect.closeTo(0.75, 12)])
  })

  it("is nothing for what cannot be", () => {
    const all = Effect.runSync(EnsemblePrior.of(Likelihood.selectedLinear(forest), weights))
    expect(all.logPrior(0, trees.slice(0, 1))).toBe(-Infinity)
    expect(all.logPrior(0, trees.slice(0, 3))).toBe(-Infinity)
    expect(all.logPrior(1, trees.slice(0, 2))).toBe(-Infinity)
    expect(all.logPrior(0, trees.slice(0, 2))).toBeCloseTo(Math.log(2) + joint(trees.slice(0, 2)), 12)
  })

  it.effect("says what it cannot integrate out", () =>
    Effect.gen(function* () {
      const likelihood = Likelihood.selectedLinear(forest, { included })
      const error = yield* Effect.flip(EnsemblePrior.of(likelihood, weights))
      expect(error.message).toContain('the site "trees.included" needs a Bernoulli prior')
      const linked = Likelihood.selectedLinear(forest, { link: { site: linkSite(1), links: [Link.log] } })
      expect((yield* Effect.flip(EnsemblePrior.of(linked, weights))).message).toContain(
        'the site "link" needs a categorical prior',
      )
    }),
  )
})
