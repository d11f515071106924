import { backSubstitute, orthogonalise } from "../numeric/orthogonal.ts"
import * as Real from "../numeric/Real.ts"
import { unitVector } from "../numeric/unitVector.ts"
import { schwarz } from "./schwarz.ts"

/** A sum of some columns and a constant. */
export interface Polynomial {
  /** the columns in it, as their places */
  readonly terms: ReadonlyArray<number>
  /** one for each term */
  readonly coefficients: Float64Array
  /** the standard errors of the coefficients */
  readonly deviations: Float64Array
}

interface Fit extends Polynomial {
  /** how much the sum of squares rises without each term */
  readonly gains: Float64Array
  readonly rss: number
}

/** The sums that are given: of few columns, whose subsets are all looked at, more are as good as the same. */
const given = { all: 5, path: 2 } as const
/** The number of fits in a part. */
const together = 8
/** Of as many columns all subsets are looked at. */
const few = 7

const fit = (
  columns: ReadonlyArray<Float64Array>,
  terms: ReadonlyArray<number>,
  constant: Float64Array,
  y: Float64Array,
): Fit => {
  const decomposed = orthogonalise([constant, ...terms.map((j) => columns[j]!)], y)
  const { rank, projection, outside: rss } = decomposed
  const coefficients = backSubstitute(decomposed, projection).slice(1)
  // The diagonal of the inverse of R'R, whose root times the noise is a standard error.
  const inverse = new Float64Array(terms.length)
  for (let row = 0; row < rank; row++) {
    backSubstitute(decomposed, unitVector(rank, row)).forEach((value, j) => {
      if (j > 0) inverse[j - 1]! += value ** 2
    })
  }
  const noise = rss / Math.max(1, y.length - rank)
  return {
    terms,
    coefficients,
    deviations: inverse.map((value) => Math.sqrt(noise * value)),
    // A column inside of the span of others has the coefficient 0, and goes first.
    gains: coefficients.map((value, j) => (value === 0 ? 0 : value ** 2 / inverse[j]!)),
    rss,
  }
}

/** All subsets of some places, but for the empty one. */
const subsetsOf = (count: number): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: 2 ** count - 1 }, (_, subset) =>
    Array.from({ length: count }, (_, j) => j).filter((j) => ((subset + 1) >> j) % 2 === 1),
  )

/** The making of sums: it yields after each of some milliseconds. */
export type Making = Generator<void, ReadonlyArray<Polynomial>>

/**
 * The sums of columns that are nearest to z, by weighted least squares and backward elimination: from all columns on, the one that explains least
 * beside the others is left out, as long as there is one. Of a few columns all subsets are looked at. The best by the criterion of Schwarz (1978) are given, best first. A term that explains
 * nothing alone, such as those of x^4 - x^3 + x^2, is found this way, and by no selection that adds one after the other.
 *
 * @param columns of length n, not more than n - 2
 * @param z length n
 * @param w weights of the residuals, length n
 */
export const of = function* (columns: ReadonlyArray<Float64Array>, z: Float64Array, w: Float64Array): Making {
  const y = z.map((value, i) => value * w[i]!)
  const weighted = columns.map((column) => column.map((value, i) => value * w[i]!))
  const criterion = schwarz(y, w)
  const judged = (terms: ReadonlyArray<number>) => {
    const own = fit(weighted, terms, w, y)
    return { ...own, criterion: criterion(own.rss, terms.length) }
  }
  const isSmall = columns.length <= few
  let fits = 0
  const found: Array<ReturnType<typeof judged>> = []
  const subsets = isSmall ? subsetsOf(columns.length) : [[...columns.keys()]]
  for (const subset of subsets)
    for (let terms = subset; terms.length > 0;) {
      const own = judged(terms)
      if (++fits % together === 0) yield
      if (Number.isFinite(own.criterion)) found.push(own)
      if (isSmall) break
      const least = own.gains.indexOf(Math.min(...own.gains))
      terms = terms.filter((_, j) => j !== least)
    }
  return found.sort((a, b) => a.criterion - b.criterion).slice(0, isSmall ? given.all : given.path)
}

/** Terms with the same coefficient, but for its sign. */
export interface Group {
  readonly coefficient: number
  /** the places of its columns, and whether each is subtracted */
  readonly terms: ReadonlyArray<{ readonly column: number; readonly isNegative: boolean }>
}

/** The terms of a sum, those together whose coefficients differ by less than a number of their standard errors, or by rounding. */
export const grouped = (
  { terms, coefficients, deviations }: Polynomial,
  errors: number,
): ReadonlyArray<Group> => {
  const groups: Array<{ coefficient: number; deviation: number; terms: Array<Group["terms"][number]> }> = []
  terms.forEach((column, j) => {
    const [value, deviation] = [coefficients[j]!, deviations[j]!]
    const like = groups.find(
      (group) =>
        Math.abs(Math.abs(group.coefficient) - Math.abs(value)) <
        Math.max(errors * Real.hypot(deviation, group.deviation), 1e-8 * Math.abs(value)),
    )
    if (like === undefined)
      groups.push({ coefficient: value, deviation, terms: [{ column, isNegative: false }] })
    else like.terms.push({ column, isNegative: value * like.coefficient < 0 })
  })
  return groups
}
