import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import * as Csv from "./Csv.ts"

/** A column: numbers where every cell is a finite number, the texts of its cells otherwise; a missing value is "". */
export type Column = Float64Array | ReadonlyArray<string>

/** A table by columns, whatever the format of its file. */
export interface Frame {
  readonly columns: ReadonlyArray<string>
  /** one for each name, in order, each of length `rows` */
  readonly values: ReadonlyArray<Column>
  readonly rows: number
  /** the units that names have in the header, as texts by name */
  readonly units: Readonly<Record<string, string>>
  /** the line of the file that each row ends on, from 1; undefined for files without lines */
  readonly lines?: Int32Array | undefined
  /** the number of each row in its file, from 1; 1, 2, ... if left out */
  readonly numbers?: Int32Array | undefined
}

/** The most columns of a table: each takes memory of its own beside its cells. */
const most = 100_000

/**
 * A table of columns as a file has them: units behind names in brackets are the columns' units, as in a CSV header.
 *
 * @errors DataError when there is no column or row, or names repeat
 */
export const make = (
  headings: ReadonlyArray<string>,
  values: ReadonlyArray<Column>,
  lines?: Int32Array,
): Effect.Effect<Frame, DataError> => {
  const found = headings.map((text) => Csv.heading(text.trim()))
  const columns = found.map(({ name }) => name)
  const fail = (message: string) => Effect.fail(new DataError({ message }))
  if (columns.length === 0) return fail("there are no columns")
  if (columns.length > most) return fail(`there are ${columns.length} columns, and at most ${most} are read`)
  const known = new Set<string>()
  for (const name of columns) {
    if (name !== "" && known.has(name))
      return fail(`the column ${Csv.quote(name)} occurs twice; rename one of the two`)
    known.add(name)
  }
  const rows = values[0]?.length ?? 0
  if (rows === 0) return fail(`there are columns (${Csv.list(columns)}), but no row of values`)
  const units = Object.fromEntries(
    found.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
  )
  return Effect.succeed({ columns, values, rows, units, lines })
}

export const ofTexts = ({ columns, units, rows }: Csv.Table): Frame => ({
  columns,
  units,
  values: columns.map((_, place) => rows.map(({ cells }) => cells[place]!)),
  rows: rows.length,
  lines: Int32Array.from(rows, ({ line }) => line),
})

/** The column of a name; undefined where there is none. */
export const column = ({ columns, values }: Frame, name: string): Column | undefined =>
  values[columns.indexOf(name)]

/** The text of a cell; "" where it is missing. */
export const text = (values: Column, row: number): string => {
  const value = values[row]
  return typeof value === "number" ? String(value) : (value ?? "")
}

/** Some of the rows, in the order in which they are given; indices from 0. */
export const rowsOf = (frame: Frame, indices: ArrayLike<number>): Frame => ({
  ...frame,
  rows: indices.length,
  values: frame.values.map((values) =>
    values instanceof Float64Array
      ? Float64Array.from(indices, (index) => values[index]!)
      : Array.from(indices, (index) => values[index]!),
  ),
  lines: frame.lines && Int32Array.from(indices, (index) => frame.lines![index]!),
  numbers: Int32Array.from(indices, (index) => frame.numbers?.[index] ?? index + 1),
})

/** Where a row is, for messages: counted from 1 without a header, and in lines of the file. */
export const place = ({ lines, numbers }: Frame, row: number): string => {
  const number = `row ${numbers?.[row] ?? row + 1}`
  return lines === undefined ? number : `${number} (line ${lines[row]})`
}
