import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import { availableBackends } from "../../support/backends.ts"
import { data, everything, inference, model, modelOf } from "../../support/smallFit.ts"

// That fitting fits, with fixed seeds.

/** The last one: for models as small as this, tfjs's plain JavaScript is the fastest. */
const backend = availableBackends().at(-1)!
const mean = (values: ReadonlyArray<number>): number => values.reduce((a, b) => a + b, 0) / values.length

describe("the objective", () => {
  // The mean of the last 20 steps less that of the first 20, over seeds 101 to 200: at a rate of 0.05 from 2.6 to 8.0,
  // median 5.5; at a rate of 0 (noise and annealing alone) from -2.5 to 2.4. The mean of four seeds exceeds 3 but for
  // one in 1,000 quadruples, and at a rate of 0 never.
  const rise = (learningRate: number) =>
    Effect.gen(function* () {
      const rises: Array<number> = []
      for (let seed = 1; seed <= 4; seed++) {
        const { trace: elbo } = yield* Infer.fit(model, data).pipe(
          Effect.provide(everything({ backend, steps: 80, seed, learningRate })),
        )
        rises.push(mean(elbo.slice(-20)) - mean(elbo.slice(0, 20)))
      }
      return mean(rises)
    })

  it.live("rises on a small problem at a sensible rate", () =>
    Effect.gen(function* () {
      expect(yield* rise(0.05)).toBeGreaterThan(3)
    }),
  )

  it.live("stays where it is at a rate of zero", () =>
    Effect.gen(function* () {
      expect(Math.abs(yield* rise(0))).toBeLessThan(3)
    }),
  )
})

describe("sites that the data say nothing about", () => {
  // Their factors have nothing to do but to become the priors. No noise enters: the optimum is exact.
  const idle = Model.gen(function* () {
    yield* modelOf([Operator.mul, Operator.sin])
    yield* Model.sample("coin", Dist.bernoulli(0.2))
    yield* Model.sample("die", Dist.categorical([0.1, 0.2, 0.7]))
    yield* Model.sample("length", Dist.logNormal(0.3, 0.5))
    yield* Model.sample("level", Dist.normal(-0.4, 2))
    yield* Model.sample("share", Dist.beta(2, 4))
  })

  it.live("end at their priors", () =>
    Effect.gen(function* () {
      const { plan, parameters } = yield* Infer.fit(idle, data)
      const of = (site: string) => Plan.parametersOf(plan, site, parameters).map((slot) => Array.from(slot))
      const close = (found: number, expected: number) => expect(Math.abs(found - expected)).toBeLessThan(0.03)
      close(of("coin")[0]![0]!, Math.log(0.2 / 0.8))
      const [a, b, c] = of("die")[0]!
      close(b! - a!, Math.log(2))
      close(c! - a!, Math.log(7))
      close(of("length")[0]![0]!, 0.3)
      close(of("length")[1]![0]!, Math.log(0.5))
      close(of("level")[0]![0]!, -0.4)
      close(of("level")[1]![0]!, Math.log(2))
      close(of("share")[0]![0]!, Math.log(2))
      close(of("share")[1]![0]!, Math.log(4))
    }).pipe(
      Effect.provide(inference({ backend, steps: 300, samples: 1, learningRate: 0.03 })),
      Effect.provide(Family.meanField(idle, { logitsClip: 10, initialScale: 0.3 })),
    ),
  )
})
