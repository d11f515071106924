import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { SettingError } from "../../../src/errors/Setting.ts"
import * as Scalar from "../../../src/vi/engines/oracle/engine.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Posterior from "../../../src/infer/Posterior.ts"
import * as Restarts from "../../../src/infer/Restarts.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import { restarts, type Spec } from "../../../src/models/vasstWorker.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Archive from "../../../src/infer/Archive.ts"
import { exact, search, searched } from "../../fixtures/workers/fits.ts"
import { runs } from "../../support/property.ts"
import { data } from "../../support/smallFit.ts"

const gauss = Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))
const operators = [Operator.mul, gauss]
const spec: Spec = { features: data.features, operators, trees: 2, depth: 1, steps: 3, learningRate: 0.05 }

/** All of a posterior but its plan, which holds functions, and the time it took. */
const comparable = ({ plan: _, seconds, ...rest }: Infer.Fitted) => {
  expect(seconds).toBeGreaterThan(0)
  return rest
}

const here = <A, E>(program: Effect.Effect<A, E, Backend.Backend>) => Effect.provide(program, Backend.layer())

describe("restarts", () => {
  it.live("are plain fits from their seeds, bit for bit with 1 and 3 workers", () =>
    here(
      Effect.gen(function* () {
        const model = Vasst.model(Grammar.make({ features: data.features, operators }), 2, 1)
        const plain = yield* Effect.forEach(Restarts.seeds(7, 3), (seed) =>
          Infer.fit(model, data).pipe(
            Effect.provide(Vasst.inference(model, { steps: 3, learningRate: 0.05 })),
            Effect.provideService(Fit.Seed, seed),
          ),
        )
        for (const workers of [1, 3]) {
          const heard: Array<ReadonlyArray<number>> = [[], [], []].map(() => [])
          const posteriors = yield* Restarts.run(restarts, {
            spec,
            data,
            restarts: 3,
            workers,
            onStep: ({ step, objective }, restart) => {
              heard[restart] = [...heard[restart]!, step, objective]
            },
          })
          expect(posteriors.map(comparable)).toEqual(plain.map(comparable))
          expect(heard).toEqual(plain.map(({ trace }) => trace.flatMap((value, i) => [i + 1, value])))
          // The plan is the caller's own: with it the posterior can be drawn from.
          const key = Rng.key(1)
          const { forest } = posteriors[1]!.plan.likelihood
          expect(Posterior.draws(posteriors[1]!, forest, key, 5)).toEqual(
            Posterior.draws(plain[1]!, forest, key, 5),
          )
        }
      }),
    ).pipe(Effect.provide(Fit.seed(7))),
  )

  it.live("bring their archives along, which are ranked together", () =>
    here(
      Effect.gen(function* () {
        const spec = { features: data.features }
        const recipe = search(data.features)
        for (const workers of [1, 2]) {
          const posteriors = yield* Restarts.run(searched, { spec, data, restarts: 2, workers })
          const plain = yield* Effect.forEach(Restarts.seeds(0, 2), (seed) =>
            Effect.scoped(recipe.algorithm(data)).pipe(
              Effect.flatMap((algorithm) => Fit.fit(algorithm)),
              Effect.provide([recipe.stop, Fit.seed(seed)]),
            ),
          )
          const [found, expected] = [posteriors, plain].map((list) => list.map(({ archive }) => archive))
          expect(found).toEqual(expected)
          const all = Archive.together(posteriors.map(({ archive }) => archive))
          expect(all.scored).toBe(found![0]!.scored + found![1]!.scored)
          const { plan } = posteriors[0]!
          const scorer = yield* Scorer.make(plan, { train: data })
          const ranking = yield* Rank.fromArchive(scorer, plan.likelihood, all.ensembles)
          expect(ranking.models[0]!.rmseTrain).toBeLessThan(1e-6)
          expect(new Set(ranking.models.map(({ ensemble }) => ensemble.key)).size).toBe(ranking.models.length)
        }
      }),
    ),
  )

  it.live("end early when they are asked to, with valid posteriors", () =>
    here(
      Effect.gen(function* () {
        for (const workers of [1, 2]) {
          let steps = 0
          const posteriors = yield* Restarts.run(restarts, {
            spec: { ...spec, steps: 1_000_000 },
            data,
            restarts: 3,
            workers,
            onStep: () => steps++,
          }).pipe(Effect.provideService(Fit.Interrupt, { requested: () => steps > 2 }))
          expect(posteriors.map(({ stopReason }) => stopReason)).toEqual(
            Array.from({ length: 3 }, () => "interrupted"),
          )
          for (const { trace, steps, parameters } of posteriors) {
            expect(trace).toHaveLength(steps)
            expect(parameters.every(Number.isFinite)).toBe(true)
          }
        }
      }),
    ),
  )

  it.live("fail as a single fit fails", () =>
    Effect.gen(function* () {
      const unknown = { spec: { ...spec, features: ["x0", "z"] }, data, restarts: 2 }
      const single = yield* Effect.flip(Restarts.run(restarts, { ...unknown, workers: 1 }))
      expect(single).toMatchObject({ _tag: "CompileError", message: expect.stringContaining('"z"') })
      // A name that the type does not let through.
      const missing = { ...spec, backend: "abacus" as Backend.BackendName }
      expect(yield* Effect.flip(Restarts.run(restarts, { spec: missing, data, restarts: 1 }))).toMatchObject({
        _tag: "BackendError",
        message: expect.stringContaining('"abacus" does not load'),
      })
    }),
  )

  it.live("run on the engine of their module", () =>
    here(
      Effect.gen(function* () {
        const request = { spec: { features: data.features, steps: 2 }, data, restarts: 1 }
        const [posterior] = yield* Restarts.run(exact, request)
        const model = Vasst.model(Grammar.make({ features: data.features, operators: [Operator.mul] }), 1, 1)
        const plain = Infer.fit(model, data).pipe(Effect.provide(Vasst.inference(model, { steps: 2 })))
        expect(comparable(posterior!)).toEqual(
          comparable(yield* Effect.provide(plain, Infer.engine(Scalar.engine))),
        )
      }),
    ),
  )

  it("number at least one", () => {
    for (const restarts of [0, 1.5])
      expect(() => Restarts.run(exact, { spec: { features: ["x0"], steps: 1 }, data, restarts })).toThrow(
        SettingError,
      )
  })

  it("are declared by plain data, or do not compile", () => {
    const inner = () => Effect.scoped(exact.build({ features: ["x0"], steps: 1 }).algorithm(data))
    // @ts-expect-error a grammar has methods
    Restarts.serve("file:///x.js", (grammar: Grammar.Grammar) => {
      const model = Vasst.model(grammar)
      return Infer.recipe(model, Layer.merge(Vasst.inference(model), Backend.layer()))
    })
    expect(structuredClone({ ...Operator.shipped, gauss })).toEqual({ ...Operator.shipped, gauss })
    return Effect.runPromise(
      Effect.map(inner(), ({ init }) => expect(init(Rng.key(0)).parameters.length).toBeGreaterThan(0)),
    )
  })
})

