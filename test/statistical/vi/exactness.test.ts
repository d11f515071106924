// The matrix of objective x family x likelihood: how far the posterior of each inference is from the exact one, which is
// enumerated, in total variation. Tolerances are data: the distance that was found, and a quarter of it or 0.02. Seeds are fixed.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Inclusive from "../../../src/inclusive/Inclusive.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import type { Posterior } from "../../../src/infer/Posterior.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import { normalised } from "../../../src/numeric/logSum.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import type * as Model from "../../../src/prob/Model.ts"
import type * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Search from "../../../src/search/Search.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as HardDraws from "../../../src/vi/hard/HardDraws.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as ScoreFunction from "../../../src/vi/ScoreFunction.ts"
import { distance, hard, type ObjectiveName, type relaxations, relaxed } from "../../support/exactness.ts"
import { conjugate, data, modelOf, planOf } from "../../support/tinyModel.ts"

/**
 * The trees of a fitted family, by 40,000 hard draws: 0.003 of noise for each tree. The posterior of a bound over S draws is
 * that of one draw of S by its weight (Cremer, Morris and Duvenaud 2017); for S = 1 it is the family.
 */
const drawn = ({ plan, parameters }: Posterior, S: number, power: number): ReadonlyMap<string, number> => {
  const count = 40_000
  const { trees, evidence, divergence } = Effect.runSync(HardDraws.make(plan, data)).draw(
    Rng.key(9),
    parameters,
    count,
  )
  const { grammar } = plan.likelihood.forest
  const found = new Map<string, number>()
  for (let from = 0; from < count; from += S) {
    const logs = Array.from({ length: S }, (_, s) => power * (evidence[from + s]! - divergence[from + s]!))
    normalised(logs).forEach((weight, s) => {
      const key = Tree.key(Tree.canonical(grammar, trees[from + s]![0]!))
      found.set(key, (found.get(key) ?? 0) + (weight * S) / count)
    })
  }
  return found
}

/** The exact posterior over trees, of skeletons as they are drawn or of the LMPSE by which searches rank: by a list of all. */
const truth = (plan: Plan.Plan, of: "skeletons" | "lmpse"): ReadonlyMap<string, number> =>
  Effect.runSync(
    Effect.gen(function* () {
      const { forest } = plan.likelihood
      const prior = yield* TreePrior.of(forest, plan.sites)
      const likelihood = yield* Likelihood.of(plan.likelihood)
      const assessor = yield* likelihood.assessor(yield* Columns.make(forest.grammar, data), data)
      const logPrior = TreePrior.logPrior(prior)
      const last = Math.log1p(-Prior.splitProbability(prior.split, prior.depth))
      const all = [...Enumerate.trees(forest.grammar, forest.depth)].filter(
        (tree) => of === "skeletons" || Tree.key(Tree.canonical(forest.grammar, tree)) === Tree.key(tree),
      )
      const shares = normalised(
        all.map((tree) => {
          const log = assessor.assess(0, [tree])!.logEvidence + logPrior([tree])
          return of === "lmpse" ? log : log - TreePrior.deepest(prior, [tree]) * last
        }),
      )
      const found = new Map<string, number>()
      all.forEach((tree, i) => {
        const key = Tree.key(Tree.canonical(forest.grammar, tree))
        found.set(key, (found.get(key) ?? 0) + shares[i]!)
      })
      return found
    }),
  )

const one = Grammar.make({ features: ["a"], operators: [Operator.mul, Operator.sin, Operator.exp] })
/** Models: of the posteriors over column a alone each family has a member, of those over both columns none. */
const models = {
  held: modelOf(conjugate, one),
  heldUnderStudentT: modelOf((forest) => Likelihood.linear(forest, Likelihood.studentT()), one),
  notHeld: modelOf(),
  notHeldUnderStudentT: modelOf((forest) => Likelihood.linear(forest, Likelihood.studentT())),
}
type Tiny = ReturnType<typeof modelOf>
type Guide = ReturnType<typeof Family.treeConditional<void, Model.SitesOf<Tiny>>>
/** The families, for fits of hard trees. */
const families = {
  meanField: (model: Tiny): Guide => Family.meanField(model),
  treeConditional: (model: Tiny): Guide => Family.treeConditional(model),
  autoregressive: (model: Tiny): Guide => Family.autoregressive(model),
  mixture: (model: Tiny): Guide =>
    Family.mixture(
      model,
      [1, 2, 3, 4].map(() => Family.meanField(model, { initialScale: 1 })),
    ),
}
type ModelName = keyof typeof models

