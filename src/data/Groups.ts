import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import * as Data from "./Data.ts"

/** Rows in groups, by the values of a column that is no feature. */
export interface Groups {
  readonly column: string
  /** the text of each group, in the order of its first row */
  readonly labels: ReadonlyArray<string>
  /** the rows of each group, indices from 0 */
  readonly places: ReadonlyArray<Int32Array>
  /** the table without the column */
  readonly data: Data.Dataset
  /** the same, the rows of each group by themselves */
  readonly parts: ReadonlyArray<Data.Dataset>
}

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/**
 * The groups of a table.
 *
 * @errors DataError when there is no such column, it is the only feature, or it has fewer than two values
 */
export const of = (dataset: Data.Dataset, column: string): Effect.Effect<Groups, DataError> => {
  const index = dataset.features.indexOf(column)
  const values = dataset.columns[index]
  if (values === undefined)
    return fail(`there is no column "${column}" of groups; the columns are: ${dataset.features.join(", ")}`)
  if (dataset.features.length === 1)
    return fail(`beside the column "${column}" of groups there is no feature to explain the target by`)
  const rows = new Map<number, Array<number>>()
  values.forEach((value, row) => {
    const known = rows.get(value)
    if (known === undefined) rows.set(value, [row])
    else known.push(row)
  })
  if (rows.size < 2)
    return fail(`the column "${column}" has one value on all rows; a law over groups needs two at least`)
  const data: Data.Dataset = {
    ...dataset,
    features: dataset.features.toSpliced(index, 1),
    columns: dataset.columns.toSpliced(index, 1),
  }
  const places = [...rows.values()].map((list) => Int32Array.from(list))
  return Effect.succeed({
    column,
    labels: [...rows.keys()].map((value) => dataset.texts?.[column]?.[value] ?? String(value)),
    places,
    data,
    parts: places.map((list) => Data.rowsOf(data, list)),
  })
}
