// Families are checked against the model, site by site. Pins what the compiler says first.
import type * as Layer from "effect/Layer"
import { expect, expectTypeOf, it } from "vitest"
import * as Dist from "vasst/declare/Dist"
import * as Model from "vasst/declare/Model"
import * as Family from "vasst/infer/Family"
import { diagnose } from "../support/compile.ts"
import { program } from "../support/program.ts"

const some = `operatorWeights: dirichlet(), featureWeights: dirichlet(), "trees.split": bernoulli()`
const family = (factors: string) => `${program}
    Family.make(model)({ ${factors} })`

const errors = diagnose({
  complete: family(`${some}, "trees.operator": categorical(), "trees.terminal": categorical()`),
  "operators given parents": family(
    `${some}, "trees.operator": Family.factors.parentConditional(), "trees.terminal": categorical()`,
  ),
  "weights given parents": family(
    `operatorWeights: Family.factors.parentConditional(), featureWeights: dirichlet(), "trees.split": bernoulli(),
     "trees.operator": categorical(), "trees.terminal": categorical()`,
  ),
  "a complete fit": `${program}
    import * as Vasst from "vasst/models/vasst"
    import * as Backend from "vasst/runtime/Backend"
    void Effect.runPromise(
      Fit.fit(model, data).pipe(Effect.provide(Vasst.inference(model)), Effect.provide(Backend.layer())),
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
  expect(errors["operators given parents"]).toEqual([])
  expect(errors["a complete fit"]).toEqual([])
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
    `Type '"categorical"' is not assignable to type '"simplex"'`,
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

it("provides exactly the sites of the model", () => {
  const model = Model.plate("groups", 2, Model.sample("coin", Dist.bernoulli(0.5)))
  type Sites = Layer.Layer<Model.Site<"groups.coin", "binary">>
  expectTypeOf(Family.meanField(model)).toEqualTypeOf<Sites>()
  expectTypeOf(Family.treeConditional(model)).toEqualTypeOf<Sites>()
  const made = Family.make(model)({ "groups.coin": Family.factors.bernoulli() })
  expectTypeOf(made).toEqualTypeOf<Sites>()
  expectTypeOf<Family.Factors<Model.SitesOf<typeof model>>>().toEqualTypeOf<{
    readonly "groups.coin": Family.FactorMaker<"binary">
  }>()
})
