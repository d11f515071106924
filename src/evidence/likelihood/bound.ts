import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import { CompileError } from "../../errors/Errors.ts"
import type { Density } from "./Density.ts"
import type * as Laplace from "./Laplace.ts"
import { nullFit } from "./nullFit.ts"
import * as Rows from "./Rows.ts"
import * as Real from "../../numeric/Real.ts"

/** A density on data, with the priors whose scale the fit of the intercept alone sets. */
export interface Bound {
  readonly rows: Rows.Rows
  readonly prior: Laplace.Prior
}

/**
 * Binds a density to data.
 *
 * Fails with a `CompileError` as `Rows.make`, or when the density is not finite at any of the initial constant predictors.
 *
 * @param a of the hyper-g/n prior
 * @param resolution the resolution of y, as a fraction of the noise of the intercept's fit
 */
export const bind = (
  density: Density,
  data: Dataset,
  a: number,
  resolution: number,
): Effect.Effect<Bound, CompileError> =>
  Effect.gen(function* () {
    const rows = yield* Rows.make(density, data)
    const nothing = nullFit(rows)
    if (nothing === undefined)
      return yield* new CompileError({
        message: `the likelihood "${density.name}" has no finite density at any constant predictor that was tried; choose another likelihood`,
      })
    const index = density.nuisance.findIndex(
      ({ name, prior }) => name === density.scale && prior === undefined,
    )
    const rounding =
      index < 0 || resolution === 0
        ? undefined
        : { index, amount: data.rows * (resolution * Real.exp(nothing.tau[index]!)) ** 2 }
    return { rows, prior: { nothing, a, rounding } }
  })