describe("seeds of restarts", () => {
  const seed = fc.oneof(fc.maxSafeNat(), fc.nat(20))

  it("are different seeds, from the first on the same however many there are", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 1, max: 40 }), (seed, n) => {
        const seeds = Restarts.seeds(seed, n)
        expect(seeds[0]).toBe(seed)
        expect(new Set(seeds).size).toBe(n)
        expect(Restarts.seeds(seed, 40).slice(0, n)).toEqual(seeds)
        for (const one of seeds) expect(() => Rng.key(one)).not.toThrow()
      }),
      runs(50),
    )
  })

  it("do not repeat those of neighbouring seeds", () => {
    const all = Array.from({ length: 200 }, (_, seed) => Restarts.seeds(seed, 10)).flat()
    expect(new Set(all).size).toBe(2000)
  })
})

describe("draws of restarts", () => {
  const posteriors = Effect.forEach([1, 2, 3], (seed) => {
    const model = Vasst.model(Grammar.make({ features: data.features, operators }), 2, 1)
    return Infer.fit(model, data).pipe(
      Effect.provide(Vasst.inference(model, { steps: 0 })),
      Effect.provideService(Fit.Seed, seed),
    )
  })

  it.live("are those of each posterior, as many from one as from the others", () =>
    here(
      Effect.gen(function* () {
        const all = yield* posteriors
        const { forest } = all[0]!.plan.likelihood
        const key = Rng.key(4)
        expect(Posterior.drawsTogether(all.slice(0, 1), forest, key, 9)).toEqual(
          Posterior.draws(all[0]!, forest, key, 9),
        )
        const drawn = Posterior.drawsTogether(all, forest, key, 20)
        expect(drawn.count).toBe(20)
        // Two trees of depth 1, which has three nodes; 7, 7 and 6 draws.
        expect(drawn.split).toHaveLength(20 * 2 * 3)
        const last = Posterior.draws(all[2]!, forest, Rng.fold(key, 2), 6)
        for (const site of ["split", "operator", "terminal"] as const)
          expect(drawn[site].slice(14 * 2 * 3)).toEqual(last[site])
        expect(Posterior.drawsTogether(all, forest, key, 2).count).toBe(2)
      }),
    ),
  )

  it.live("make one ranking, of the models that any of them has drawn", () =>
    here(
      Effect.gen(function* () {
        const all = yield* posteriors
        const { plan } = all[0]!
        const { forest } = plan.likelihood
        const scorer = yield* Scorer.make(plan, { train: data })
        const key = Rng.key(4)
        const keys = (ranking: Rank.Ranking) => ranking.models.map(({ ensemble }) => ensemble.key)
        const ranking = yield* Rank.fromDraws(
          scorer,
          plan.likelihood,
          Posterior.drawsTogether(all, forest, key, 60),
        )
        const each = yield* Effect.forEach(all, (posterior, restart) =>
          Rank.fromPosterior({
            train: data,
            draws: 20,
            key: restart === 0 ? key : Rng.fold(key, restart),
          })(posterior),
        )
        expect(new Set(keys(ranking))).toEqual(new Set(each.flatMap(keys)))
        expect(ranking.draws).toBe(60)
        for (const { ensemble, draws } of ranking.models) {
          const found = each.flatMap(({ models }) =>
            models.filter((one) => one.ensemble.key === ensemble.key),
          )
          expect(draws).toBe(found.reduce((sum, { draws }) => sum + draws, 0))
        }
      }),
    ),
  )
})
