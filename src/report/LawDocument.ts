import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import type { Operator } from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"
import { infix } from "../expr/text/infix.ts"
import { parse, type TermParseError } from "../expr/text/parse.ts"

/** A law that predicts without the data that it was fitted to: its formula over columns and named numbers, their posterior, the noise. */
export const Law = Schema.Struct({
  /** infix, over the columns and the names of `numbers` */
  formula: Schema.String,
  numbers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.Finite, error: Schema.Finite })),
  /** of the numbers in their order, a row for each */
  covariance: Schema.Array(Schema.Array(Schema.Finite)),
  noise: Schema.Struct({
    /** the standard deviation as a function of the law's value `mu`, in units of `sigma` */
    deviation: Schema.String,
    residual: Schema.Literals(["difference", "logarithm"]),
    /** of Student's t noise; null for normal noise */
    degrees: Schema.NullOr(Schema.Finite),
    sigma: Schema.Finite,
    /** the degrees of freedom of `sigma` */
    freedom: Schema.Finite,
  }),
})

export type Law = typeof Law.Type

/** A law as a part of a document; null for none, and for one with numbers that the data do not determine. */
export const of = (law: FittedLaw.FittedLaw | undefined): Law | null => {
  if (law === undefined) return null
  const { formula, names, values, covariance, noise, sigma, freedom } = law
  const count = names.length
  if (![sigma, ...values, ...covariance].every(Number.isFinite)) return null
  const errors = FittedLaw.errors(law)
  return {
    formula: infix(formula),
    numbers: names.map((name, j) => ({ name, value: values[j]!, error: errors[j]! })),
    covariance: names.map((_, j) => Array.from(covariance.subarray(j * count, (j + 1) * count))),
    noise: {
      deviation: infix(noise.deviation),
      residual: noise.residual,
      degrees: noise.degrees ?? null,
      sigma,
      freedom,
    },
  }
}

/**
 * The law of a document. Fails for a formula with operators that are not known here.
 *
 * @param operators those of the user's own (`definitions` reads those of a document)
 */
export const read = (
  law: Law,
  operators: ReadonlyArray<Operator> = [],
): Result.Result<FittedLaw.FittedLaw, TermParseError> =>
  Result.map(
    Result.all([parse(law.formula, { operators }), parse(law.noise.deviation)]),
    ([formula, deviation]): FittedLaw.FittedLaw => ({
      formula,
      names: law.numbers.map(({ name }) => name),
      values: Float64Array.from(law.numbers, ({ value }) => value),
      covariance: Float64Array.from(law.covariance.flat()),
      noise: {
        // The text of a deviation has no other variable.
        deviation: Term.substitute(deviation, () => Term.variable("mu")),
        residual: law.noise.residual,
        degrees: law.noise.degrees ?? undefined,
      },
      sigma: law.noise.sigma,
      freedom: law.noise.freedom,
    }),
  )
