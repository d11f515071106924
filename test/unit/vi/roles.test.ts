import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Elbo from "../../../src/vi/Elbo.ts"
import * as Rng from "../../../src/random/Rng.ts"

const grammar = Grammar.make({
  features: ["x"],
  operators: [Operator.mul, Operator.sin],
  constants: { c: Constant.fitted(Dist.normal(0, 10)) },
})

/** Sites that are called as those of trees are, and sites of their roles that are called otherwise. */
const model = Model.gen(function* () {
  yield* Model.sample("operator", Dist.categorical([0.5, 0.5]))
  yield* Model.sample("value.height", Dist.normal(0, 10))
  yield* Model.repeat(3, Model.sample("gates", Dist.categorical([0.5, 0.5]), { role: "operator" }))
  yield* Model.sample("rate", Dist.normal(0, 10), { role: "constant" })
  const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
  const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
  const split = Prior.depthDecay(0.8, 1)
  const prior = Tree.prior({ grammar, depth: 1, split, operators, features, values: true })
  const forest = yield* Model.plate("trees", 2, prior)
  yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 1, a0: 1, b0: 1 }))
})

describe("the role of a site", () => {
  it.effect("is given by Tree.prior and by the declaration, and seen by factors", () =>
    Effect.gen(function* () {
      const { sites } = yield* Plan.trace(model)
      expect(sites.flatMap(({ name, role }) => (role === undefined ? [] : [[name, role]]))).toEqual([
        ["gates", "operator"],
        ["rate", "constant"],
        ["trees.split", "split"],
        ["trees.operator", "operator"],
        ["trees.terminal", "terminal"],
        ["trees.value.c", "constant"],
      ])
    }).pipe(Effect.provide(Family.meanField(model))),
  )

  it.effect("says where factors of parents and children stand, whatever a site is called", () =>
    Effect.gen(function* () {
      const { sites } = yield* Plan.trace(model)
      expect(sites.flatMap(({ name, factor }) => (factor.name.includes("parent") ? [name] : []))).toEqual([
        "gates",
        "trees.operator",
      ])
    }).pipe(Effect.provide(Family.treeConditional(model))),
  )

  it.effect("says which numbers start as fitted constants do, whatever a site is called", () =>
    Effect.gen(function* () {
      const plan = yield* Plan.trace(model)
      const start = Elbo.initialParameters(plan, Rng.key(1))
      const scales = ["value.height", "rate", "trees.value.c"].map((site) =>
        Math.exp(Plan.parametersOf(plan, site, start)[1]![0]!),
      )
      expect(scales[0]).toBeCloseTo(10, 12)
      expect(scales[1]).toBeCloseTo(Family.valueStart.sd, 12)
      expect(scales[2]).toBeCloseTo(Family.valueStart.sd, 12)
    }).pipe(Effect.provide(Family.meanField(model))),
  )
})
