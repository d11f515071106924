import type { Dataset } from "../data/Data.ts"
import { compileColumn } from "../expr/evaluate.ts"
import { numberName } from "../expr/text/functions.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as Term from "../expr/Term.ts"
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

/** The name of a number as a variable, which no column has. */
const nameOf = (index: number): string => `\u0000${index}`

/** Numbers below this are exact if they are whole multiples of 1/2, 1/3, 1/4 or 1/6; larger ones may have been rounded to be whole. */
const small = 1000

/** Whether a number is a fitted one: simple fractions, pi and the numbers of the grammar are exact. */
const isFitted = (value: number, exact: ReadonlySet<number>): boolean =>
  !(Math.abs(value) < small && Number.isInteger(12 * value)) &&
  numberName(Math.abs(value)) === undefined &&
  !exact.has(Math.abs(value))

/** The magnitudes of the numbers that a grammar has as terminals. */
export const exact = ({ terminals }: Grammar): ReadonlySet<number> =>
  new Set(terminals.flatMap(({ term }) => (term._tag === "Constant" ? [Math.abs(term.value)] : [])))

/** A term with other numbers in the places of its constants. */
export const replaced = (term: Term.Term, by: (value: number) => Term.Term | number): Term.Term =>
  Term.fold<Term.Term>((layer) => {
    if (layer._tag !== "Constant") return layer
    const other = by(layer.value)
    return typeof other === "number" ? Term.constant(other) : other
  })(term)

/**
 * The fitted numbers of a law with their standard errors, in the order in which they stand in it, to first order (Gauss-Newton). They
 * are those of the written law, however it was found: coefficients, numbers inside of terms, and combinations of both.
 *
 * @param deviations the standard deviation of each row of the data, length n; infinite for rows that do not count
 * @param exact magnitudes of numbers that are exact beside simple fractions and pi
 */
export const of = (
  law: Term.Term,
  { features, columns, rows }: Dataset,
  deviations: Float64Array,
  exact: ReadonlySet<number>,
): ReadonlyArray<FittedNumber> => {
  const values: Array<number> = []
  const template = replaced(law, (value) => {
    if (!isFitted(value, exact)) return value
    const known = values.indexOf(Math.abs(value))
    const name = Term.variable(nameOf(known < 0 ? values.push(Math.abs(value)) - 1 : known))
    return value < 0 ? Term.neg(name) : name
  })
  const stride = Math.ceil(rows / many)
  const own = <T extends Float64Array>(column: T) =>
    stride === 1 ? column : column.filter((_, i) => i % stride === 0)
  const inputs = columns.map(own)
  const sizes = own(deviations)
  const back = (name: string) =>
    name.startsWith("\u0000") ? values[Number(name.slice(1))]! : Term.variable(name)
  const slopes = values.map((_, k) => {
    const out = new Float64Array(sizes.length)
    compileColumn(Term.substitute(Term.derivative(template, nameOf(k)), back), features)(inputs, out)
    // A row at the end of a domain, where a slope is not finite, determines nothing.
    return out.map((slope, i) => (Number.isFinite(slope) && sizes[i]! < Infinity ? slope / sizes[i]! : 0))
  })
  const factor = triangle(slopes)
  const counted = sizes.filter((size) => size < Infinity).length
  return values.map((value, k) => ({
    value,
    error:
      factor === undefined
        ? Infinity
        : factor.norm(Float64Array.from(values, (_, j) => (j === k ? 1 : 0))) / Math.sqrt(stride),
    effect: Math.sqrt(dot(slopes[k]!, slopes[k]!) / counted),
  }))
}