/** One row of the matrix: the largest distance that is allowed for each model. */
interface Row {
  readonly by: "Infer" | "ScoreFunction" | "Inclusive" | "Search"
  readonly objective?: ObjectiveName
  readonly family?: keyof typeof families
  /** of fits by relaxed draws, `"concrete"` if left out */
  readonly relaxation?: keyof typeof relaxations
  readonly tolerances: Readonly<Record<ModelName, number>>
}
const T = (held: number, heldUnderStudentT: number, notHeld: number, notHeldUnderStudentT: number) => ({
  held,
  heldUnderStudentT,
  notHeld,
  notHeldUnderStudentT,
})
const matrix: ReadonlyArray<Row> = [
  { by: "Infer", objective: "elbo", family: "meanField", tolerances: T(0.06, 0.02, 0.2, 0.29) },
  {
    by: "Infer",
    objective: "importanceWeighted",
    family: "meanField",
    tolerances: T(0.04, 0.03, 0.07, 0.18),
  },
  { by: "Infer", objective: "renyi", family: "meanField", tolerances: T(0.1, 0.05, 0.17, 0.18) },
  { by: "ScoreFunction", objective: "elbo", family: "meanField", tolerances: T(0.02, 0.02, 0.32, 0.35) },
  {
    by: "Infer",
    objective: "elbo",
    family: "meanField",
    relaxation: "straightThrough",
    tolerances: T(0.06, 0.03, 0.7, 0.66),
  },
  {
    by: "Infer",
    objective: "importanceWeighted",
    family: "meanField",
    relaxation: "straightThrough",
    tolerances: T(0.15, 0.07, 0.76, 0.7),
  },
  {
    by: "Infer",
    objective: "renyi",
    family: "meanField",
    relaxation: "straightThrough",
    tolerances: T(0.1, 0.06, 0.78, 0.71),
  },
  {
    by: "Infer",
    objective: "elbo",
    family: "meanField",
    relaxation: "gumbelRao",
    tolerances: T(0.09, 0.03, 0.71, 0.68),
  },
  {
    by: "Infer",
    objective: "importanceWeighted",
    family: "meanField",
    relaxation: "gumbelRao",
    tolerances: T(0.17, 0.08, 0.79, 0.7),
  },
  {
    by: "Infer",
    objective: "renyi",
    family: "meanField",
    relaxation: "gumbelRao",
    tolerances: T(0.1, 0.06, 0.78, 0.72),
  },
  {
    by: "ScoreFunction",
    objective: "elbo",
    family: "treeConditional",
    tolerances: T(0.02, 0.02, 0.32, 0.35),
  },
  {
    by: "ScoreFunction",
    objective: "importanceWeighted",
    family: "meanField",
    tolerances: T(0.02, 0.02, 0.03, 0.03),
  },
  {
    by: "ScoreFunction",
    objective: "importanceWeighted",
    family: "treeConditional",
    tolerances: T(0.02, 0.02, 0.03, 0.03),
  },
  { by: "ScoreFunction", objective: "renyi", family: "meanField", tolerances: T(0.02, 0.02, 0.19, 0.18) },
  {
    by: "ScoreFunction",
    objective: "renyi",
    family: "treeConditional",
    tolerances: T(0.02, 0.02, 0.19, 0.18),
  },
  { by: "ScoreFunction", objective: "elbo", family: "autoregressive", tolerances: T(0.03, 0.03, 0.03, 0.03) },
  {
    by: "ScoreFunction",
    objective: "importanceWeighted",
    family: "autoregressive",
    tolerances: T(0.03, 0.03, 0.03, 0.03),
  },
  {
    by: "ScoreFunction",
    objective: "renyi",
    family: "autoregressive",
    tolerances: T(0.03, 0.03, 0.03, 0.03),
  },
  { by: "ScoreFunction", objective: "elbo", family: "mixture", tolerances: T(0.03, 0.03, 0.03, 0.03) },
  {
    by: "ScoreFunction",
    objective: "importanceWeighted",
    family: "mixture",
    tolerances: T(0.03, 0.03, 0.03, 0.03),
  },
  { by: "ScoreFunction", objective: "renyi", family: "mixture", tolerances: T(0.03, 0.03, 0.03, 0.03) },
  { by: "Inclusive", family: "meanField", tolerances: T(0.05, 0.02, 0.14, 0.27) },
  { by: "Inclusive", family: "treeConditional", tolerances: T(0.05, 0.02, 0.14, 0.27) },
  { by: "Inclusive", family: "autoregressive", tolerances: T(0.06, 0.02, 0.16, 0.3) },
  { by: "Inclusive", family: "mixture", tolerances: T(0.06, 0.02, 0.16, 0.3) },
  { by: "Search", tolerances: T(1e-9, 1e-9, 1e-9, 1e-9) },
]

