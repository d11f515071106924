import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Infer from "../../../src/vi/Infer.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Family from "../../../src/vi/Family.ts"
import * as Objective from "../../../src/vi/Objective.ts"
import * as Optimizer from "../../../src/vi/Optimizer.ts"
import * as Relaxation from "../../../src/vi/Relaxation.ts"
import * as Schedule from "../../../src/vi/Schedule.ts"
import { dataOf, linear, relaxed, shipped } from "../../support/densities.ts"

// The descent of the evidence lower bound over relaxed trees under every likelihood. Seeds are fixed.

const steps = 120

describe("a descent under the likelihood", () => {
  it.effect.each([
    ...shipped.map((one) => [one.density.name, one, linear(one.density)] as const),
    ["of the g-prior in closed form", shipped[0]!, Likelihood.selectedLinear] as const,
  ])(
    "%s moves to the law",
    ([, one, likelihood]) =>
      Effect.gen(function* () {
        const data = dataOf(one, 100)
        const model = relaxed(likelihood, 1)
        const posterior = yield* Infer.fit(model, data).pipe(
          Effect.provide(
            Layer.mergeAll(
              Family.meanField(model, Family.paperLogits),
              Backend.layer("simd"),
              Relaxation.concrete({ temperature: Schedule.linear(1, 0.4, steps) }),
              Objective.elbo({ samples: 4 }),
              Optimizer.layer(Optimizer.adamW({ learningRate: 0.1 })),
              Stop.layer({ steps }),
              Fit.seed(1),
            ),
          ),
        )
        const { models } = yield* Rank.fromPosterior({ train: data, draws: 100 })(posterior)
        const best = models[0]!
        expect(best.terms.map((term) => infix(term))).toEqual(["a*b"])
        // An untrained family draws it one time in eight at most.
        expect(best.draws).toBeGreaterThan(25)
      }),
    60_000,
  )
})
