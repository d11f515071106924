import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import { meant } from "../internal/nearest.ts"

/** Numbers in order: an array, or a typed array. */
export type Numbers = ArrayLike<number>

/** Columns by their names, all of one length. */
export type Columns<N extends string = string> = { readonly [K in N]: Numbers }

/** Columns in the order of names. @throws DataError for one that is not there */
const picked = (columns: Columns, names: ReadonlyArray<string>): ReadonlyArray<Numbers> =>
  names.map((name) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (column !== undefined) return column
    const all = Object.keys(columns).filter((known) => known !== name)
    throw new DataError({
      message: `there is no column "${name}"${meant(name, all, { otherwise: ";" })} the columns are: ${all.join(", ")}`,
    })
  })

/** Columns in the order of names. @errors DataError for one that is not there */
export const inOrder = (
  columns: Columns,
  names: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<Numbers>, DataError> =>
  Effect.try({
    try: () => picked(columns, names),
    catch: (error) => {
      if (error instanceof DataError) return error
      throw error
    },
  })

/**
 * The rows of columns, each in the order of `names`.
 *
 * @param read the names of the columns that are read, all if left out: the values of others are NaN
 * @throws DataError for a column that is not there, or of another length
 */
export const rowsOf = (
  columns: Columns,
  names: ReadonlyArray<string>,
  read: ReadonlyArray<string> = names,
): ReadonlyArray<ReadonlyArray<number>> => {
  const [first, ...others] = picked(columns, read)
  const rows = first?.length ?? 0
  const other = others.findIndex(({ length }) => length !== rows)
  if (other >= 0)
    throw new DataError({
      message: `the column "${read[other + 1]}" has ${others[other]!.length} values, but "${read[0]}" has ${rows}; they must agree`,
    })
  const all = names.map((name) => (read.includes(name) ? columns[name]! : undefined))
  return Array.from({ length: rows }, (_, i) =>
    all.map((column) => (column === undefined ? NaN : column[i]!)),
  )
}
