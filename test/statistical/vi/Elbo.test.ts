import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import * as Optimizer from "../../../src/vi/Optimizer.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Relaxation from "../../../src/vi/Relaxation.ts"
import * as Schedule from "../../../src/vi/Schedule.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { dataset } from "../../support/selected.ts"

// That relaxed fits learn the numbers inside of terms, with fixed seeds: y = 2 sin(1.7 x) and noise of 0.05.

const generator = Rng.generator(Rng.key(4))
const x = Float64Array.from({ length: 60 }, () => -2 + 4 * generator.next())
const data = dataset(
  { x },
  x.map((value) => 2 * Math.sin(1.7 * value) + 0.05 * generator.normal()),
)
const grammar = Grammar.make({
  features: ["x"],
  operators: [Operator.mul, Operator.sin],
  constants: { c: Constant.fitted(Dist.normal(0, 3)) },
})
const model = Model.gen(function* () {
  const operators = yield* Model.sample("operatorWeights", Dist.dirichlet.symmetric(2, 1))
  const features = yield* Model.sample("featureWeights", Dist.dirichlet.symmetric(2, 1))
  const split = Prior.depthDecay(0.95, 0.5)
  const forest = yield* Model.plate(
    "trees",
    1,
    Tree.prior({ grammar, depth: 2, split, operators, features, values: true }),
  )
  yield* Model.observe("y", Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 0.1 }))
})
const steps = 400
const fit = (seed: number, learningRate: number) =>
  Infer.fit(model, data).pipe(
    Effect.provide(
      Layer.mergeAll(
        // Every value from 1, up to a tenth.
        Family.meanField(model, { ...Family.paperLogits, values: { centre: 1, sd: 0.1, scatter: 0.1 } }),
        Backend.layer("simd"),
        Relaxation.concrete({ temperature: Schedule.linear(1, 0.3, 0.7 * steps), valueClip: 200 }),
        Objective.elbo({ samples: 8 }),
        Optimizer.layer(Optimizer.chain(Optimizer.clipByNorm(10), Optimizer.adamW({ learningRate }))),
        Stop.layer({ steps }),
        Fit.seed(seed),
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
