// Families are checked against the model, site by site. Pins what the compiler says first.
import type * as Layer from "effect/Layer"
import { expect, expectTypeOf, it } from "vitest"
import * as Dist from "vasst/prob/Dist"
import * as Model from "vasst/prob/Model"
import * as Family from "vasst/vi/Family"
import { diagnose } from "../../support/compile.ts"
import { program } from "../../support/program.ts"

const some = `operatorWeights: dirichlet(), featureWeights: dirichlet(), "trees.split": bernoulli()`
const family = (factors: string) => `${program}
    Family.make(model)({ ${factors} })`

const services = (fit: string, family: string, more: string, others: string) => `${program}
    import * as Backend from "vasst/vi/Backend"
    import * as Objective from "vasst/vi/Objective"
    import * as Optimizer from "vasst/vi/Optimizer"
    import * as Relaxation from "vasst/vi/Relaxation"
    import * as ScoreFunction from "vasst/vi/ScoreFunction"
    import * as Stop from "vasst/infer/Stop"
    void Effect.runPromise(${fit}.fit(model, data).pipe(
      Effect.provide([Family.${family}(model${more}), Objective.renyi({ samples: 4, alpha: 0.5 }), Stop.layer({ steps: 9 })]),
      Effect.provide([Optimizer.layer(Optimizer.adamW({ learningRate: 0.1 })), ${others}]),
    ))`
const relaxedFit = (family: string, more = "", relaxation = "concrete({ temperature: () => 1 })") =>
  services("Infer", family, more, `Backend.layer(), Relaxation.${relaxation}`)
const rao = "gumbelRao({ temperature: () => 1, samples: 8 })"
const hardFit = (family: string, more = "") => services("ScoreFunction", family, more, "")

const fitted = `${program}
    import * as Constant from "vasst/prob/Constant"
    const constants = { c: Constant.fitted(Dist.normal(0, 1)), s: Constant.fitted(Dist.gamma(2, 1)), two: 2 }
    const learning = Grammar.make({ features: ["a", "b"], operators: [Operator.mul], constants })
    const valued = Model.gen(function* () {
      const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(1, 1))
      const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(5, 1))
      const trees = yield* Model.plate(
        "trees", 3, Tree.prior({ grammar: learning, depth: 3, split, operators, features, values: true }),
      )
      yield* Model.observe("y", Likelihood.conjugateLinear(trees, { mu0: 0, sigma0: 10, a0: 2, b0: 2 }))
    })
    const { logNormal } = Family.factors`
const rest = `${some}, "trees.operator": categorical(), "trees.terminal": categorical()`
const values = (factors: string) => `${fitted}
    Family.make(valued)({ ${rest}, ${factors} })`

const scaled = (factors: string) =>
  values(factors)
    .replace(
      /const constants = .*/,
      "const constants = { c: Constant.hierarchical({ scale: Dist.logNormal(0, 1), given: (s) => Dist.normal(0, s) }) }",
    )
    .replace("symmetric(5, 1)", "symmetric(3, 1)")

