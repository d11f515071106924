import type { Dataset } from "../data/Data.ts"
import { columnOf } from "../expr/columnOf.ts"
import type * as Term from "../expr/Term.ts"
import { ranks } from "../numeric/ranks.ts"

/** The place of the row next to each in some columns of ranks: of those as near the first. */
const neighbours = (columns: ReadonlyArray<Float64Array>, rows: number): ReadonlyArray<number> =>
  Array.from({ length: rows }, (_, i) => {
    let [nearest, least] = [i, Infinity]
    for (let j = 0; j < rows; j++) {
      if (j === i) continue
      let distance = 0
      for (const column of columns) distance += (column[i]! - column[j]!) * (column[i]! - column[j]!)
      if (distance < least) [nearest, least] = [j, distance]
    }
    return nearest
  })

/**
 * The effect of all columns but some on a law (the total effect of Homma and Saltelli 1996, from pairs as Jansen 1999 has it): the sum over rows of
 * half the square of the law's change where a row gets its other columns from the row next to it in those columns. A smooth function of
 * `some` alone has about as large a sum of squares of differences from the law, at least. The rows are as they lie: a column that the others tell has
 * no effect. Rows where the law has no value count 0.
 *
 * @returns a function of the names of the columns whose effect is left out, in the square of the law's unit
 */
export const totalEffect = (
  law: Term.Term,
  { features, columns, rows }: Dataset,
): ((some: ReadonlyArray<string>) => number) => {
  const value = (inputs: ReadonlyArray<Float64Array>): Float64Array => columnOf(law, features, inputs, rows)
  const own = value(columns)
  const ranked = columns.map(ranks)
  return (some) => {
    const places = neighbours(
      ranked.filter((_, j) => some.includes(features[j]!)),
      rows,
    )
    const changed = value(
      columns.map((column, j) =>
        some.includes(features[j]!) ? column : column.map((_, i) => column[places[i]!]!),
      ),
    )
    return own.reduce((sum, at, i) => {
      const change = (at - changed[i]!) ** 2 / 2
      return Number.isFinite(change) ? sum + change : sum
    }, 0)
  }
}