const named = Object.keys(models) as ReadonlyArray<ModelName>
const cells = matrix.flatMap((row) =>
  named.map((model) => ({
    ...row,
    model,
    tolerance: row.tolerances[model],
    name: [row.by, row.objective, row.family, row.relaxation, model]
      .filter((part) => part !== undefined)
      .join(", "),
  })),
)
/** The orders 1 - alpha of the objectives, by which weights count. */
const powers = { elbo: 0, importanceWeighted: 1, renyi: 0.5 }

const steps = { Infer: 600, ScoreFunction: 800 }

describe("the distance of a posterior from the exact one", () => {
  it.live.each(cells)(
    "is small: $name",
    ({ by, objective = "elbo", family = "meanField", relaxation, model: name, tolerance }) =>
      Effect.gen(function* () {
        const model = models[name]
        const plan = planOf(model, Family.meanField(model))
        const guide = families[family](model)
        const searching = Layer.merge(Stop.layer({ steps: 60 }), Fit.seed(1))
        const find = Effect.gen(function* () {
          switch (by) {
            case "Search": {
              const posterior = yield* Search.fit(model, data).pipe(Effect.provide(searching))
              const ranking = yield* Rank.fromPosterior({ train: data, draws: 0 })(posterior)
              const shares = normalised(ranking.models.map(({ lmpse }) => lmpse))
              const { grammar } = plan.likelihood.forest
              return new Map(
                ranking.models.map(({ ensemble: { trees } }, i) => [
                  Tree.key(Tree.canonical(grammar, trees[0]!)),
                  shares[i]!,
                ]),
              )
            }
            case "Inclusive":
              return drawn(
                yield* Inclusive.fit(model, data).pipe(Effect.provide(Layer.merge(guide, searching))),
                1,
                0,
              )
            case "ScoreFunction": {
              const fit = ScoreFunction.fit(model, data)
              const found = yield* fit.pipe(
                Effect.provide(Layer.merge(guide, hard(objective, steps.ScoreFunction))),
              )
              return drawn(found, 16, powers[objective])
            }
            case "Infer": {
              const inference = Layer.merge(
                Family.meanField(model),
                relaxed(objective, steps.Infer, relaxation),
              )
              return drawn(
                yield* Infer.fit(model, data).pipe(Effect.provide(inference)),
                8,
                powers[objective],
              )
            }
          }
        })
        const lmpse = by === "Search" || by === "Inclusive"
        const off = distance(yield* find, truth(plan, lmpse ? "lmpse" : "skeletons"))
        expect(off).toBeLessThan(tolerance)
      }),
    60_000,
  )
})
