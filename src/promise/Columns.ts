import * as Effect from "effect/Effect"
import * as Data from "../data/Data.ts"
import { DataError } from "../errors/Errors.ts"
import { meant } from "../internal/nearest.ts"

/** Numbers in order: an array, or a typed array. */
export type Numbers = ArrayLike<number>

/** Columns by their names, all of one length. */
export type Columns<N extends string = string> = { readonly [K in N]: Numbers }

/** Rows of features, and the target. */
export interface Rows<F extends string = string> {
  /** one array for each row, or all rows one after the other in one typed array */
  readonly X: ReadonlyArray<Numbers> | Flat
  /** one number for each row */
  readonly y: Numbers
  /** names of the columns of X; x0, x1, ... if left out */
  readonly features?: ReadonlyArray<F> | undefined
  /** the name of y; "y" if left out */
  readonly target?: string | undefined
}

/** Rows one after the other. */
export type Flat = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** Rows of `width` values each of a flat array. */
const cut = (values: Numbers, width: number): ReadonlyArray<Numbers> =>
  Array.from({ length: values.length / width }, (_, i) =>
    Array.from({ length: width }, (_, j) => values[i * width + j]!),
  )

/**
 * The data set of rows.
 *
 * @errors DataError as of `Data.fromRows`, and when a flat X has no whole number of values for each value of y
 */
export const ofRows = <F extends string>({
  X,
  y,
  features,
  target,
}: Rows<F>): Effect.Effect<Data.Dataset<F>, DataError> =>
  Effect.suspend(() => {
    if (!ArrayBuffer.isView(X)) return Data.fromRows({ X, y, features, target })
    const width = X.length / y.length
    return Number.isInteger(width) && width > 0
      ? Data.fromRows({ X: cut(X, width), y, features, target })
      : fail(`X has ${X.length} values and y has ${y.length}; X needs as many for each value of y`)
  })

/** Columns in the order of names. @throws DataError for one that is not there */
const picked = (columns: Columns, names: ReadonlyArray<string>): ReadonlyArray<Numbers> =>
  names.map((name) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (column !== undefined) return column
    const all = Object.keys(columns)
    throw new DataError({
      message: `there is no column "${name}"${meant(name, all, { otherwise: ";" })} the columns are: ${all.join(", ")}`,
    })
  })

/** The rows of columns by name, each in the order of `names`. @throws DataError for a column that is not there, or of another length */
export const rowsOf = (columns: Columns, names: ReadonlyArray<string>): ReadonlyArray<Array<number>> => {
  const all = picked(columns, names)
  const rows = all[0]?.length ?? 0
  const other = all.findIndex(({ length }) => length !== rows)
  if (other >= 0)
    throw new DataError({
      message: `the column "${names[other]}" has ${all[other]!.length} values, but "${names[0]}" has ${rows}; they must agree`,
    })
  return Array.from({ length: rows }, (_, i) => all.map((column) => column[i]!))
}

/**
 * The data set of columns: all but the target are features.
 *
 * @errors DataError as of `Data.fromColumns`, and for a target that is no column
 */
export const ofColumns = (columns: Columns, target: string): Effect.Effect<Data.Dataset, DataError> =>
  Effect.gen(function* () {
    const features = Object.keys(columns).filter((name) => name !== target)
    const [y, ...others] = yield* Effect.try({
      // As many as names.
      try: () => picked(columns, [target, ...features]) as readonly [Numbers, ...ReadonlyArray<Numbers>],
      catch: (error) => {
        if (error instanceof DataError) return error
        throw error
      },
    })
    return yield* Data.fromColumns({ features, columns: others, target, y })
  })
