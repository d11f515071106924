import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import { data, modelOf, services, symbols } from "../../support/sineFit.ts"

// The scale that the numbers of relaxed trees share follows from the numbers: y = 2 sin(1.7 x) and noise of 0.05.

const [centre, width] = [Math.log(3), 0.5]
const model = modelOf(
  Grammar.make({
    ...symbols,
    constants: {
      c: Constant.hierarchical({ scale: Dist.logNormal(centre, width), given: (s) => Dist.normal(0, s) }),
    },
  }),
)
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
            Layer.merge(
              Family.meanField(model, {
                ...Family.paperLogits,
                values: { centre: 1.7, sd: 0.02, scatter: 0.02 },
              }),
              services(seed, 0.05, steps, 280),
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
