import * as Effect from "effect/Effect"
import type { Dataset } from "../../data/Data.ts"
import { CompileError } from "../../errors/Errors.ts"
import { meant } from "../../internal/nearest.ts"
import type { Noise } from "../Noise.ts"
import type { Known } from "./Deviations.ts"

/** A column of the data, by its name. */
const read = (data: Dataset, name: string, role: string): Effect.Effect<Float64Array, CompileError> => {
  const column = data.columns[data.features.indexOf(name)]
  if (column !== undefined) return Effect.succeed(column)
  return fail(
    `there is no column "${name}" with ${role}${meant(name, data.features, { otherwise: ";" })} the columns are: ${data.features.join(", ")}`,
  )
}

const fail = (message: string): Effect.Effect<never, CompileError> =>
  Effect.fail(new CompileError({ message }))

/**
 * The columns of standard errors and weights that a noise names.
 *
 * Fails with a `CompileError` that names the column which is missing, or the row and the column of a standard error that is not
 * above 0 or a weight below 0, or when all weights are 0.
 */
export const known = (
  { error, weights }: Pick<Noise, "error" | "weights">,
  data: Dataset,
): Effect.Effect<Known, CompileError> =>
  Effect.gen(function* () {
    const errors = error === undefined ? undefined : yield* read(data, error, "standard errors")
    const given = weights === undefined ? undefined : yield* read(data, weights, "weights")
    const place = (row: number, column: string): string =>
      `row ${data.numbers?.[row] ?? row + 1}, column "${column}"`
    const wrong = errors?.findIndex((value) => !(value > 0 && value < Infinity)) ?? -1
    if (error !== undefined && wrong >= 0)
      return yield* fail(
        `${place(wrong, error)}: the standard error must be a number above 0, but is ${errors![wrong]}; correct it or remove the row`,
      )
    const bad = given?.findIndex((value) => !(value >= 0 && value < Infinity)) ?? -1
    if (weights !== undefined && bad >= 0)
      return yield* fail(
        `${place(bad, weights)}: the weight must be a number of at least 0, but is ${given![bad]}; correct it or remove the row`,
      )
    if (weights !== undefined && given?.every((value) => value === 0))
      return yield* fail(
        `all weights in the column "${weights}" are 0; give rows that count a weight above 0`,
      )
    return { errors, weights: given }
  })
