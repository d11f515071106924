import * as Effect from "effect/Effect"
import * as Data from "../data/Data.ts"
import { DataError } from "../errors/Errors.ts"
import type * as Rng from "../random/Rng.ts"

/**
 * A data set, its rows, or its columns by name.
 *
 * @typeParam F the names of the columns
 */
export type Source<F extends string = string> = Data.Dataset<F> | Data.Rows<F> | Data.ByName<F>

/** The default share of rows that is set aside for out-of-sample errors. */
export const testFraction = 0

/**
 * The data set of a source.
 *
 * @errors DataError as of `Data.fromRows` and `Data.fromNamed`
 */
export const dataset = <F extends string>(source: Source<F>): Effect.Effect<Data.Dataset<F>, DataError> => {
  if ("rows" in source) return Effect.succeed(source)
  return "X" in source ? Data.fromRows(source) : Data.fromNamed(source)
}

/**
 * Splits a data set into training rows and test rows.
 *
 * @param fraction in [0, 1); `testFraction` if undefined
 * @errors DataError as of `Data.fromRows` and `Data.split`, and when the target is the same on all rows to fit
 */
export const split = <F extends string>(
  source: Source<F>,
  fraction: number | undefined,
  key: Rng.Key,
): Effect.Effect<Data.Split<F>, DataError> =>
  Effect.gen(function* () {
    const data = yield* dataset(source)
    const parts = yield* Data.split(data, fraction ?? testFraction, key)
    const { train, test } = parts
    if (Data.isConstant(train.y))
      return yield* new DataError({
        message: `testing on ${test.rows} of ${data.rows} rows leaves ${train.rows} to fit on which the target "${data.target}" is ${train.y[0]}; test on fewer rows`,
      })
    return parts
  })
