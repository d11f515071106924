import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import { type Columns as Named, inOrder, type Numbers } from "./Columns.ts"
import type { Dataset } from "./Dataset.ts"
import * as Texts from "./Texts.ts"
import * as Cells from "./Cells.ts"
import * as Frame from "./Frame.ts"
import * as NumberTable from "./NumberTable.ts"

export type { Dataset } from "./Dataset.ts"
export { requireRows, rowsOf, split, testRows, type Split } from "./Split.ts"

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** Rows of numbers. */
export interface Rows<F extends string = string> {
  /** shape [rows, features] */
  readonly X: ReadonlyArray<Numbers>
  /** shape [rows] */
  readonly y: Numbers
  /** names of the columns of X; x0, x1, ... if left out */
  readonly features?: ReadonlyArray<F> | undefined
  /** the name of y; "y" if left out */
  readonly target?: string | undefined
}

/** Columns of numbers by their names. */
export interface ByName<F extends string = string> {
  /** the features, all as long as y */
  readonly columns: Named<F>
  readonly y: Numbers
  /** the name of y; "y" if left out */
  readonly target?: string | undefined
}

/**
 * A data set from rows of numbers.
 *
 * @errors DataError when the shapes disagree, a value is not finite, names repeat, or y does not vary
 *
 * @example
 * Data.fromRows({ X: [[1, 2], [3, 4], [5, 7]], y: [2, 12, 35], features: ["length", "width"], target: "area" })
 */
export const fromRows = <const F extends string = string>(
  data: Rows<F>,
): Effect.Effect<Dataset<F>, DataError> =>
  Effect.gen(function* () {
    const { X, y, target = "y" } = data
    const width = X[0]?.length ?? 0
    // Without names F is `string`: it can be inferred from the names only.
    const features = data.features ?? Array.from({ length: width }, (_, j) => `x${j}` as F)
    if (X.length === 0 || width === 0) return yield* fail("there are no data: X is empty")
    if (X.length !== y.length)
      return yield* fail(`X has ${X.length} rows, but y has ${y.length} values; they must agree`)
    if (features.length !== width)
      return yield* fail(`X has ${width} columns, but ${features.length} features are named`)
    yield* distinct(features, target)
    const columns = features.map(() => new Float64Array(X.length))
    for (let i = 0; i < X.length; i++) {
      const row = X[i]!
      if (row.length !== width)
        return yield* fail(`row ${i + 1} of X has ${row.length} values, but the first has ${width}`)
      for (let j = 0; j <= width; j++) {
        const value = j < width ? row[j] : y[i]
        if (value === undefined || !Number.isFinite(value))
          return yield* notFinite(i, features[j] ?? target, value)
        if (j < width) columns[j]![i] = value
      }
    }
    return yield* varying({ features, columns, target, y: Float64Array.from(y), rows: X.length })
  })

/**
 * A data set from columns of numbers by their names. *When to use*: for tables whose columns have names in the program: the names reach
 * `predict`, which does not compile without one of them. `fromColumns` where names are read, `fromRows` for rows.
 *
 * @errors DataError as of `fromColumns`
 *
 * @example
 * Data.fromNamed({ columns: { length: [1, 3, 5], width: [2, 4, 7] }, y: [2, 12, 35], target: "area" })
 */
export const fromNamed = <const F extends string>({
  columns,
  y,
  target = "y",
}: ByName<F>): Effect.Effect<Dataset<F>, DataError> =>
  Effect.gen(function* () {
    // The keys are the names.
    const features = Object.keys(columns) as Array<F>
    return yield* fromColumns({ features, columns: yield* inOrder(columns, features), target, y })
  })

/**
 * A data set from columns of numbers. *When to use*: for tables that are in memory by column; `fromRows` for rows.
 *
 * @param data.columns one for each feature, all as long as y
 * @errors DataError when lengths disagree, a value is not finite, names repeat, or y does not vary
 *
 * @example
 * Data.fromColumns({ features: ["length", "width"], columns: [[1, 3, 5], [2, 4, 7]], target: "area", y: [2, 12, 35] })
 */
export const fromColumns = <const F extends string = string>(data: {
  readonly features: ReadonlyArray<F>
  readonly columns: ReadonlyArray<ArrayLike<number>>
  readonly target: string
  readonly y: ArrayLike<number>
}): Effect.Effect<Dataset<F>, DataError> =>
  Effect.gen(function* () {
    const { features, target, y } = data
    if (features.length !== data.columns.length)
      return yield* fail(
        `there are ${data.columns.length} columns, but ${features.length} features are named`,
      )
    yield* distinct(features, target)
    if (y.length === 0) return yield* fail(`there are no data: the column "${target}" is empty`)
    for (const [j, values] of [...data.columns, y].entries()) {
      const name = features[j] ?? target
      if (values.length !== y.length)
        return yield* fail(
          `the column "${name}" has ${values.length} values, but "${target}" has ${y.length}; they must agree`,
        )
      for (let i = 0; i < values.length; i++)
        if (!Number.isFinite(values[i])) return yield* notFinite(i, name, values[i])
    }
    const columns = data.columns.map((values) => Float64Array.from(values))
    return yield* varying({ features, columns, target, y: Float64Array.from(y), rows: y.length })
  })

/** @param row from 0 */
const notFinite = (row: number, column: string, value: number | undefined) =>
  fail(
    `row ${row + 1}, column "${column}": ${value} is not a finite number; fill in the value or remove the row`,
  )

/**
 * A data set from a text of numbers that has nothing but the usual, in a fraction of the time of `fromCsv`; undefined for any other text.
 *
 * @errors DataError when names repeat, or y does not vary
 */
