import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Plan from "../../../src/prob/Plan.ts"
import { sympy } from "../../../src/expr/text/sympy.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Nd from "../../../src/numeric/Nd.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import type { Memory } from "../../../src/inclusive/FamilyDraws.ts"
import * as Inclusive from "../../../src/inclusive/Inclusive.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Posterior from "../../../src/infer/Posterior.ts"
import type * as Search from "../../../src/search/Search.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as FormPrior from "../../../src/models/FormPrior.ts"
import * as Law from "../../../src/models/law.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

// Both models, with both families.

const generator = Rng.generator(Rng.key(11))
const X = Array.from({ length: 120 }, () => [1 + generator.next(), 3 * generator.next()] as const)
const noise = X.map(() => 0.02 * generator.normal())
const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.add, Operator.mul, Operator.sin],
})
const source = (law: (a: number, b: number) => number) =>
  Data.fromRows({ X, y: X.map(([a, b], i) => law(a, b) + noise[i]!), features: ["a", "b"] })

const paper = Vasst.model(grammar, 3, 3)
const law = Law.model(grammar, { trees: 2, depth: 3, links: [Link.identity, Link.square] })

/** Settings of a short search, and when it ends at the latest. */
const short = { library: 400, patience: 100 }
const until = Stop.layer({ steps: 250 })

/** The tree of each slot in the most frequent ensemble of draws, and its share. */
const mode = (
  posterior: Posterior.Posterior,
): { readonly trees: ReadonlyArray<string>; readonly share: number } => {
  const { forest } = posterior.plan.likelihood
  const count = 200
  const draws = Posterior.draws(posterior, forest, Rng.key(1), count)
  const nodes = draws.split.length / count / forest.trees
  const seen = new Map<string, number>()
  for (let h = 0; h < count; h++) {
    const trees = Array.from({ length: forest.trees }, (_, k) =>
      Tree.key(Tree.prune(grammar, forest.depth, draws, (h * forest.trees + k) * nodes)),
    )
    const key = trees.join(" ")
    seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  const [best] = [...seen].sort(([, a], [, b]) => b - a)
  return { trees: best![0].split(" "), share: best![1] / count }
}

const mixed: typeof Family.treeConditional = (model) =>
  Family.mixture(
    model,
    [0, 1].map(() => Family.meanField(model, { initialScale: 1 })),
  )

describe("the paper's model with Inclusive.fit", () => {
  const run = (family: typeof Family.treeConditional) =>
    Effect.gen(function* () {
      const data = yield* source((a, b) => 2 * a * b + 3 * Math.sin(b))
      const posterior = yield* Inclusive.fit(paper, data, short).pipe(
        Effect.provide([family(paper), until, Fit.seed(3)]),
      )
      return { data, posterior, ranking: yield* Rank.fromPosterior({ train: data, draws: 10 })(posterior) }
    })

  it.live.each([
    ["mean field", Family.meanField],
    ["trees given parents", Family.treeConditional],
    ["trees in pre-order", Family.autoregressive],
    ["a mixture", mixed],
  ] as const)("finds a law of two terms with three trees, by %s", ([, family]) =>
    Effect.gen(function* () {
      const { posterior, ranking } = yield* run(family)
      const [best] = ranking.models
      expect(best!.ensemble.trees).toHaveLength(3)
      expect(best!.ensemble.key).toContain("o1(t0,t1)")
      expect(best!.ensemble.key).toContain("o2(t1)")
      expect(sympy(best!.expression)).toMatch(/a\*b|b\*a/)
      expect(best!.rmseTrain).toBeLessThan(0.03)
      // The variational posterior has come to the same law.
      expect(posterior.parameters.every(Number.isFinite)).toBe(true)
      const { trees } = mode(posterior)
      expect(trees).toEqual(expect.arrayContaining(["o1(t0,t1)", "o2(t1)"]))
    }),
  )
})

describe("the law model with Inclusive.fit", () => {
  const fit = (family: typeof Family.treeConditional, share?: number) =>
    Effect.gen(function* () {
      const data = yield* source((a, b) => Math.sqrt(2 * a * b + 5))
      const infos: Array<Search.Step> = []
      const algorithm = yield* Inclusive.algorithm(
        law,
        data,
        share === undefined ? short : { ...short, share },
      )
      const { state, seed } = yield* Fit.last(algorithm, (info) => infos.push(info))
      // The memory of the draws, the last of the moves.
      const { round } = state.algorithm.core.memories.at(-1) as Memory
      return { data, posterior: Fit.summarise(algorithm, state, seed), infos, round }
    }).pipe(Effect.provide([family(law), until, Fit.seed(5)]))

  it.live.each([
    ["mean field", Family.meanField],
    ["trees given parents", Family.treeConditional],
    ["trees in pre-order", Family.autoregressive],
    ["a mixture", mixed],
  ] as const)("moves every site of the family to what was found, by %s", ([, family]) =>
    Effect.gen(function* () {
      const { data, posterior, round } = yield* fit(family)
      const ranking = yield* Rank.fromPosterior({ train: data, draws: 10 })(posterior)
      expect(ranking.models[0]!.ensemble.key).toBe("g1 o1(t0,t1)")
      const share = (site: string, value: number): number => {
        const drawn = Posterior.sampleSite(posterior, site, Rng.key(2), 400)
        return drawn.filter((x) => x === value).length / drawn.length
      }
      expect(share("link", 1)).toBeGreaterThan(0.9)
      // One tree of two is in.
      expect(Math.abs(share("trees.included", 1) - 0.5)).toBeLessThan(0.1)
      expect(mode(posterior).trees).toContain("o1(t0,t1)")
      // One multiplication was found: the Dirichlet prior with one use more of the second operator, or near to it.
      const uses = FormPrior.of(grammar).operators.map((concentration, k) => concentration + Number(k === 1))
      const total = uses.reduce((sum, use) => sum + use, 0)
      const { mean } = Plan.site(posterior.plan, "operatorWeights").factor.moments(
        Nd.algebra,
        Plan.parametersOf(posterior.plan, "operatorWeights", posterior.parameters).map((slot) => ({
          shape: [slot.length],
          data: slot,
        })),
      )
      expect(Array.from(mean.data, (w) => Math.round(100 * w))).toEqual(
        uses.map((use) => Math.round((100 * use) / total)),
      )
      // q was moved and drawn from while the search went on.
      expect(round).toBeGreaterThan(0)
    }),
  )

  it.live("gives the same posterior for the same seed", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* fit(Family.meanField), yield* fit(Family.meanField)]
      expect(one.posterior.parameters).toEqual(two.posterior.parameters)
      expect(one.infos.map(({ objective }) => objective)).toEqual(two.infos.map(({ objective }) => objective))
      expect(one.posterior.archive.scored).toBe(two.posterior.archive.scored)
    }),
  )

  it.live("can be run again, and takes no step where none is wanted", () =>
    Effect.gen(function* () {
      const data = yield* source((a, b) => a * b)
      const running = yield* Inclusive.run(law, data, { library: 200 })
      const once = Effect.gen(function* () {
        const heard: Array<number> = []
        let last: Fit.State<Search.State> | undefined
        yield* Stream.runForEach(running.steps, ({ info, state }) =>
          Effect.sync(() => {
            // The trace has a step once, whatever its parts.
            if (info.unfinished !== true) heard.push(info.objective)
            last = state
          }),
        )
        return { heard, posterior: Fit.summarise(running.algorithm, last!, running.seed) }
      })
      const first = yield* once
      const trace = [...first.posterior.trace]
      expect(trace).toEqual(first.heard.filter(Number.isFinite))
      const second = yield* once
      expect(second.heard).toEqual(first.heard)
      expect(second.posterior.parameters).toEqual(first.posterior.parameters)
      expect(first.posterior.trace).toEqual(trace)
      const none = yield* Inclusive.fit(law, data, { library: 200 }).pipe(
        Effect.provide(Stop.layer({ steps: 0 })),
      )
      expect([none.steps, none.stopReason, none.trace]).toEqual([0, "steps", []])
      expect(none.parameters.every(Number.isFinite)).toBe(true)
    }).pipe(Effect.provide([Family.meanField(law), Stop.layer({ steps: 30 })])),
  )

  it.live("draws from q only as much as it is told to", () =>
    Effect.gen(function* () {
      const { posterior, round } = yield* fit(Family.meanField, 0)
      expect(round).toBe(0)
      // It comes to the same end.
      expect(mode(posterior).trees).toContain("o1(t0,t1)")
    }),
  )
})

