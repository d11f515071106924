import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { FactorSite } from "../../../src/prob/Factor.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Family from "../../../src/vi/Family.ts"

/** Runs a program and returns its value and the sites that it recorded. */
const traced = <A, R>(program: Model.Model<A, R>) => {
  const recorder: Model.Recorder = { sites: [], factors: [], guides: new Set(), observed: [] }
  return Effect.map(
    program.pipe(Effect.provideService(Model.Trace, recorder), Effect.provide(Family.meanField(program))),
    (value) => ({ value, sites: recorder.sites }),
  )
}
const layout = (sites: ReadonlyArray<FactorSite>) =>
  sites.map(({ name, support, shape, size }) => [name, support, shape, size])

describe("Model.sample", () => {
  it.effect("records the site and returns its symbolic value", () =>
    Effect.gen(function* () {
      const prior = Dist.dirichlet([1, 2, 3])
      const { value, sites } = yield* traced(Model.sample("w", prior))
      expect(value).toEqual({ _tag: "Sym", site: "w", support: "simplex", shape: [], size: 3 })
      expect(sites).toMatchObject([{ name: "w", support: "simplex", prior: { _tag: "Shared", dist: prior } }])
    }),
  )

  it.effect("knows the event size of every prior", () =>
    Effect.gen(function* () {
      const { sites } = yield* traced(
        Model.gen(function* () {
          const weights = yield* Model.sample("weights", Dist.dirichlet.symmetric(4, 1))
          yield* Model.sample("latent", Dist.categorical(weights))
          yield* Model.sample("fixed", Dist.categorical([0.5, 0.5]))
          yield* Model.sample("level", Dist.normal(0, 1))
        }),
      )
      expect(layout(sites)).toEqual([
        ["weights", "simplex", [], 4],
        ["latent", "categorical", [], 4],
        ["fixed", "categorical", [], 2],
        ["level", "real", [], 1],
      ])
    }),
  )
})

describe("plates", () => {
  it.effect("prefix names and widen shapes, outermost first; sampleEach adds the innermost axis", () =>
    Effect.gen(function* () {
      const inner = Model.gen(function* () {
        yield* Model.sample("coin", Dist.bernoulli(0.5))
        yield* Model.sampleEach("levels", [Dist.normal(0, 1), Dist.normal(5, 1)])
      })
      const { sites } = yield* traced(Model.plate("a", 3, Model.repeat(4, Model.plate("b", 5, inner))))
      expect(layout(sites)).toEqual([
        ["a.b.coin", "binary", [3, 4, 5], 1],
        ["a.b.levels", "real", [3, 4, 5, 2], 1],
      ])
    }),
  )

  it.effect("end where they end", () =>
    Effect.gen(function* () {
      const coin = Model.sample("coin", Dist.bernoulli(0.5))
      const { sites } = yield* traced(Effect.andThen(Model.plate("a", 3, coin), coin))
      expect(layout(sites)).toEqual([
        ["a.coin", "binary", [3], 1],
        ["coin", "binary", [], 1],
      ])
    }),
  )
})

describe("Model.sampleEach", () => {
  it("refuses priors that are no vector", () => {
    expect(() => Model.sampleEach("none", [])).toThrow('sampleEach("none"): there is no prior')
    expect(() => Model.sampleEach("mixed", [Dist.normal(0, 1), Dist.beta(1, 1)])).toThrow(
      'sampleEach("mixed"): the priors differ in support',
    )
    expect(() => Model.sampleEach("w", [Dist.dirichlet([1, 1]), Dist.dirichlet([1, 1, 1])])).toThrow(
      'sampleEach("w"): the priors differ in the number of weights',
    )
  })
})

it.effect("a program that runs outside of a compilation records nowhere", () =>
  Effect.gen(function* () {
    const coin = Model.sample("coin", Dist.bernoulli(0.5))
    const run = coin.pipe(Effect.provide(Family.meanField(coin)))
    expect(yield* run).toEqual(yield* run)
  }),
)