const errors = diagnose({
  "values of fitted constants": values(`"trees.value.c": normal(), "trees.value.s": logNormal()`),
  "values of full rank": values(`"trees.value.c": Family.factors.fullRank(), "trees.value.s": logNormal()`),
  "positive values of full rank": values(
    `"trees.value.c": normal(), "trees.value.s": Family.factors.fullRank()`,
  ),
  "forgotten values": values(`"trees.value.s": logNormal()`),
  "values of a wrong support": values(`"trees.value.c": normal(), "trees.value.s": normal()`),
  "values of a number": values(
    `"trees.value.c": normal(), "trees.value.s": logNormal(), "trees.value.two": normal()`,
  ),
  "values with a scale": scaled(`"trees.value.c": normal(), "trees.scale.c": logNormal()`),
  "a forgotten scale": scaled(`"trees.value.c": normal()`),
  "a scale of a wrong support": scaled(`"trees.value.c": normal(), "trees.scale.c": normal()`),
  "values of the paper's model": `${fitted}
    import * as Vasst from "vasst/models/vasst"
    const shipped = Vasst.model(learning)
    Family.make(shipped)({ ${rest}, "trees.value.s": logNormal() })`,
  complete: family(`${some}, "trees.operator": categorical(), "trees.terminal": categorical()`),
  "operators given parents": family(
    `${some}, "trees.operator": Family.factors.parentConditional(), "trees.terminal": categorical()`,
  ),
  "operators given parents, drawn hard": `${program}
    const { parentConditional } = Family.factors
    Family.makeHard(model)({ ${some}, "trees.operator": parentConditional(), "trees.terminal": categorical() })`,
  "operators of a role given parents": `${program}
    Family.meanField(model, { roles: { operator: { categorical: Family.factors.parentConditional() } } })`,
  "a relaxed fit without relaxed draws": relaxedFit("treeConditional"),
  "a relaxed fit in pre-order": relaxedFit("autoregressive"),
  "a hard fit in pre-order": hardFit("autoregressive"),
  "a relaxed fit of a mixture": relaxedFit("mixture", ", [Family.meanField(model), Family.meanField(model)]"),
  "a hard fit of a mixture": hardFit("mixture", ", [Family.meanField(model), Family.autoregressive(model)]"),
  "a fit by Gumbel-Rao": relaxedFit("meanField", "", rao),
  "a fit by Gumbel-Rao in pre-order": relaxedFit("autoregressive", "", rao),
  "Gumbel-Rao without a number of draws": relaxedFit("meanField", "", "gumbelRao({ temperature: () => 1 })"),
  "a mixture of factors": hardFit("mixture", ", [Family.factors.bernoulli()]"),
  "a relaxed fit with relaxed draws": relaxedFit("meanField"),
  "a hard fit without relaxed draws": hardFit("treeConditional"),
  "a hard fit with relaxed draws": hardFit("meanField"),
  "weights given parents": family(
    `operatorWeights: Family.factors.parentConditional(), featureWeights: dirichlet(), "trees.split": bernoulli(),
     "trees.operator": categorical(), "trees.terminal": categorical()`,
  ),
  "a complete fit": `${program}
    import * as Vasst from "vasst/models/vasst"
    import * as Backend from "vasst/vi/Backend"
    void Effect.runPromise(
      Infer.fit(model, data).pipe(Effect.provide(Vasst.inference(model)), Effect.provide(Backend.layer())),
    )`,
  "a forgotten site": family(`${some}, "trees.terminal": categorical()`),
  "a wrong support": family(
    `operatorWeights: bernoulli(), featureWeights: dirichlet(), "trees.split": bernoulli(),
     "trees.operator": categorical(), "trees.terminal": categorical()`,
  ),
  "a wrong support in a plate": family(
    `${some}, "trees.operator": normal(), "trees.terminal": categorical()`,
  ),
  "a site too many": family(
    `${some}, "trees.operator": categorical(), "trees.terminal": categorical(), "trees.leaf": bernoulli()`,
  ),
  "no prefix of the plate": family(`${some}, operator: categorical(), terminal: categorical()`),
})

it("accepts a factor of the right support for every site", () => {
  expect(errors.complete).toEqual([])
  expect(errors["operators given parents, drawn hard"]).toEqual([])
  expect(errors["a complete fit"]).toEqual([])
})

it("lets fits of relaxed trees have no family without relaxed draws", () => {
  expect(errors["a relaxed fit with relaxed draws"]).toEqual([])
  expect(errors["a hard fit with relaxed draws"]).toEqual([])
  expect(errors["a hard fit without relaxed draws"]).toEqual([])
  expect(errors["a hard fit in pre-order"]).toEqual([])
  expect(errors["a hard fit of a mixture"]).toEqual([])
  expect(errors["a fit by Gumbel-Rao"]).toEqual([])
  expect(errors["Gumbel-Rao without a number of draws"].map(({ text }) => text).join()).toMatch(
    /Property 'samples' is missing/,
  )
  expect(errors["a mixture of factors"][0]?.text).toMatch(
    /^Type 'FactorMaker<"binary">' is missing .* from type 'Layer<Site</,
  )
  for (const name of [
    "a relaxed fit without relaxed draws",
    "a relaxed fit in pre-order",
    "a relaxed fit of a mixture",
    "a fit by Gumbel-Rao in pre-order",
  ] as const)
    expect(errors[name].map(({ text }) => text).join()).toMatch(/RelaxedDraws/)
  for (const name of ["operators given parents", "operators of a role given parents"] as const)
    expect(errors[name][0]?.text).toMatch(/Types of property 'draws' are incompatible/)
})

