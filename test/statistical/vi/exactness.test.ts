// The matrix of objective x family x relaxation x likelihood: how far the posterior of each inference is from the exact one, which
// is enumerated, in total variation. All that the types let run is in it. Tolerances are data: the distance that was found, and a
// quarter of it or 0.02. Seeds are fixed.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dataset } from "../../../src/data/Data.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Inclusive from "../../../src/inclusive/Inclusive.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import { normalised } from "../../../src/numeric/logSum.ts"
import type { Forest } from "../../../src/prob/Forest.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import type * as Model from "../../../src/prob/Model.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Search from "../../../src/search/Search.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as ScoreFunction from "../../../src/vi/ScoreFunction.ts"
import {
  distance,
  drawn,
  hard,
  type ObjectiveName,
  type relaxations,
  relaxed,
  truth,
} from "../../support/exactness.ts"
import { conjugate, data, grammar, modelOf, planOf } from "../../support/tinyModel.ts"

const one = Grammar.make({ features: ["a"], operators: [Operator.mul, Operator.sin, Operator.exp] })
const studentT = (forest: Forest) => Likelihood.linear(forest, Likelihood.studentT())
/** Counts around exp(0.3 + 0.5 a b). */
const counts: Dataset = {
  ...data,
  y: data.columns[0]!.map((a, i) =>
    Math.round(Math.exp(0.3 + 0.5 * a * data.columns[1]![i]!) + (i % 3) - 0.6),
  ).map((y) => Math.max(0, y)),
}
/**
 * Models of one tree of depth 1 over a column and over two, of pairs of such trees, and of one tree of depth 2. Mean-field families
 * have the posteriors over one column and depth 1, and no others.
 */
const models = {
  held: { data, model: modelOf(conjugate, one) },
  heldUnderStudentT: { data, model: modelOf(studentT, one) },
  notHeld: { data, model: modelOf() },
  notHeldUnderStudentT: { data, model: modelOf(studentT) },
  counts: { data: counts, model: modelOf((forest) => Likelihood.linear(forest, Likelihood.poisson)) },
  pairs: { data, model: modelOf(conjugate, grammar, 1, 2) },
  deep: { data, model: modelOf(conjugate, one, 2) },
}
type ModelName = keyof typeof models
const named = Object.keys(models) as ReadonlyArray<ModelName>

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

/**
 * The inferences: by relaxed draws with an objective and a relaxation, by hard draws with an objective and a family, by a search
 * with a family, by a search. The family of relaxed draws is the mean field.
 */
type Inference =
  | readonly ["Infer", ObjectiveName, keyof typeof relaxations]
  | readonly ["ScoreFunction", ObjectiveName, keyof typeof families]
  | readonly ["Inclusive", keyof typeof families]
  | readonly ["Search"]

/**
 * The largest distance that is allowed for each model, in their order. NaN: searches score ensembles of one tree among those of two.
 * Families of searches are projections of their archives, whose scores are those of laws.
 */
