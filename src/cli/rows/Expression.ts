import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Cells from "../../data/Cells.ts"
import * as Csv from "../../data/Csv.ts"
import * as Frame from "../../data/Frame.ts"
import { columnOf } from "../../expr/columnOf.ts"
import type { Operator } from "../../expr/Operator.ts"
import * as Term from "../../expr/Term.ts"
import { parse } from "../../expr/text/parse.ts"
import { meant } from "../../internal/nearest.ts"
import { Complaint } from "../Complaint.ts"

/** A part of a flag's value that is a formula over columns. */
export interface Source {
  /** the flag with its value, as messages show it */
  readonly flag: string
  readonly text: string
  /** how many characters of the value stand before */
  readonly offset: number
  readonly operators: ReadonlyArray<Operator>
}

/** @errors Complaint that names the place in the value of the flag */
export const read = ({ flag, text, offset, operators }: Source): Effect.Effect<Term.Term, Complaint> => {
  const read = parse(text, { operators })
  return Result.isSuccess(read)
    ? Effect.succeed(read.success)
    : Effect.fail(
        new Complaint({
          message: `${flag}: expected ${read.failure.expected} at column ${offset + read.failure.position + 1}`,
        }),
      )
}

/** @errors Complaint about the first column that a formula reads and a table has not */
export const known = (
  flag: string,
  term: Term.Term,
  frame: Frame.Frame,
  hint = "",
): Effect.Effect<void, Complaint> => {
  const unknown = Term.variables(term).find((name) => !frame.columns.includes(name))
  if (unknown === undefined) return Effect.void
  return Effect.fail(
    new Complaint({
      message: `${flag}: there is no column ${Csv.quote(unknown)}${meant(unknown, frame.columns, Csv)}${hint}; the columns are: ${Csv.list(frame.columns)}`,
    }),
  )
}

/** A column as numbers; NaN where a cell is none. */
const numbers = (values: Frame.Column): Float64Array =>
  values instanceof Float64Array ? values : Float64Array.from(values, Cells.numberOf)

/** The values of a formula on all rows; NaN where a cell that it reads is no number, or it has no value. */
export const values = (term: Term.Term, frame: Frame.Frame): Float64Array => {
  const names = Term.variables(term)
  const columns = names.map((name) => numbers(Frame.column(frame, name) ?? []))
  const out = columnOf(term, names, columns, frame.rows)
  // A guarded or selected part hides a NaN: a missing cell has no value whatever stands around it.
  for (const column of columns) column.forEach((value, row) => void (Number.isNaN(value) && (out[row] = NaN)))
  return out
}

/** Why a formula has no value on a row. */
export const reason = (term: Term.Term, frame: Frame.Frame, row: number): string => {
  const wrong = Term.variables(term).find((name) =>
    Number.isNaN(Cells.numberOf(Frame.text(Frame.column(frame, name) ?? [], row))),
  )
  if (wrong === undefined) return "it has no finite value there"
  const text = Frame.text(Frame.column(frame, wrong) ?? [], row)
  return `the column ${Csv.quote(wrong)} ${text === "" ? "is empty" : `is ${Csv.quote(text)}, which is no number`} there`
}
