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
import * as Infer from "../../../src/infer/Fit.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import * as Posterior from "../../../src/infer/Posterior.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Law from "../../../src/models/law.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Data from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

// Both models, with both families, fitted by one change of objective.

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

/** The inference of the paper, another objective. */
const inclusive = <A, E, R>(
  fit: Effect.Effect<A, E, R | Objective.Objective | Stop.Stop>,
  settings: Parameters<typeof Objective.inclusive>[0] = {},
) =>
  fit.pipe(
    Effect.provide(Objective.inclusive({ bank: 400, patience: 60, ...settings })),
    Effect.provide(Stop.layer({ steps: 250 })),
  )

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

describe("the paper's model with Objective.inclusive", () => {
  const run = (family: typeof Family.meanField) =>
    Effect.gen(function* () {
      const data = yield* source((a, b) => 2 * a * b + 3 * Math.sin(b))
      const posterior = yield* inclusive(Infer.fit(paper, data).pipe(Effect.provide(family(paper)))).pipe(
        Effect.provide(Vasst.inference(paper)),
        Effect.provide(Infer.seed(3)),
      )
      return { data, posterior, ranking: yield* Rank.fromPosterior({ train: data, draws: 10 })(posterior) }
    }).pipe(Effect.provide(Backend.layer("cpu")))

  it.live.each([
    ["mean field", Family.meanField],
    ["trees given parents", Family.treeConditional],
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

describe("the law model with Objective.inclusive", () => {
  const fit = (family: typeof Family.meanField, share?: number) =>
    Effect.gen(function* () {
      const data = yield* source((a, b) => Math.sqrt(2 * a * b + 5))
      const infos: Array<Infer.StepInfo> = []
      const posterior = yield* inclusive(
        Infer.fit(law, data, (info) => infos.push(info)).pipe(Effect.provide(family(law))),
        { share },
      ).pipe(Effect.provide(Vasst.inference(law)), Effect.provide(Infer.seed(5)))
      return { data, posterior, infos }
    }).pipe(Effect.provide(Backend.layer("cpu")))

  it.live.each([
    ["mean field", Family.meanField],
    ["trees given parents", Family.treeConditional],
  ] as const)("moves every site of the family to what was found, by %s", ([, family]) =>
    Effect.gen(function* () {
      const { data, posterior, infos } = yield* fit(family)
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
      // One multiplication was found, of two operators of arithmetic and another: Dir(3, 3 + 1, 1), or near to it.
      const { mean } = Plan.site(posterior.plan, "operatorWeights").factor.moments(
        Nd.algebra,
        Plan.parametersOf(posterior.plan, "operatorWeights", posterior.parameters).map((slot) => ({
          shape: [slot.length],
          data: slot,
        })),
      )
      expect(Array.from(mean.data, (w) => Math.round(100 * w))).toEqual([38, 50, 13])
      // Weights are tempered while q guides the search, and what they should be at the end.
      expect(infos.some(({ temperature }) => temperature > 1)).toBe(true)
      expect(infos.at(-1)!.temperature).toBe(1)
    }),
  )

  it.live("gives the same posterior for the same seed", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* fit(Family.meanField), yield* fit(Family.meanField)]
      expect(one.posterior.parameters).toEqual(two.posterior.parameters)
      expect(one.infos.map(({ elbo }) => elbo)).toEqual(two.infos.map(({ elbo }) => elbo))
      expect(one.posterior.archive!.scored()).toBe(two.posterior.archive!.scored())
    }),
  )

  it.live("can be run again, and takes no step where none is wanted", () =>
    Effect.gen(function* () {
      const data = yield* source((a, b) => a * b)
      const running = yield* Infer.run(law, data).pipe(Effect.provide(Objective.inclusive({ bank: 200 })))
      const once = Effect.gen(function* () {
        const heard: Array<number> = []
        let last = running.initial
        yield* Stream.runForEach(running.steps, ({ info, state }) =>
          Effect.sync(() => {
            heard.push(info.elbo)
            last = state
          }),
        )
        return { heard, posterior: Infer.posterior(running, last, 1) }
      })
      const first = yield* once
      const elbo = [...first.posterior.elbo]
      expect(elbo).toEqual(first.heard.filter(Number.isFinite))
      const second = yield* once
      expect(second.heard).toEqual(first.heard)
      expect(second.posterior.parameters).toEqual(first.posterior.parameters)
      expect(first.posterior.elbo).toEqual(elbo)
      const none = yield* Infer.fit(law, data).pipe(
        Effect.provide(Objective.inclusive({ bank: 200 })),
        Effect.provide(Stop.layer({ steps: 0 })),
      )
      expect([none.steps, none.stopReason, none.elbo]).toEqual([0, "steps", []])
    }).pipe(Effect.scoped, Effect.provide(Stop.layer({ steps: 30 })), Effect.provide(Law.inference(law))),
  )

  it.live("draws from q only as much as it is told to", () =>
    Effect.gen(function* () {
      const { posterior, infos } = yield* fit(Family.meanField, 0)
      expect(infos.slice(0, -1).every(({ temperature }) => temperature === 0)).toBe(true)
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
        inclusive(Infer.fit(paper, data).pipe(Effect.provide(family))).pipe(
          Effect.provide(Vasst.inference(paper)),
          Effect.provide(Backend.layer("cpu")),
        ),
      )
      expect(error.message).toBe(
        `the factor Fixed of the site "trees.operator" has no \`${lacking}\`, which Objective.inclusive needs to move it to the ensembles that it finds`,
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
      const posterior = yield* inclusive(
        Infer.fit(model, data).pipe(Effect.provide(Family.meanField(model))),
      ).pipe(
        Effect.provide(Vasst.inference(model)),
        Effect.provide(Infer.seed(5)),
        Effect.provide(Backend.layer("cpu")),
      )
      const ranking = yield* Rank.fromPosterior({ train: data, draws: 10 })(posterior)
      expect(ranking.models[0]!.ensemble.key).toBe("o1(t0,t1) o2(t1)")
    }),
  )
})
