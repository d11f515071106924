import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { DataError } from "../errors/Errors.ts"
import { meant } from "../internal/nearest.ts"
import type * as Csv from "./Csv.ts"
import * as Frame from "./Frame.ts"
import * as Whole from "./Whole.ts"

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** A number as people and programs write it: no hexadecimals, no thousands. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** Why a decimal number is none of float64; undefined where it is one. */
const beyond = (text: string): string | undefined => {
  const value = Number(text)
  if (!Number.isFinite(value)) return "is too large"
  // A name, such as that of a person or a parcel, and not a measurement: rounded it is another one.
  if (Whole.isRounded(text)) return "is a whole number beyond 2^53"
  // 1e-400 is not 0.
  return value === 0 && /[1-9]/.test(text.replace(/e.*/i, "")) ? "is too small" : undefined
}

/** The number of a cell; NaN for a text that is none, or none of float64. */
export const numberOf = (text: string | undefined): number =>
  text !== undefined && decimal.test(text) && beyond(text) === undefined ? Number(text) : Number.NaN

/** A number that neither overflows nor underflows. */
const Cell = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) => {
      if (decimal.test(text)) return beyond(text)
      if (text === "") return "is empty"
      if (/^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) return "has a comma between digits"
      if (/^[+-]?\d*,\d+$/.test(text)) return "has a decimal comma"
      if (/^\d{4}-\d\d?-\d\d?([T ]|$)/.test(text)) return "is a date"
      if (/^[+-]?(nan|inf(inity)?)$|^(n\/?a|null|none|missing|-+|\?)$/i.test(text))
        return "is not a finite number"
      return "is not a number"
    }),
  ),
  Schema.decodeTo(Schema.Finite, SchemaTransformation.transform({ decode: Number, encode: String })),
)

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
  frame: Frame.Frame,
  names: ReadonlyArray<string>,
): Effect.Effect<void, DataError> => {
  const unknown = names.find((name) => !frame.columns.includes(name))
  return unknown === undefined ? Effect.void : unknownColumn(csv, frame, unknown)
}

/** The first cell of a column that is no number, from 0; the number of rows where every cell is one. */
const firstWrong = (texts: Frame.Column): number => {
  if (texts instanceof Float64Array) return texts.length
  const found = texts.findIndex((text) => Number.isNaN(numberOf(text)))
  return found < 0 ? texts.length : found
}

/**
 * Columns of a table as numbers, each of as many as there are rows.
 *
 * @errors DataError naming the row, the column, the value and the remedy of the first cell that is no number
 */
export const numbers = (
  csv: typeof Csv,
  frame: Frame.Frame,
  { names, target, listed }: Wanted,
): Effect.Effect<ReadonlyArray<Float64Array>, DataError> => {
  const found = names.map((name) => Frame.column(frame, name) ?? [])
  const columns = found.map((values) =>
    values instanceof Float64Array ? values : Float64Array.from(values, numberOf),
  )
  const wrong = columns.map((column, at) =>
    found[at] === column || !column.some(Number.isNaN) ? frame.rows : firstWrong(found[at]!),
  )
  const index = wrong.reduce((least, one) => Math.min(least, one), frame.rows)
  if (index === frame.rows) return Effect.succeed(columns)
  const name = names[wrong.indexOf(index)]!
  const issue = decodeCell(Frame.text(Frame.column(frame, name)!, index))
  // The schema names the mistake.
  const reason = Result.isFailure(issue)
    ? SchemaIssue.makeFormatterStandardSchemaV1()(issue.failure.issue).issues[0]?.message
    : undefined
  return wrongCell(csv, frame, { index, name, reason: reason ?? "is not a number", target, listed })
}

/** The row of the table, among the first, that has the name of a column: a title stands above the header. */
const headerBelow = (csv: typeof Csv, frame: Frame.Frame, name: string): number | undefined => {
  const rows = Math.min(20, frame.rows)
  return Array.from({ length: rows }, (_, row) => row).find((row) =>
    frame.values.some((values) => csv.heading(Frame.text(values, row)).name === name),
  )
}

const unknownColumn = (
  csv: typeof Csv,
  frame: Frame.Frame,
  name: string,
): Effect.Effect<never, DataError> => {
  const named = headerBelow(csv, frame, name)
  const hint =
    named !== undefined
      ? ` (${Frame.place(frame, named)} has this name: remove what stands above it)`
      : frame.columns.every((column) => Result.isSuccess(decodeCell(column)))
        ? " (the first row must hold the names of the columns, not numbers)"
        : frame.columns.length === 1 && frame.lines !== undefined
          ? " (columns are separated by commas, tabs, semicolons or blanks)"
          : ""
  return fail(
    `there is no column ${csv.quote(name)}${meant(name, frame.columns, { ...csv, otherwise: ";" })} the columns are: ${csv.list(frame.columns)}${hint}`,
  )
}

/** What mends a cell, by what is wrong with it. */
const advice: Readonly<Record<string, string>> = {
  "is empty": "fill in the value or remove the row",
  "is not a finite number": "fill in the value or remove the row",
  "is a date": "give a number, such as days since the first row",
  "has a decimal comma": "write a decimal point, or add --decimal comma",
  "has a comma between digits":
    "write thousands without it, and decimal commas as points, or add --decimal comma",
  "is too large": "numbers go up to 1.8e308",
  "is a whole number beyond 2^53":
    "a number has 15 to 17 digits here; leave the column out, or write a decimal point behind it to have it rounded",
  "is too small": "numbers other than 0 begin at 4.9e-324; give the column in a smaller unit",
}

const wrongCell = (
  csv: typeof Csv,
  frame: Frame.Frame,
  wrong: {
    readonly index: number
    readonly name: string
    readonly reason: string
    readonly target: string | undefined
    readonly listed: boolean
  },
): Effect.Effect<never, DataError> => {
  const { index, name, reason, target, listed } = wrong
  const others = frame.columns.filter(
    (column, at) => column !== name && column !== target && firstWrong(frame.values[at]!) === frame.rows,
  )
  const shell = csv.format([others.slice(0, 8)]).trim() || "..."
  const features = `list the features without this column: --features ${/^[\w.,+-]+$/.test(shell) ? shell : `'${shell}'`}`
  const without =
    name === target
      ? "the target must be a number in every row"
      : target === undefined
        ? "the laws read this column: it must be a number in every row"
        : listed
          ? `correct it, or take ${csv.quote(name)} out of the features`
          : `correct it, or ${features}`
  // A column of remarks has empty cells, and is no feature.
  const beside =
    name !== target && target !== undefined && !listed && others.length > 0 ? `, or ${features}` : ""
  const value = Frame.text(Frame.column(frame, name) ?? [], index)
  const shown =
    name === "" ? `column ${frame.columns.indexOf(name) + 1} (no name)` : `column ${csv.quote(name)}`
  return fail(
    `${Frame.place(frame, index)}, ${shown}${value === "" ? " " : `: ${csv.quote(value)} `}${reason}; ` +
      (advice[reason] === undefined ? without : `${advice[reason]}${beside}`),
  )
}
