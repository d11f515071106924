import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { DataError } from "../errors/Errors.ts"
import { nearest } from "../internal/nearest.ts"
import type * as Csv from "./Csv.ts"

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** A number as people and programs write it: no hexadecimals, no thousands. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** Why a decimal number is none of float64; undefined where it is one. */
const beyond = (text: string): string | undefined => {
  const value = Number(text)
  if (!Number.isFinite(value)) return "is too large"
  // 1e-400 is not 0.
  return value === 0 && /[1-9]/.test(text.replace(/e.*/i, "")) ? "is too small" : undefined
}

/** The number of a cell; NaN for a text that `Cell` rejects. */
const numberOf = (text: string | undefined): number =>
  text !== undefined && decimal.test(text) && beyond(text) === undefined ? Number(text) : Number.NaN

/** A number that neither overflows nor underflows. */
const Cell = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) => {
      if (decimal.test(text)) return beyond(text)
      if (text === "") return "is empty"
      if (/^[+-]?\d*,\d+$/.test(text)) return "has a decimal comma"
      if (/^[+-]?(nan|inf(inity)?)$|^(n\/?a|null|none|missing|-+|\?)$/i.test(text))
        return "is not a finite number"
      return "is not a number"
    }),
  ),
  Schema.decodeTo(Schema.Finite, SchemaTransformation.transform({ decode: Number, encode: String })),
)

const decodeCells = Schema.decodeUnknownResult(Schema.Array(Cell))
const decodeCell = Schema.decodeUnknownResult(Cell)

/** The numbers of columns of a table of texts, and what messages say of them. */
interface Wanted {
  readonly names: ReadonlyArray<string>
  /** undefined where the columns are not for a fit */
  readonly target: string | undefined
  /** whether the features were listed by the user */
  readonly listed: boolean
}

/** @errors DataError for names that the table has not, with the one that may be meant */
export const known = (
  csv: typeof Csv,
  table: Csv.Table,
  names: ReadonlyArray<string>,
): Effect.Effect<void, DataError> => {
  const unknown = names.find((name) => !table.columns.includes(name))
  return unknown === undefined ? Effect.void : unknownColumn(csv, table, unknown)
}

/**
 * The columns of a table of texts as numbers, each of as many as there are rows.
 *
 * @errors DataError naming the row, the column, the value and the remedy of the first cell that is no number
 */
export const numbers = (
  csv: typeof Csv,
  table: Csv.Table,
  { names, target, listed }: Wanted,
): Effect.Effect<ReadonlyArray<Float64Array>, DataError> =>
  Effect.gen(function* () {
    const places = names.map((name) => table.columns.indexOf(name))
    const columns = names.map(() => new Float64Array(table.rows.length))
    for (const [i, row] of table.rows.entries()) {
      places.forEach((place, j) => {
        columns[j]![i] = numberOf(row.cells[place])
      })
      if (!columns.some((column) => Number.isNaN(column[i]))) continue
      // The schema names the mistake.
      const numbers = decodeCells(places.map((place) => row.cells[place]))
      if (Result.isFailure(numbers)) {
        const issue = SchemaIssue.makeFormatterStandardSchemaV1()(numbers.failure.issue).issues[0]
        return yield* wrongCell(csv, table, {
          index: i,
          name: names[Number(issue?.path?.[0])] ?? "",
          reason: issue?.message ?? "is not a number",
          target,
          listed,
        })
      }
    }
    return columns
  })

const unknownColumn = (csv: typeof Csv, table: Csv.Table, name: string): Effect.Effect<never, DataError> => {
  const near = nearest(name, table.columns)
  const meant = near === undefined ? "" : `; did you mean ${csv.quote(near)}?`
  const names = `the columns are: ${csv.list(table.columns)}`
  const hint = table.columns.every((column) => Result.isSuccess(decodeCell(column)))
    ? " (the first row must hold the names of the columns, not numbers)"
    : table.columns.length === 1
      ? " (columns are separated by commas, tabs or semicolons)"
      : ""
  return fail(
    `there is no column ${csv.quote(name)}${meant === "" ? `; ${names}` : `${meant} ${names}`}${hint}`,
  )
}

const wrongCell = (
  csv: typeof Csv,
  table: Csv.Table,
  wrong: {
    readonly index: number
    readonly name: string
    readonly reason: string
    readonly target: string | undefined
    readonly listed: boolean
  },
): Effect.Effect<never, DataError> => {
  const { index, name, reason, target, listed } = wrong
  const row = table.rows[index]
  const numeric = (column: string): boolean => {
    const place = table.columns.indexOf(column)
    return table.rows.every(({ cells }) => Result.isSuccess(decodeCell(cells[place])))
  }
  const others = table.columns.filter((column) => column !== name && column !== target && numeric(column))
  const without =
    name === target
      ? "the target must be a number in every row"
      : target === undefined
        ? "the laws read this column: it must be a number in every row"
        : listed
          ? `correct it, or take ${csv.quote(name)} out of the features`
          : `correct it, or list the features without this column: --features ${csv.format([others.slice(0, 8)]).trim() || "..."}`
  const value = row?.cells[table.columns.indexOf(name)] ?? ""
  const advice: Readonly<Record<string, string>> = {
    "is empty": "fill in the value or remove the row",
    "is not a finite number": "fill in the value or remove the row",
    "has a decimal comma": "write a decimal point",
    "is too large": "numbers go up to 1.8e308",
    "is too small": "numbers other than 0 begin at 4.9e-324; give the column in a smaller unit",
  }
  const shown =
    name === "" ? `column ${table.columns.indexOf(name) + 1} (no name)` : `column ${csv.quote(name)}`
  return fail(
    `${csv.place(index, row)}, ${shown}${value === "" ? " " : `: ${csv.quote(value)} `}${reason}; ` +
      (advice[reason] ?? without),
  )
}
