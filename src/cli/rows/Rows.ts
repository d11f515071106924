import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Csv from "../../data/Csv.ts"
import * as Frame from "../../data/Frame.ts"
import type { Operator } from "../../expr/Operator.ts"
import { meant } from "../../internal/nearest.ts"
import { Complaint } from "../Complaint.ts"
import { optional, text } from "../Flags.ts"
import * as Condition from "./Condition.ts"
import * as Derived from "./Derived.ts"
import * as Where from "./Where.ts"

/** The flags that choose rows and make columns. */
export const parameters = {
  where: optional(
    text(
      "where",
      "CONDITION",
      "Only the rows where this holds, such as \"x > 2 and group == 'A'\": formulas over columns, texts in quotation marks, == != < <= > >=, and, or, not (default all rows)",
    ),
  ),
  column: text(
    "column",
    "NAME=FORMULA",
    "A further column, such as 'logx=log(x)', which may be the target; may be given several times (default none)",
  ).pipe(Flag.atLeast(0)),
} as const

/** The flag that says which rows test the laws. */
export const testParameters = {
  testColumn: optional(
    text(
      "test-column",
      "COLUMN",
      "The column that says which rows are set aside to test the laws on: test or train, 1 or 0, true or false (default none)",
    ),
  ),
} as const

/** The values of these. */
export interface Settings {
  readonly where?: string | undefined
  readonly column?: ReadonlyArray<string> | undefined
  readonly testColumn?: string | undefined
}

/** A table with its rows chosen and its columns made. */
export interface Chosen {
  readonly frame: Frame.Frame
  readonly derived: ReadonlyArray<Derived.Derived>
  /** columns that say which rows are kept or tested, and are no features unless they are listed */
  readonly labels: ReadonlyArray<string>
  /** the rows that test the laws, by their places from 0; undefined where no column says it */
  readonly tests: Int32Array | undefined
  /** a line about the rows that are kept; undefined for all */
  readonly note: string | undefined
}

export const given = ({ where, column = [], testColumn }: Settings): boolean =>
  where !== undefined || column.length > 0 || testColumn !== undefined

const isTest: { readonly [text: string]: boolean } = {
  test: true,
  "1": true,
  true: true,
  train: false,
  "0": false,
  false: false,
}

const testsOf = (frame: Frame.Frame, name: string): Effect.Effect<Int32Array, Complaint> => {
  const values = Frame.column(frame, name)
  if (values === undefined) {
    return new Complaint({
      message: `--test-column: there is no column ${Csv.quote(name)}${meant(name, frame.columns, { ...Csv, otherwise: ";" })} the columns are: ${Csv.list(frame.columns)}`,
    })
  }
  const texts = Array.from({ length: frame.rows }, (_, row) => Frame.text(values, row).toLowerCase())
  const wrong = texts.findIndex((one) => !Object.hasOwn(isTest, one))
  if (wrong >= 0)
    return new Complaint({
      message: `--test-column: ${Frame.place(frame, wrong)}, column ${Csv.quote(name)}: ${Csv.quote(Frame.text(values, wrong))} is neither test nor train; write test or train, 1 or 0, true or false`,
    })
  const tests = Int32Array.from([...texts.keys()].filter((row) => isTest[texts[row]!]))
  return tests.length > 0
    ? Effect.succeed(tests)
    : new Complaint({
        message: `--test-column: the column ${Csv.quote(name)} marks none of ${Csv.count(frame.rows, "row")} for testing`,
      })
}

/**
 * Makes columns, keeps rows, and says which rows test the laws.
 *
 * @errors Complaint about a formula, a condition or a row
 */
export const choose = (
  table: Frame.Frame,
  { where, column = [], testColumn }: Settings,
  operators: ReadonlyArray<Operator>,
): Effect.Effect<Chosen, Complaint> =>
  Effect.gen(function* () {
    const derived = yield* Effect.forEach(column, (one) => Derived.parse(one, operators))
    const wide = yield* Derived.add(table, derived)
    const condition = where === undefined ? undefined : yield* Condition.parse(where, operators)
    const kept = condition && (yield* Where.keep(where ?? "", condition, wide))
    if (kept?.length === 0)
      return yield* new Complaint({
        message: `--where ${Csv.quote(where ?? "")} keeps none of ${Csv.count(wide.rows, "row")}`,
      })
    const frame = kept === undefined ? wide : Frame.rowsOf(wide, kept)
    yield* Derived.check(frame, derived)
    return {
      frame,
      derived,
      labels: [...(condition === undefined ? [] : Where.textColumns(condition)), testColumn ?? []].flat(),
      tests: testColumn === undefined ? undefined : yield* testsOf(frame, testColumn),
      note: kept && `--where keeps ${kept.length} of ${Csv.count(wide.rows, "row")}`,
    }
  })

/**
 * The features where none are listed: no column that the target is made of, or that is made of it, and no label.
 *
 * @param besides columns that are read as errors, weights or groups
 */
export const features = (
  { frame, derived, labels }: Chosen,
  target: string,
  besides: ReadonlyArray<string>,
): { readonly features: ReadonlyArray<string>; readonly left: ReadonlyArray<string> } => {
  const made = Derived.sources(target, derived)
  const others = frame.columns.filter(
    (name) => name !== target && (besides.includes(name) || !labels.includes(name)),
  )
  const left = others.filter((name) => made.has(name) || Derived.sources(name, derived).has(target))
  return { features: others.filter((name) => !left.includes(name)), left }
}
