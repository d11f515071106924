import type { Dataset } from "../data/Data.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import type * as Term from "../expr/Term.ts"
import { dot } from "../numeric/orthogonal.ts"
import { triangle } from "../numeric/triangle.ts"

/** A fitted number of a law, as it stands in the expression. */
export interface FittedNumber {
  /** its magnitude: a number and its negative are one number of the law */
  readonly value: number
  /**
   * The standard error: the root of the diagonal of (J' D^-2 J)^-1, with J the derivatives of the law by its fitted numbers and D the
   * standard deviations of the rows. Infinite where the rows do not determine the number beside the others.
   */
  readonly error: number
  /** The root mean square of the law's change with the number, J / D: the change of the number that moves the law by one deviation is 1 / effect. */
  readonly effect: number
}

/** Of more rows an even sample stands for all. */
const many = 5_000

/**
 * The fitted numbers of a law with their standard errors, in the order in which they stand in it, to first order (Gauss-Newton). They
 * are those of the written law, however it was found: coefficients, numbers inside of terms, and combinations of both.
 *
 * @param deviations the standard deviation of each row of the data, length n; infinite for rows that do not count
 * @param exact as in `FittedLaw.numbered`
 */
export const of = (
  law: Term.Term,
  { features, columns, rows }: Dataset,
  deviations: Float64Array,
  exact: ReadonlySet<number>,
): ReadonlyArray<FittedNumber> => {
  const numbered = FittedLaw.numbered(law, features, exact)
  const stride = Math.ceil(rows / many)
  const own = <T extends Float64Array>(column: T) =>
    stride === 1 ? column : column.filter((_, i) => i % stride === 0)
  const sizes = own(deviations)
  const slopes = FittedLaw.rows(numbered, features, columns.map(own), sizes.length).slopes.map((slope) =>
    // A row at the end of a domain, where a slope is not finite, determines nothing.
    slope.map((value, i) => (Number.isFinite(value) && sizes[i]! < Infinity ? value / sizes[i]! : 0)),
  )
  const factor = triangle(slopes)
  const counted = sizes.filter((size) => size < Infinity).length
  return Array.from(numbered.values, (value, k) => ({
    value: Math.abs(value),
    error:
      factor === undefined
        ? Infinity
        : factor.norm(Float64Array.from(slopes, (_, j) => (j === k ? 1 : 0))) / Math.sqrt(stride),
    effect: Math.sqrt(dot(slopes[k]!, slopes[k]!) / counted),
  }))
}
