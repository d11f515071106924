import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Elbo from "../../../src/vi/Elbo.ts"
import * as Rng from "../../../src/random/Rng.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin, Operator.add] })

/** A site of every support, with priors that are all different. */
const model = Model.gen(function* () {
  const scale = yield* Model.sample("scale", Dist.gamma(2, 1))
  const rate = yield* Model.sample("rate", Dist.beta(2, 5))
  yield* Model.sample("offset", Dist.normal(1.5, 0.25))
  yield* Model.sample("drift", Dist.normal(0, scale))
  yield* Model.sample("flag", Dist.bernoulli(rate))
  yield* Model.sampleEach("levels", [Dist.normal(1, 2), Dist.normal(-3, 4)])
  const operators = yield* Model.sample("operatorWeights", Dist.dirichlet([1, 2, 3]))
  const features = yield* Model.sample("featureWeights", Dist.dirichlet([0.5, 4]))
  const prior = Tree.prior({ grammar, depth: 1, split: Prior.depthDecay(0.8, 1), operators, features })
  const forest = yield* Model.plate("trees", 2, prior)
  yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 1, a0: 1, b0: 1 }))
})

const logit = (p: number): number => Math.log(p) - Math.log1p(-p)

describe("the mean-field family", () => {
  it.effect("has the factor of its support for every site", () =>
    Effect.gen(function* () {
      const plan = yield* Plan.trace(model)
      expect(plan.sites.map(({ name, factor }) => [name, factor.name])).toEqual([
        ["scale", "LogNormal(loc, log scale)"],
        ["rate", "Beta(log a, log b)"],
        ["offset", "Normal(loc, log scale)"],
        ["drift", "Normal(loc, log scale)"],
        ["flag", "Bernoulli(logit)"],
        ["levels", "Normal(loc, log scale)"],
        ["operatorWeights", "Dirichlet(log concentration)"],
        ["featureWeights", "Dirichlet(log concentration)"],
        ["trees.split", "Bernoulli(logit)"],
        ["trees.operator", "Categorical(logits)"],
        ["trees.terminal", "Categorical(logits)"],
      ])
    }).pipe(Effect.provide(Family.meanField(model))),
  )

  it.effect("starts at the priors, and uniform where they are latent", () =>
    Effect.gen(function* () {
      const plan = yield* Plan.trace(model)
      const start = Elbo.initialParameters(plan, Rng.key(1))
      const of = (site: string) => Plan.parametersOf(plan, site, start).map((slot) => Array.from(slot))
      expect(of("scale")).toEqual([[0], [0]])
      expect(of("rate")).toEqual([[Math.log(2)], [Math.log(5)]])
      expect(of("offset")).toEqual([[1.5], [Math.log(0.25)]])
      expect(of("drift")).toEqual([[0], [0]])
      expect(of("levels")).toEqual([
        [1, -3],
        [Math.log(2), Math.log(4)],
      ])
      expect(of("operatorWeights")).toEqual([[1, 2, 3].map(Math.log)])
      expect(of("featureWeights")).toEqual([[0.5, 4].map(Math.log)])
      expect(of("flag")).toEqual([[0]])
      const priors = [0.8, 0.4, 0.4, 0.8, 0.4, 0.4].map(logit)
      of("trees.split")[0]!.forEach((l, i) => expect(l).toBeCloseTo(priors[i]!, 12))
      expect(new Set(of("trees.operator")[0])).toEqual(new Set([0]))
    }).pipe(Effect.provide(Family.meanField(model, { logitsClip: 10, initialScale: 0 }))),
  )

  it.effect("scatters the initial logits by 0.01, differently for each seed", () =>
    Effect.gen(function* () {
      const plan = yield* Plan.trace(model)
      const of = (seed: number) =>
        Plan.parametersOf(plan, "trees.operator", Elbo.initialParameters(plan, Rng.key(seed)))[0]!
      expect(of(1)).toEqual(of(1))
      expect(of(1)).not.toEqual(of(2))
      const all = Array.from({ length: 40 }, (_, seed) => Array.from(of(seed))).flat()
      const sd = Math.sqrt(all.reduce((sum, z) => sum + z * z, 0) / all.length)
      // 720 draws: the standard deviation is known to 2.6 %.
      expect(sd / 0.01).toBeGreaterThan(0.87)
      expect(sd / 0.01).toBeLessThan(1.13)
    }).pipe(Effect.provide(Family.meanField(model))),
  )
})

describe("the family of trees whose operators depend on each other", () => {
  it.effect("is mean-field but for the operators of trees", () =>
    Effect.gen(function* () {
      const names = (family: typeof Family.treeConditional) =>
        Effect.map(Plan.trace(model).pipe(Effect.provide(family(model))), ({ sites }) =>
          sites.map(({ name, factor }) => `${name}: ${factor.name}`),
        )
      const meanField = yield* names(Family.meanField)
      const conditional = yield* names(Family.treeConditional)
      expect(conditional.filter((line) => !meanField.includes(line))).toEqual([
        "trees.operator: Categorical(logits | parent)",
      ])
      expect(conditional).toHaveLength(meanField.length)
    }),
  )

  it.effect("has a table of its own for each tree, and starts uniform", () =>
    Effect.gen(function* () {
      const plan = yield* Plan.trace(model)
      const slots = plan.parameters.filter(({ site }) => site === "trees.operator")
      expect(slots.map(({ name, shape }) => [name, shape])).toEqual(
        ["root", "below0", "below1", "below2"].map((name) => [name, [2, 1, 3]]),
      )
      const start = Elbo.initialParameters(plan, Rng.key(1))
      for (const slot of Plan.parametersOf(plan, "trees.operator", start))
        expect(new Set(slot)).toEqual(new Set([0]))
    }).pipe(Effect.provide(Family.treeConditional(model, { logitsClip: 10, initialScale: 0 }))),
  )
})

describe("a family site by site", () => {
  const { factors } = Family
  const sites = {
    scale: factors.logNormal(),
    rate: factors.beta(),
    offset: factors.normal(),
    drift: factors.normal(),
    levels: factors.normal(),
    flag: factors.bernoulli(),
    operatorWeights: factors.dirichlet(),
    featureWeights: factors.dirichlet(),
    "trees.split": factors.bernoulli({ logitsClip: 3, initialScale: 0 }),
    "trees.operator": factors.categorical(),
    "trees.terminal": factors.categorical(),
  }

  it.effect("uses the maker under the site's name", () =>
    Effect.gen(function* () {
      const plan = yield* Plan.trace(model)
      const { factor } = Plan.site(plan, "trees.split")
      // Clipped at 3 a logit of 50 leaves a probability of 0.047 for 0.
      const draws = factor.sample(Rng.key(1), [new Float64Array(6).fill(50)], 500)
      expect(draws.filter((e) => e === 0).length).toBeGreaterThan(80)
    }).pipe(Effect.provide(Family.make(model)(sites))),
  )

  it.effect("complains by name about a site that escaped the types", () =>
    Effect.gen(function* () {
      const { flag: _, ...rest } = sites
      // What a JavaScript user may do.
      const family = Family.make(model)(rest as typeof sites)
      const exit = yield* Effect.exit(Plan.trace(model).pipe(Effect.provide(family)))
      expect(String(exit)).toContain('Die(CompileError: the family has no factor for the site "flag")')
    }),
  )
})