export const fromPlainCsv = <const F extends string = string>(
  text: string,
  options: Columns<F>,
): Effect.Effect<Dataset<F> | undefined, DataError> =>
  Effect.gen(function* () {
    // Loaded when used: most programs bring rows of numbers.
    const csv = yield* Effect.promise(() => import("./Csv.ts"))
    const target = csv.heading(options.target).name
    const featuresIn = (columns: ReadonlyArray<string>): ReadonlyArray<F> =>
      // The default names are columns of the file, of which the types know nothing: F is `string` then.
      options.features ?? (columns.filter((name) => name !== target) as Array<F>)
    const quick = NumberTable.read(text, csv.delimiterOf(text), (names) => [...featuresIn(names), target])
    if (quick === undefined) return undefined
    // All but the last are features.
    const features = quick.names.slice(0, -1) as Array<F>
    yield* distinct(features, target)
    const columns = quick.columns.slice(0, -1)
    return yield* varying({ features, columns, target, y: quick.columns.at(-1)!, rows: quick.rows })
  })

/**
 * A data set from a CSV or TSV text with a header row; see `Csv.parse` for the accepted formats.
 *
 * @errors DataError naming the row, the column, the value and the remedy
 */
export const fromCsv = <const F extends string = string>(
  text: string,
  options: Columns<F>,
): Effect.Effect<Dataset<F>, DataError> =>
  Effect.gen(function* () {
    const quick = yield* fromPlainCsv(text, options)
    if (quick !== undefined) return quick
    const csv = yield* Effect.promise(() => import("./Csv.ts"))
    return yield* fromFrame(Frame.ofTexts(yield* csv.parse(text)), options)
  })

/** Which columns of a table are read. */
export interface Columns<F extends string = string> {
  /** the column to explain */
  readonly target: string
  /** the columns to explain it by; every other column by default */
  readonly features?: ReadonlyArray<F> | undefined
  /** whether the user has listed the features, which messages say; where there are features, if left out */
  readonly listed?: boolean | undefined
  /** a feature whose cells may be names: the column then has their indices, and `texts` the names */
  readonly group?: string | undefined
}

/**
 * A data set from a table of any format.
 *
 * @errors DataError naming the row, the column, the value and the remedy
 */
export const fromFrame = <const F extends string = string>(
  table: Frame.Frame,
  options: Columns<F>,
): Effect.Effect<Dataset<F>, DataError> =>
  Effect.gen(function* () {
    const csv = yield* Effect.promise(() => import("./Csv.ts"))
    const target = csv.heading(options.target).name
    const { frame, texts } = Texts.indexed(table, options.group)
    // The default names are columns of the file, of which the types know nothing: F is `string` then.
    const features = options.features ?? (frame.columns.filter((name) => name !== target) as Array<F>)
    yield* Cells.known(csv, frame, [target, ...features])
    yield* distinct(features, target)
    const listed = options.listed ?? options.features !== undefined
    const columns = yield* Cells.numbers(csv, frame, { names: [...features, target], target, listed })
    const y = columns[features.length]!
    return yield* varying({
      features,
      columns: columns.slice(0, -1),
      target,
      y,
      rows: y.length,
      texts,
      ...(frame.numbers && { numbers: frame.numbers }),
      ...unitsOf(frame.units, [...features, target]),
    })
  })

/** The units of the columns that are read; those of others may be what they like. */
const unitsOf = (units: Frame.Frame["units"], names: ReadonlyArray<string>): Pick<Dataset, "units"> => {
  const known = new Set(names)
  const read = Object.entries(units).filter(([name]) => known.has(name))
  return read.length === 0 ? {} : { units: Object.fromEntries(read) }
}

/**
 * Columns of a table as numbers, each of as many as there are rows; other columns are not read.
 *
 * @param label a column of names, which are given as texts; undefined where the table has no such column
 * @errors DataError naming the row, the column, the value and the remedy
 */
export const columnsOf = (
  frame: Frame.Frame,
  names: ReadonlyArray<string>,
  label?: string,
): Effect.Effect<
  {
    readonly columns: ReadonlyArray<Float64Array>
    readonly rows: number
    readonly labels: ReadonlyArray<string> | undefined
  },
  DataError
> =>
  Effect.gen(function* () {
    const csv = yield* Effect.promise(() => import("./Csv.ts"))
    yield* Cells.known(csv, frame, names)
    const columns = yield* Cells.numbers(csv, frame, { names, target: undefined, listed: true })
    const found = label === undefined ? undefined : Frame.column(frame, label)
    const labels = found && Array.from({ length: frame.rows }, (_, row) => Frame.text(found, row))
    return { columns, rows: frame.rows, labels }
  })

const distinct = (features: ReadonlyArray<string>, target: string): Effect.Effect<void, DataError> => {
  if (features.length === 0) return fail("there is no feature to explain the target by")
  if (features.includes(target))
    return fail(`"${target}" is the target and cannot be a feature too; take it out of the features`)
  const twice = features.find((name, index) => features.indexOf(name) !== index)
  return twice === undefined ? Effect.void : fail(`the feature "${twice}" is named twice`)
}

/** Whether a column has one value on all rows, so that it says nothing of them. */
export const isConstant = (values: Float64Array): boolean => values.every((value) => value === values[0])

const varying = <F extends string>(dataset: Dataset<F>): Effect.Effect<Dataset<F>, DataError> => {
  const { y, rows, target } = dataset
  return !isConstant(y)
    ? Effect.succeed(dataset)
    : fail(
        rows === 1
          ? "there is one row of values; a law needs several"
          : `the target "${target}" is ${y[0]} in all ${rows} rows; there is nothing to explain`,
      )
}
