import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import { FormulaError } from "./FormulaError.ts"

/** The values of the column that says the order of rows. */
export const order = (data: Dataset, name: string): Effect.Effect<Float64Array, FormulaError> => {
  const values = data.columns[data.features.indexOf(name)]
  return values === undefined
    ? Effect.fail(
        new FormulaError({
          message: `there is no column "${name}" to say the order of rows; the columns are ${data.features.join(", ")}`,
        }),
      )
    : Effect.succeed(values)
}
