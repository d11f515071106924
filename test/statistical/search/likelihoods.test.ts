import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Stop from "../../../src/infer/Stop.ts"
import * as Search from "../../../src/search/Search.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import * as Rank from "../../../src/rank/Rank.ts"
import * as Scorer from "../../../src/rank/Scorer.ts"
import { dataOf, grammar, searched, shipped } from "../../support/densities.ts"

// The search finds the law under every likelihood, and the exact evidence puts it first. Seeds are fixed.

describe("a search under the likelihood", () => {
  it.effect.each(shipped.map((one) => [one.density.name, one] as const))(
    "%s finds and ranks the law",
    ([, one]) =>
      Effect.gen(function* () {
        const train = dataOf(one, 300)
        const model = searched(one.density)
        const posterior = yield* Search.fit(model, train).pipe(
          Effect.provide(Stop.layer({ rules: [Stop.afterSeconds(20)] })),
          Effect.provideService(Fit.Seed, 1),
        )
        const scorer = yield* Scorer.make(posterior.plan, { train })
        const found = Ensemble.fromArchive(grammar, posterior.archive.ensembles.slice(0, 12))
        const [best, second] = (yield* Rank.fromEnsembles(scorer, found)).models
        expect(best?.terms.map((term) => infix(term))).toEqual(["a*b"])
        expect(best!.lmpse).toBeGreaterThan(second!.lmpse)
        const [intercept, slope] = best!.coefficients
        expect(Math.abs(intercept! - one.intercept)).toBeLessThan(0.25 * Math.abs(one.slope))
        expect(Math.abs(slope! - one.slope)).toBeLessThan(0.15 * one.slope)
        for (const [name, value] of Object.entries(one.at))
          expect(Math.abs(Math.log(best!.nuisance[name]! / value))).toBeLessThan(0.3)
        expect(best!.rmseTrain).toBeGreaterThan(0)
      }),
    60_000,
  )
})
