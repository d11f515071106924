// What a model is in types: an effect whose requirements are its sites. Pins the compiler's words for wrong programs.
import * as Effect from "effect/Effect"
import { expect, expectTypeOf, it } from "vitest"
import * as Dist from "vasst/prob/Dist"
import * as Model from "vasst/prob/Model"
import type { Sym } from "vasst/prob/Sym"
import { diagnose } from "../../support/compile.ts"
import { program } from "../../support/program.ts"

const errors = diagnose({
  "a site of coefficients": `${program}
    Model.sample("beta", Dist.normalInverseGamma([0], [[1]], 1, 1))`,
  "a parent of the wrong support": `${program}
    Model.gen(function* () {
      const weights = yield* Model.sample("weights", Dist.dirichlet([1, 1]))
      yield* Model.sample("flag", Dist.bernoulli(weights))
    })`,
  "tree weights of the wrong support": `${program}
    Model.gen(function* () {
      const operators = yield* Model.sample("operators", Dist.beta(1, 1))
      const features = yield* Model.sample("features", Dist.dirichlet([1, 1]))
      yield* Tree.prior({ grammar, depth: 1, split, operators, features })
    })`,
  "nobody provides the sites": `${program}
    void Effect.runSync(Plan.trace(model))`,
  "one site is not provided": `${program}
    const larger = Effect.andThen(Model.sample("extra", Dist.normal(0, 1)), model)
    void Effect.runSync(Plan.trace(larger).pipe(Effect.provide(Family.meanField(model))))`,
  "the rest of a fit is not provided": `${program}
    void Effect.runPromise(Infer.fit(model, data).pipe(Effect.provide(Family.meanField(model))))`,
})

it("rejects a latent site of coefficients, which the likelihood integrates out", () => {
  const [error, ...more] = errors["a site of coefficients"]
  expect(more).toEqual([])
  expect(error?.text).toMatch(
    /^Argument of type 'Dist<"coefficients">' is not assignable to parameter of type/,
  )
})

it("rejects parameters of the wrong support, and names both", () => {
  expect(errors["a parent of the wrong support"][0]?.text).toContain(
    `Type 'Sym<"simplex">' is not assignable to type 'Sym<"unit">'`,
  )
  expect(errors["tree weights of the wrong support"]).toEqual([
    expect.objectContaining({
      code: "TS2322",
      text: `Type 'Sym<"unit">' is not assignable to type 'Sym<"simplex">'.\n  Type '"unit"' is not assignable to type '"simplex"'.`,
    }),
  ])
})

it("names a site that no guide provides", () => {
  const [error] = errors["nobody provides the sites"]
  expect(error?.text).toContain(`Type 'Site<"featureWeights", "simplex">' is not assignable to type 'never'`)
  // With one site missing the compiler names that one.
  expect(errors["one site is not provided"]).toHaveLength(1)
  expect(errors["one site is not provided"][0]?.text).toContain(
    `\n  Type 'Site<"extra", "real">' is not assignable to type 'never'.`,
  )
  expect(errors["the rest of a fit is not provided"][0]?.text).toContain(
    "Type 'Backend | Objective | Optimizer | Relaxation | Stop' is not assignable to type 'never'",
  )
})

it("puts every site's name and support into the model's type", () => {
  const coin = Model.sample("coin", Dist.bernoulli(0.5))
  expectTypeOf(coin).toEqualTypeOf<Effect.Effect<Sym<"binary">, never, Model.Site<"coin", "binary">>>()
  const both = Effect.andThen(coin, Model.sample("level", Dist.normal(0, 1)))
  expectTypeOf<Model.SitesOf<typeof both>>().toEqualTypeOf<
    Model.Site<"coin", "binary"> | Model.Site<"level", "real">
  >()
  expectTypeOf<Model.NameOf<Model.SitesOf<typeof both>>>().toEqualTypeOf<"coin" | "level">()
  expectTypeOf<Model.SupportAt<Model.SitesOf<typeof both>, "level">>().toEqualTypeOf<"real">()
  const each = Model.sampleEach("levels", [Dist.normal(0, 1), Dist.normal(1, 1)])
  expectTypeOf<Model.SitesOf<typeof each>>().toEqualTypeOf<Model.Site<"levels", "real">>()
})

it("prefixes the sites inside a plate, nested plates outermost first, and leaves those of a repeat", () => {
  const coin = Model.sample("coin", Dist.bernoulli(0.5))
  const inner = Model.plate("inner", 2, coin)
  expectTypeOf<Model.SitesOf<typeof inner>>().toEqualTypeOf<Model.Site<"inner.coin", "binary">>()
  const outer = Model.plate("outer", 3, inner)
  expectTypeOf<Model.SitesOf<typeof outer>>().toEqualTypeOf<Model.Site<"outer.inner.coin", "binary">>()
  const repeated = Model.repeat(3, inner)
  expectTypeOf<Model.SitesOf<typeof repeated>>().toEqualTypeOf<Model.Site<"inner.coin", "binary">>()
})
