import * as Effect from "effect/Effect"
import { DataError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import type { Dataset } from "./Dataset.ts"

const fail = (message: string): Effect.Effect<never, DataError> => Effect.fail(new DataError({ message }))

/** A data set in two: the rows to fit, and the rows to test the fit on. */
export interface Split<F extends string = string> {
  readonly train: Dataset<F>
  readonly test: Dataset<F>
}

/** The number of rows that `split` sets aside: round(fraction rows). */
export const testRows = (rows: number, fraction: number): number => Math.round(fraction * rows)

/** The rows that a table marks for testing, and the others. */
const marked = <F extends string>(
  dataset: Dataset<F>,
  tests: Int32Array,
): Effect.Effect<Split<F>, DataError> => {
  const known = new Set(tests)
  if (known.size === dataset.rows) return fail("all rows are marked for testing, which leaves none to fit")
  const train = Int32Array.from({ length: dataset.rows }, (_, row) => row).filter((row) => !known.has(row))
  return Effect.succeed({ train: rowsOf(dataset, train), test: rowsOf(dataset, tests) })
}

/**
 * Sets round(fraction rows) rows aside at random, or those that the table marks; both parts keep the order of the rows. The same key gives the same
 * parts on every machine.
 *
 * @param fraction in [0, 1)
 * @errors DataError when the fraction is not, or leaves no row to fit
 */
export const split = <F extends string>(
  dataset: Dataset<F>,
  fraction: number,
  key: Rng.Key,
): Effect.Effect<Split<F>, DataError> => {
  if (dataset.tests !== undefined) return marked(dataset, dataset.tests)
  if (!(fraction >= 0 && fraction < 1))
    return fail(`the fraction of rows for testing must be at least 0 and less than 1, not ${fraction}`)
  const tests = testRows(dataset.rows, fraction)
  if (tests >= dataset.rows)
    return fail(`testing on ${tests} of ${dataset.rows} rows leaves none to fit; lower the test fraction`)
  if (tests === 0) return Effect.succeed({ train: dataset, test: rowsOf(dataset, []) })
  const order = Rng.generator(key).permutation(dataset.rows)
  return Effect.succeed({
    train: rowsOf(dataset, order.slice(tests).sort()),
    test: rowsOf(dataset, order.slice(0, tests).sort()),
  })
}

/** Some of the rows of a data set, in the order in which they are given; indices from 0. */
export const rowsOf = <F extends string>(dataset: Dataset<F>, indices: ArrayLike<number>): Dataset<F> => {
  const pick = (column: Float64Array): Float64Array => Float64Array.from(indices, (index) => column[index]!)
  return {
    ...dataset,
    columns: dataset.columns.map(pick),
    y: pick(dataset.y),
    rows: indices.length,
    tests: undefined,
    numbers: Int32Array.from(indices, (index) => dataset.numbers?.[index] ?? index + 1),
  }
}

/**
 * Requires as many rows to fit as there are coefficients: one for every tree, and the intercept.
 *
 * @errors DataError
 */
export const requireRows = (
  dataset: Dataset,
  needs: { readonly trees: number; readonly testFraction: number },
): Effect.Effect<void, DataError> => {
  const tests = dataset.tests?.length ?? testRows(dataset.rows, needs.testFraction)
  const coefficients = needs.trees + 1
  if (dataset.rows - tests >= coefficients) return Effect.void
  const rows = dataset.rows === 1 ? "1 row" : `${dataset.rows} rows`
  return fail(
    `${rows}${tests === 0 ? "" : `, ${tests} of them for testing,`} are too few for ${coefficients} coefficients ` +
      `(${needs.trees} trees and the intercept); give more rows or use fewer trees`,
  )
}
