import * as Effect from "effect/Effect"
import type * as Data from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import type { Declared } from "../prob/Plan.ts"
import type { Model } from "../rank/Model.ts"
import { numbers } from "../rank/Numbers.ts"
import * as Scorer from "../rank/Scorer.ts"

/** A form that can be fitted to a law without noise to this share of its standard deviation contains the law. */
const contained = 1e-6

/**
 * Whether a model has the form of a law: its coefficients and fitted constants can be chosen so that it equals the law on all rows, and it
 * has no more of them than the law. Two forms that are one family of functions are one law, however they are written.
 *
 * @param data features, and the law's values without noise as the response, on more rows than a form could interpolate
 * @param most the number of terms and fitted constants of the law
 * @errors CompileError as of `Scorer.make`
 */
export const judge = (
  plan: Declared,
  data: Data.Dataset,
  most: number,
): Effect.Effect<(model: Pick<Model, "ensemble">) => boolean, CompileError> =>
  Effect.map(Scorer.make(plan, { train: data }), (scorer) => ({ ensemble }) => {
    if (numbers(ensemble.trees) > most) return false
    const fitted = scorer.model({ ensemble, draws: 1 })
    if (fitted === undefined) return false
    const residuals = fitted.residuals()
    const rms = Math.sqrt(residuals.reduce((sum, value) => sum + value * value, 0) / residuals.length)
    return rms <= contained * scorer.scale
  })