const matrix: ReadonlyArray<readonly [...Inference, tolerances: ReadonlyArray<number>]> = [
  ["Infer", "elbo", "concrete", [0.07, 0.03, 0.22, 0.32, 0.2, 0.55, 0.2]],
  ["Infer", "importanceWeighted", "concrete", [0.05, 0.03, 0.07, 0.18, 0.11, 0.16, 0.06]],
  ["Infer", "renyi", "concrete", [0.1, 0.05, 0.17, 0.19, 0.2, 0.33, 0.16]],
  ["Infer", "elbo", "straightThrough", [0.06, 0.03, 0.71, 0.67, 0.23, 0.78, 0.17]],
  ["Infer", "importanceWeighted", "straightThrough", [0.15, 0.07, 0.77, 0.71, 0.27, 0.8, 0.19]],
  ["Infer", "renyi", "straightThrough", [0.1, 0.06, 0.79, 0.72, 0.23, 0.81, 0.18]],
  ["Infer", "elbo", "gumbelRao", [0.09, 0.03, 0.71, 0.68, 0.24, 0.77, 0.15]],
  ["Infer", "importanceWeighted", "gumbelRao", [0.17, 0.08, 0.79, 0.7, 0.26, 0.81, 0.2]],
  ["Infer", "renyi", "gumbelRao", [0.1, 0.06, 0.78, 0.72, 0.21, 0.82, 0.19]],
  ["ScoreFunction", "elbo", "meanField", [0.03, 0.03, 0.37, 0.41, 0.1, 0.47, 0.11]],
  ["ScoreFunction", "importanceWeighted", "meanField", [0.03, 0.03, 0.03, 0.03, 0.03, 0.1, 0.03]],
  ["ScoreFunction", "renyi", "meanField", [0.03, 0.03, 0.21, 0.19, 0.06, 0.23, 0.07]],
  ["ScoreFunction", "elbo", "treeConditional", [0.03, 0.03, 0.37, 0.41, 0.1, 0.5, 0.1]],
  ["ScoreFunction", "importanceWeighted", "treeConditional", [0.03, 0.03, 0.03, 0.03, 0.03, 0.1, 0.03]],
  ["ScoreFunction", "renyi", "treeConditional", [0.03, 0.03, 0.21, 0.19, 0.06, 0.23, 0.07]],
  ["ScoreFunction", "elbo", "autoregressive", [0.03, 0.03, 0.03, 0.03, 0.03, 0.29, 0.03]],
  ["ScoreFunction", "importanceWeighted", "autoregressive", [0.03, 0.03, 0.03, 0.03, 0.03, 0.11, 0.03]],
  ["ScoreFunction", "renyi", "autoregressive", [0.03, 0.03, 0.03, 0.03, 0.03, 0.17, 0.03]],
  ["ScoreFunction", "elbo", "mixture", [0.03, 0.03, 0.03, 0.03, 0.03, 0.17, 0.03]],
  ["ScoreFunction", "importanceWeighted", "mixture", [0.03, 0.03, 0.03, 0.03, 0.03, 0.12, 0.03]],
  ["ScoreFunction", "renyi", "mixture", [0.03, 0.03, 0.03, 0.03, 0.03, 0.13, 0.03]],
  ["Inclusive", "meanField", [0.07, 0.03, 0.15, 0.3, 0.19, NaN, 0.11]],
  ["Inclusive", "treeConditional", [0.07, 0.03, 0.15, 0.3, 0.19, NaN, 0.11]],
  ["Inclusive", "autoregressive", [0.07, 0.03, 0.16, 0.3, 0.13, NaN, 0.1]],
  ["Inclusive", "mixture", [0.06, 0.03, 0.16, 0.3, 0.13, NaN, 0.1]],
  ["Search", [1e-9, 1e-9, 1e-9, 1e-9, 1e-9, NaN, 1e-9]],
]

const cells = matrix.flatMap((row) => {
  // The last element of every row.
  const tolerances = row.at(-1) as ReadonlyArray<number>
  return named.flatMap((name, i) => {
    const tolerance = tolerances[i]!
    return Number.isNaN(tolerance)
      ? []
      : [{ row, name, tolerance, title: `${row.slice(0, -1).join(" ")}, ${name}` }]
  })
})
/** The orders 1 - alpha of the objectives, by which weights count. */
const powers = { elbo: 0, importanceWeighted: 1, renyi: 0.5 }
const steps = { Infer: 600, ScoreFunction: 800 }

/** The posterior over ensembles of an inference. */
const posteriorOf = (row: (typeof matrix)[number], name: ModelName) => {
  const { model, data: train } = models[name]
  const searching = Layer.merge(Stop.layer({ steps: 60 }), Fit.seed(1))
  return Effect.gen(function* () {
    switch (row[0]) {
      case "Search": {
        const posterior = yield* Search.fit(model, train).pipe(Effect.provide(searching))
        const ranking = yield* Rank.fromPosterior({ train, draws: 0 })(posterior)
        const shares = normalised(ranking.models.map(({ lmpse }) => lmpse))
        const { grammar: own } = posterior.plan.likelihood.forest
        return new Map(
          ranking.models.map(({ ensemble: { trees } }, i) => [
            Tree.key(Tree.canonical(own, trees[0]!)),
            shares[i]!,
          ]),
        )
      }
      case "Inclusive": {
        const inference = Layer.merge(families[row[1]](model), searching)
        return drawn(yield* Inclusive.fit(model, train).pipe(Effect.provide(inference)), train, 1, 0)
      }
      case "ScoreFunction": {
        const inference = Layer.merge(families[row[2]](model), hard(row[1], steps.ScoreFunction))
        return drawn(
          yield* ScoreFunction.fit(model, train).pipe(Effect.provide(inference)),
          train,
          16,
          powers[row[1]],
        )
      }
      case "Infer": {
        const inference = Layer.merge(Family.meanField(model), relaxed(row[1], steps.Infer, row[2]))
        return drawn(yield* Infer.fit(model, train).pipe(Effect.provide(inference)), train, 8, powers[row[1]])
      }
    }
  })
}

describe("the distance of a posterior from the exact one", () => {
  it.live.each(cells)(
    "is small: $title",
    ({ row, name, tolerance }) =>
      Effect.gen(function* () {
        const { model, data: train } = models[name]
        const lmpse = row[0] === "Search" || row[0] === "Inclusive"
        const exact = truth(planOf(model, Family.meanField(model)), train, lmpse ? "lmpse" : "skeletons")
        const off = distance(yield* posteriorOf(row, name), exact)
        expect(off).toBeLessThan(tolerance)
      }),
    60_000,
  )
})
