import type { Dataset } from "../data/Data.ts"
import * as Misfit from "./Misfit.ts"

/** A row and how far the response lies from a law there. */
export interface Miss {
  /** the row's number in the table, from 1, without the header */
  readonly row: number
  readonly value: number
  readonly law: number
  /** y less the law, in standard deviations of the noise */
  readonly sigmas: number
}

/** Signs of residuals along a column: fewer runs of one sign than by chance say that the law bends otherwise than the data. */
export interface Runs {
  readonly column: string
  readonly runs: number
  /** the number expected of residuals in any order */
  readonly expected: number
  /** the probability of that few runs or fewer when all orders of the signs are equally likely (`Misfit.runs`) */
  readonly probability: number
}

/**
 * The rows that a law misses by the most standard deviations, the farthest first. Rows without weight are left out.
 *
 * @param mean the law on every row, length n
 * @param by one over the standard deviation of each row up to the factor sigma; 1 if left out
 */
export const farthest = (
  { y, numbers }: Pick<Dataset, "y" | "numbers">,
  mean: Float64Array,
  sigma: number,
  count: number,
  by?: Float64Array,
): ReadonlyArray<Miss> => {
  const away = y.map((value, i) => ((value - mean[i]!) * (by?.[i] ?? 1)) / sigma)
  return Array.from(y.keys())
    .filter((i) => by?.[i] !== 0 && Number.isFinite(away[i]!))
    .sort((a, b) => Math.abs(away[b]!) - Math.abs(away[a]!))
    .slice(0, count)
    .map((i) => ({ row: numbers?.[i] ?? i + 1, value: y[i]!, law: mean[i]!, sigmas: away[i]! }))
}

/**
 * The runs of residuals of one sign in the order of each column, the least probable first. Columns of fewer than three values say
 * nothing about an order, and are left out.
 */
export const runs = (
  { features, columns, y }: Pick<Dataset, "features" | "columns" | "y">,
  mean: Float64Array,
): ReadonlyArray<Runs> =>
  features
    .flatMap((column, j): ReadonlyArray<Runs> => {
      const values = columns[j]!
      if (new Set(values.subarray(0, 1000)).size < 3) return []
      const order = Array.from(y.keys()).sort((a, b) => values[a]! - values[b]!)
      const signs = order.map((i) => Math.sign(y[i]! - mean[i]!)).filter((sign) => sign !== 0)
      const above = signs.filter((sign) => sign > 0).length
      const below = signs.length - above
      if (above === 0 || below === 0) return []
      const count = signs.filter((sign, i) => i === 0 || sign !== signs[i - 1]).length
      const expected = 1 + (2 * above * below) / (above + below)
      const probability = Misfit.runs(signs.map((sign) => sign > 0))
      return [{ column, runs: count, expected, probability }]
    })
    .sort((a, b) => a.probability - b.probability)
