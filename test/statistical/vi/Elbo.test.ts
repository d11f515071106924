import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import { data, modelOf, services, symbols } from "../../support/sineFit.ts"

// That relaxed fits learn the numbers inside of terms, with fixed seeds: y = 2 sin(1.7 x) and noise of 0.05.

const model = modelOf(Grammar.make({ ...symbols, constants: { c: Constant.fitted(Dist.normal(0, 3)) } }))
const steps = 400
const fit = (seed: number, learningRate: number) =>
  Infer.fit(model, data).pipe(
    Effect.provide(
      Layer.merge(
        // Every value from 1, up to a tenth.
        Family.meanField(model, { ...Family.paperLogits, values: { centre: 1, sd: 0.1, scatter: 0.1 } }),
        services(seed, learningRate, steps, 0.7 * steps),
      ),
    ),
  )

describe("the values of a fitted constant", () => {
  // The node whose value has been narrowed down most ends within 0.1 of 1.7 or of -1.7: for 200 seeds of 200 (101 to 300) from this
  // start, so that a seed fails with a probability below 1.5 % (at 95 %); of 100 seeds at a rate of 0 for none.
  it.live("move to the number that the data have", () =>
    Effect.gen(function* () {
      for (const seed of [1, 2, 3]) {
        const posterior = yield* fit(seed, 0.05)
        const [loc, logScale] = Plan.parametersOf(posterior.plan, "trees.value.c", posterior.parameters)
        const least = logScale!.indexOf(Math.min(...logScale!))
        expect(Math.abs(Math.abs(loc![least]!) - 1.7)).toBeLessThan(0.1)
        expect(Math.exp(logScale![least]!)).toBeLessThan(0.1)
        // What the tree does not use goes back to the prior.
        expect(Math.exp(Math.max(...logScale!))).toBeGreaterThan(2.5)
        const { models } = yield* Rank.fromPosterior({ train: data, draws: 100 })(posterior)
        expect(models[0]!.rmseTrain).toBeLessThan(0.06)
        expect(models[0]!.ensemble.key).toMatch(/t1=-?1\.[67]\d/)
      }
    }),
  )

  it.live("stay where they start at a rate of zero", () =>
    Effect.gen(function* () {
      const posterior = yield* fit(1, 0)
      const [loc] = Plan.parametersOf(posterior.plan, "trees.value.c", posterior.parameters)
      for (const value of loc!) expect(Math.abs(value - 1)).toBeLessThan(0.5)
    }),
  )
})
