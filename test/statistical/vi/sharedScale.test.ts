import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Model from "../../../src/prob/Model.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import * as Optimizer from "../../../src/vi/Optimizer.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Relaxation from "../../../src/vi/Relaxation.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Schedule from "../../../src/vi/Schedule.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import { dataset } from "../../support/selected.ts"

// The scale that the numbers of relaxed trees share follows from the numbers: y = 2 sin(1.7 x) and noise of 0.05.

const generator = Rng.generator(Rng.key(4))
const x = Float64Array.from({ length: 60 }, () => -2 + 4 * generator.next())
const data = dataset(
  { x },
  x.map((value) => 2 * Math.sin(1.7 * value) + 0.05 * generator.normal()),
)
const [centre, width] = [Math.log(3), 0.5]
const grammar = Grammar.make({
  features: ["x"],
  operators: [Operator.mul, Operator.sin],
  constants: {
    c: Constant.hierarchical({ scale: Dist.logNormal(centre, width), given: (s) => Dist.normal(0, s) }),
  },
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
const steps = 3000
const unused = 6

/**
 * Mean m and variance v of log s in the mean-field optimum with one number c that the data tell, and six that no tree uses: each of these costs v at its
 * best, so that the ELBO depends on m and v by
 *
 *     -m - c^2 exp(-2 m + 2 v) / 2 - ((m - centre)^2 + v) / (2 width^2) + log(v) / 2 - 6 v
 */
const optimum = (c: number): { readonly m: number; readonly v: number } => {
  let [m, v] = [centre, 0.1]
  for (let i = 0; i < 500; i++) {
    const pull = c ** 2 * Math.exp(-2 * m + 2 * v)
    v = 1 / (2 * (pull + 1 / (2 * width ** 2) + unused))
    m = centre + width ** 2 * (pull - 1)
  }
  return { m, v }
}

describe("the scale that the numbers of relaxed trees share", () => {
  // Of 20 seeds all ended with the number within 0.04 of 1.7, and of four with as many steps all m within 0.003 of the optimum; noise of the
  // last steps alone moves it. A seed fails with a probability below 14 % (at 95 %).
  it.live("is where its optimum is in closed form", () =>
    Effect.gen(function* () {
      for (const seed of [1, 2]) {
        const posterior = yield* Infer.fit(model, data).pipe(
          Effect.provide(
            Layer.mergeAll(
              Family.meanField(model, {
                ...Family.paperLogits,
                values: { centre: 1.7, sd: 0.02, scatter: 0.02 },
              }),
              Backend.layer("simd"),
              Relaxation.concrete({ temperature: Schedule.linear(1, 0.3, 280), valueClip: 200 }),
              Objective.elbo({ samples: 8 }),
              Optimizer.layer(
                Optimizer.chain(Optimizer.clipByNorm(10), Optimizer.adamW({ learningRate: 0.05 })),
              ),
              Stop.layer({ steps }),
              Fit.seed(seed),
            ),
          ),
        )
        const of = (site: string) => Plan.parametersOf(posterior.plan, site, posterior.parameters)
        const [[m], [logSd]] = of("trees.scale.c") as [Float64Array, Float64Array]
        const [means, logScales] = of("trees.value.c") as [Float64Array, Float64Array]
        const used = logScales.indexOf(Math.min(...logScales))
        expect(Math.abs(Math.abs(means[used]!) - 1.7)).toBeLessThan(0.1)
        const expected = optimum(means[used]!)
        expect(Math.abs(m! - expected.m)).toBeLessThan(0.02)
        expect(Math.abs(Math.exp(2 * logSd!) / expected.v - 1)).toBeLessThan(0.03)
        // The prior has log 3 and 0.25.
        expect(Math.abs(m! - centre)).toBeGreaterThan(0.1)
        const { models } = yield* Rank.fromPosterior({ train: data, draws: 100 })(posterior)
        expect(models[0]!.rmseTrain).toBeLessThan(0.06)
      }
    }),
  )
})
