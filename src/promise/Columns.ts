import * as Effect from "effect/Effect"
import { type Columns, type Numbers, inOrder } from "../data/Columns.ts"
import * as Data from "../data/Data.ts"
import { DataError } from "../errors/Errors.ts"

export type { Columns, Numbers } from "../data/Columns.ts"

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

/**
 * The data set of columns: all but the target are features.
 *
 * @errors DataError as of `Data.fromColumns`, and for a target that is no column
 */
export const ofColumns = (columns: Columns, target: string): Effect.Effect<Data.Dataset, DataError> =>
  Effect.gen(function* () {
    // As many as names.
    const [y] = (yield* inOrder(columns, [target])) as readonly [Numbers]
    const features = Object.entries(columns).filter(([name]) => name !== target)
    return yield* Data.fromNamed({ columns: Object.fromEntries(features), y, target })
  })
