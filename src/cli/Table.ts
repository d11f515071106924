import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Csv from "../data/Csv.ts"
import * as Complete from "../data/Complete.ts"
import * as Data from "../data/Data.ts"
import { DataError } from "../errors/Errors.ts"
import type { Operator } from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"
import { parse } from "../expr/text/parse.ts"
import { Complaint } from "./Complaint.ts"
import * as Input from "./input/Input.ts"
import type { Derived } from "./rows/Derived.ts"
import * as Rows from "./rows/Rows.ts"
import { Screen } from "./Screen.ts"
import * as Source from "./Source.ts"
import * as TemplateFlags from "./TemplateFlags.ts"

/** The flags that say which rows and columns of a file are read. */
export interface Columns extends Input.Settings, Rows.Settings {
  readonly target: string | undefined
  readonly features: ReadonlyArray<string> | undefined
  readonly error: string | undefined
  readonly weights: string | undefined
  /** the column with the names of groups; undefined where rows are of one kind */
  readonly group?: string | undefined
  /** the template that the columns are for */
  readonly form?: TemplateFlags.Form | undefined
}

/** The flags that name a column beside the features. */
const roles = ["error", "weights", "group"] as const

/** Columns of the table that are read beside the features. */
const besides = ({
  error,
  weights,
  group,
  form,
}: Pick<Columns, "error" | "weights" | "group" | "form">): ReadonlyArray<string> =>
  form === undefined ? [error, weights, group].flatMap((name) => name ?? []) : TemplateFlags.besides(form)

/** A target that is a formula over columns. */
const isFormula = (target: string, columns: ReadonlyArray<string>): boolean => {
  const term = parse(target)
  if (Result.isFailure(term) || term.success._tag === "Variable") return false
  const names = Term.variables(term.success)
  return names.length > 0 && names.every((name) => columns.includes(name))
}

/** A data set, the columns that flags made, and the columns and rows left out of the table, in words. */
interface Made {
  readonly data: Data.Dataset
  readonly derived: ReadonlyArray<Derived>
  readonly left: ReadonlyArray<string>
}

/** The data set of a table, and the columns that flags made. */
const dataset = (table: Input.Table, input: Columns, operators: ReadonlyArray<Operator>) =>
  Effect.gen(function* () {
    const { target } = input
    if (target === undefined) {
      const { columns } = yield* Input.frameOf(table)
      return yield* new Complaint({
        message: `name the column to explain with --target; the columns are: ${Csv.list(columns)}`,
      })
    }
    const listed = input.features && [...new Set([...input.features, ...besides(input)])]
    const wanted = { target, features: listed, group: input.group }
    const plain =
      table._tag === "Text" && !Rows.given(input)
        ? yield* Data.fromPlainCsv<string>(table.text, wanted)
        : undefined
    const made: Made =
      plain === undefined
        ? yield* chosen(yield* Input.frameOf(table), input, operators)
        : { data: plain, derived: [], left: [] }
    const { data } = made
    // Columns beside the features are among them in the table: a name that is not there is told with a suggestion.
    const beside = besides(input)
    const missing = beside.find((name) => !data.features.includes(name))
    const flag = (name: string | undefined): string =>
      roles.find((role) => input[role] === name && input.form === undefined) ?? "template"
    if (missing !== undefined)
      return yield* new Complaint({
        message:
          missing === target
            ? `the target ${Csv.quote(missing)} cannot be its own error, weight or group (--${flag(missing)}); name another column`
            : `--${flag(missing)}: there is no column ${Csv.quote(missing)}; the columns are: ${Csv.list(data.features)}`,
      })
    if (input.form === undefined && beside.length > 0 && data.features.every((name) => beside.includes(name)))
      return yield* new Complaint({
        message: `--${flag(beside[0])} ${Csv.quote(beside[0] ?? "")} leaves no column to explain ${Csv.quote(target)} by; leave it out, or give a table with further columns`,
      })
    return made
  }).pipe(
    Effect.catchTag("DataError", (error) =>
      Effect.gen(function* () {
        const { target = "", form } = input
        const { columns } = yield* Input.frameOf(table)
        const made = (input.column ?? []).map((text) => Csv.heading(text.split("=")[0] ?? "").name)
        if (form !== undefined) yield* TemplateFlags.check(form, [...columns, ...made])
        return yield* Effect.fail(
          columns.includes(target) || !isFormula(target, columns)
            ? error
            : new DataError({
                message: `the target is a column; to explain a formula over columns, make one: --column 'target=${target}' --target target`,
              }),
        )
      }),
    ),
  )

/** A data set of some rows, with columns that flags make. */
const chosen = (
  frame: Parameters<typeof Rows.choose>[0],
  input: Columns,
  operators: ReadonlyArray<Operator>,
) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const found = yield* Rows.choose(frame, input, operators)
    if (found.note !== undefined) screen.err(`${found.note}\n`)
    const target = Csv.heading(input.target ?? "").name
    const usual = Rows.features(found, target, besides(input))
    if (input.features === undefined && usual.left.length > 0)
      screen.err(
        `no features, as the target is made of them or they of it: ${Csv.list(usual.left)} (--features lists others)\n`,
      )
    const complete = Complete.of(found.frame, {
      target,
      features: input.features && [...new Set([...input.features, ...besides(input)])],
      all: usual.features,
      besides: besides(input),
    })
    const left = Complete.lines(complete)
    const data = yield* Data.fromFrame<string>(complete.frame, {
      target,
      features: complete.features,
      listed: input.features !== undefined,
      group: input.group,
    })
    for (const line of left) screen.err(`${line}\n`)
    const tests = found.tests && complete.placesOf(found.tests)
    return { data: tests === undefined ? data : { ...data, tests }, derived: found.derived, left }
  })

/** The data set of a file or of standard input, and its name in messages. */
export const read = (input: Columns, operators: ReadonlyArray<Operator> = []) =>
  Effect.gen(function* () {
    const table = yield* Input.read(input)
    const { name } = table
    const found = yield* dataset(table, input, operators).pipe(
      Effect.mapError((error) => (error._tag === "DataError" ? Source.about(name, error.message) : error)),
    )
    return { name, ...found }
  })