describe("a factor that cannot be moved", () => {
  const without = (lacking: "project" | "logDensity"): Family.FactorMaker<"categorical"> => ({
    support: "categorical",
    make: (site) => {
      const { [lacking]: _, ...factor } = Family.factors.categorical().make(site)
      return { ...factor, name: "Fixed" }
    },
  })
  it.live.each(["project", "logDensity"] as const)("is named where it lacks %s", (lacking) =>
    Effect.gen(function* () {
      const data = yield* source((a) => a)
      const family = Family.make(paper)({
        operatorWeights: Family.factors.dirichlet(),
        featureWeights: Family.factors.dirichlet(),
        "trees.split": Family.factors.bernoulli(),
        "trees.operator": without(lacking),
        "trees.terminal": Family.factors.categorical(),
      })
      const error = yield* Effect.flip(
        Inclusive.fit(paper, data, short).pipe(Effect.provide([family, until])),
      )
      expect(error.message).toBe(
        `the factor Fixed of the site "trees.operator" has no \`${lacking}\`, which Inclusive.fit needs to move it towards ensembles; give the site another factor`,
      )
    }),
  )

  it.live("is not missed by a relaxed objective, which wants a relaxed draw", () =>
    Effect.gen(function* () {
      const data = yield* source((a) => a)
      const error = yield* Effect.flip(
        Infer.fit(paper, data).pipe(
          Effect.provide(Family.treeConditional(paper)),
          Effect.provide(Vasst.inference(paper, { steps: 1 })),
          Effect.provide(Backend.layer("cpu")),
        ),
      )
      expect(error.message).toContain(
        'the factor Categorical(logits | parent) of the site "trees.operator" has no reparameterised draw',
      )
    }),
  )
})

describe("a model whose trees are all in", () => {
  it.live("is searched from fewer trees to all of them", () =>
    Effect.gen(function* () {
      const model = Model.gen(function* () {
        const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(3, 1))
        const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
        const split = Prior.depthDecay(0.95, 2)
        const forest = yield* Model.plate(
          "trees",
          2,
          Tree.prior({ grammar, depth: 2, split, operators, features }),
        )
        yield* Model.observe("y", Likelihood.selectedLinear(forest))
      })
      const data = yield* source((a, b) => 3 * Math.sin(b) - 2 * a * b)
      const posterior = yield* Inclusive.fit(model, data, short).pipe(
        Effect.provide([Family.meanField(model), until, Fit.seed(5)]),
      )
      const ranking = yield* Rank.fromPosterior({ train: data, draws: 10 })(posterior)
      expect(ranking.models[0]!.ensemble.key).toBe("o1(t0,t1) o2(t1)")
    }),
  )
})
