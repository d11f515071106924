import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Csv from "vasst/data/Csv"
import * as Cells from "../../../src/data/Cells.ts"
import * as Frame from "../../../src/data/Frame.ts"
import type { Column, Look } from "./Messages.ts"

/** The number of rows that the page shows. */
const shown = 5

/** No column has this name: a text with this character is refused. */
const nothing = "\0"

/** The ends of the values of a column. */
const rangeOf = (values: Float64Array): readonly [number, number] => {
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}

/**
 * The columns of a text as the page shows them.
 *
 * @errors DataError as of `Csv.parse`; a column that does not hold numbers is no error: it has a complaint
 */
export const of = (text: string) =>
  Effect.gen(function* () {
    const table = yield* Csv.parse(text)
    const frame = Frame.ofTexts(table)
    const columns = yield* Effect.forEach(table.columns, (name) =>
      Effect.map(
        Effect.result(Cells.numbers(Csv, frame, { names: [name], target: nothing, listed: true })),
        (numbers): Column => ({
          name,
          unit: table.units[name],
          range: Result.isSuccess(numbers) ? rangeOf(numbers.success[0]!) : undefined,
          complaint: Result.isFailure(numbers) ? numbers.failure.message : undefined,
        }),
      ),
    )
    const first = table.rows.slice(0, shown).map(({ cells }) => cells)
    return { columns, rows: table.rows.length, first } satisfies Look
  })
