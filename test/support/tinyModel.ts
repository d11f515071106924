// A model of one tree whose posterior is a short list: 10 trees of depth 1, 9 of them different, over two columns, 10 rows.
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Dataset } from "../../src/data/Data.ts"
import * as Enumerate from "../../src/evidence/enumerate.ts"
import * as Likelihood from "../../src/evidence/Likelihood.ts"
import * as TreePrior from "../../src/evidence/treePrior.ts"
import * as Operator from "../../src/expr/Operator.ts"
import * as Dist from "../../src/prob/Dist.ts"
import type { Forest } from "../../src/prob/Forest.ts"
import * as Grammar from "../../src/prob/Grammar.ts"
import * as Model from "../../src/prob/Model.ts"
import type { Observation } from "../../src/prob/Observation.ts"
import * as Plan from "../../src/prob/Plan.ts"
import * as Prior from "../../src/prob/Prior.ts"
import * as Tree from "../../src/prob/Tree.ts"
import * as Rng from "../../src/random/Rng.ts"
import * as Objective from "../../src/vi/Objective.ts"

const rows = 10
const [one, two, three] = Rng.split(Rng.key(7), 3)
const a = Rng.normal(one, new Float64Array(rows))
const b = Rng.normal(two, new Float64Array(rows))
const noise = Rng.normal(three, new Float64Array(rows))

/** y = 0.8 a b + noise of 0.7: several trees have posterior mass. */
export const data: Dataset = {
  features: ["a", "b"],
  columns: [a, b],
  target: "y",
  y: a.map((x, i) => 0.8 * x * b[i]! + 0.7 * noise[i]!),
  rows,
}

export const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin, Operator.exp],
})

export const conjugate = (forest: Forest): Observation =>
  Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 2 })

/** The model over a grammar of columns a and b. */
export const modelOf = (
  observe: (forest: Forest) => Observation = conjugate,
  over = grammar,
  depth = 1,
  trees = 1,
) =>
  Model.gen(function* () {
    const forest = yield* Model.plate(
      "trees",
      trees,
      Tree.prior({
        grammar: over,
        depth,
        split: Prior.splitTable([0.7, 0.4]),
        operators: yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(over.operators.length, 1)),
        features: yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(over.terminals.length, 1)),
      }),
    )
    yield* Model.observe("y", observe(forest))
  })

export const model = modelOf()

/** The plan of a model with a family. */
export const planOf = <A, R>(of: Model.Model<A, R>, family: Layer.Layer<R>): Plan.Plan =>
  Effect.runSync(Plan.trace(of).pipe(Effect.provide(family)))

/** The enumerated posterior of a plan. */
export const exact = (plan: Plan.Plan, on = data) =>
  Effect.runSync(
    Effect.gen(function* () {
      const prior = yield* TreePrior.of(plan.likelihood.forest, plan.sites)
      const space = yield* Enumerate.enumerate(plan.likelihood, prior, on)
      return { ...space, prior }
    }),
  )

/** An objective as engines see it. */
export const formOf = (layer: Layer.Layer<Objective.Objective>) =>
  Effect.runSync(Objective.Objective.pipe(Effect.provide(layer))).form