it("names the site that is forgotten, first", () => {
  const [error, ...more] = errors["a forgotten site"]
  expect(more).toEqual([])
  expect(error?.code).toBe("TS2741")
  expect(error?.text).toMatch(/^Property '"trees.operator"' is missing in type /)
})

it("names both supports where they differ", () => {
  expect(errors["a wrong support"]).toEqual([
    expect.objectContaining({
      code: "TS2322",
      text: `Type 'FactorMaker<"binary">' is not assignable to type 'FactorMaker<"simplex">'.
  Types of property 'support' are incompatible.
    Type '"binary"' is not assignable to type '"simplex"'.`,
    }),
  ])
  expect(errors["weights given parents"][0]?.text).toContain(
    `not assignable to type 'FactorMaker<"simplex">'`,
  )
  expect(errors["a wrong support in a plate"][0]?.text).toContain(
    `Type '"real"' is not assignable to type '"categorical"'`,
  )
})

it("names a site that the model does not have", () => {
  expect(errors["a site too many"][0]?.text).toMatch(
    /^Object literal may only specify known properties, and '"trees.leaf"' does not exist in type 'Factors</,
  )
  expect(errors["no prefix of the plate"][0]?.text).toMatch(
    /^Object literal may only .* and 'operator' does not/,
  )
})

it("asks for a factor for the values of each fitted constant, of the support of its prior", () => {
  expect(errors["values of fitted constants"]).toEqual([])
  expect(errors["values of full rank"]).toEqual([])
  expect(errors["positive values of full rank"][0]?.text).toContain(
    `Type '"real"' is not assignable to type '"positive"'`,
  )
  for (const name of ["forgotten values", "values of the paper's model"] as const) {
    const [error, ...more] = errors[name]
    expect(more).toEqual([])
    expect(error?.code).toBe("TS2741")
    expect(error?.text).toMatch(/^Property '"trees.value.c"' is missing in type /)
  }
  expect(errors["values of a wrong support"][0]?.text).toContain(
    `Type '"real"' is not assignable to type '"positive"'`,
  )
  expect(errors["values of a number"][0]?.text).toMatch(
    /^Object literal may only specify known properties, and '"trees.value.two"' does not exist/,
  )
})

it("asks for a factor for the scale that the values of a constant share", () => {
  expect(errors["values with a scale"]).toEqual([])
  const [error, ...more] = errors["a forgotten scale"]
  expect(more).toEqual([])
  expect(error?.text).toMatch(/^Property '"trees.scale.c"' is missing in type /)
  expect(errors["a scale of a wrong support"][0]?.text).toContain(
    `Type '"real"' is not assignable to type '"positive"'`,
  )
})

it("provides exactly the sites of the model", () => {
  const model = Model.plate("groups", 2, Model.sample("coin", Dist.bernoulli(0.5)))
  type Sites = Layer.Layer<Model.Site<"groups.coin", "binary">>
  type Relaxed = Layer.Layer<Model.Site<"groups.coin", "binary"> | Family.RelaxedDraws>
  expectTypeOf(Family.meanField(model)).toEqualTypeOf<Relaxed>()
  expectTypeOf(Family.treeConditional(model)).toEqualTypeOf<Sites>()
  const made = Family.make(model)({ "groups.coin": Family.factors.bernoulli() })
  expectTypeOf(made).toEqualTypeOf<Relaxed>()
  expectTypeOf<Family.Factors<Model.SitesOf<typeof model>>>().toEqualTypeOf<{
    readonly "groups.coin": Family.FactorMaker<"binary">
  }>()
})
