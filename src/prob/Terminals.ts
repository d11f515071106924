import * as Effect from "effect/Effect"
import type { Grammar } from "./Grammar.ts"
import type { Dataset } from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"

/**
 * The columns of a grammar's terminals: its features from the data, then its constants, each of length n. Fails with a
 * `CompileError` that names a feature which the data lack.
 */
export const columns = (
  grammar: Grammar,
  data: Dataset,
): Effect.Effect<ReadonlyArray<Float64Array>, CompileError> => {
  const found: Array<Float64Array> = []
  for (const { name, term } of grammar.terminals) {
    if (term._tag === "Constant") {
      found.push(new Float64Array(data.rows).fill(term.value))
      continue
    }
    const column = data.columns[data.features.indexOf(name)]
    if (column === undefined)
      return Effect.fail(
        new CompileError({
          message: `the grammar uses the feature "${name}", but the data have ${data.features.map((f) => `"${f}"`).join(", ")}`,
        }),
      )
    found.push(column)
  }
  return Effect.succeed(found)
}
