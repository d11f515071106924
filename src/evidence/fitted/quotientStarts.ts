import type { Dataset } from "../../data/Data.ts"
import * as Term from "../../expr/Term.ts"
import { allBelow } from "../../numeric/finite.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { largest } from "../columns.ts"
import * as FormulaRows from "./FormulaRows.ts"
import { linearNames } from "./linearNames.ts"

/** The number of regressions, each weighted by the denominator of the one before. */
const regressions = 4

/** A formula that is linear in some numbers, on some rows. */
interface Linear {
  readonly names: ReadonlyArray<string>
  /** its values where all numbers are 0 */
  readonly base: Float64Array
  /** its derivatives, one for each name */
  readonly slopes: ReadonlyArray<Float64Array>
}

/** A part of a formula with its own numbers; undefined where it is not linear in them together, or not finite on every row. */
const linear = (part: Term.Term, names: ReadonlyArray<string>, data: Dataset): Linear | undefined => {
  const variables = Term.variables(part)
  const own = names.filter((name) => variables.includes(name))
  if (linearNames(part, own).length < own.length) return undefined
  const rows = FormulaRows.make(part, own, { ...data, y: new Float64Array(data.rows) }, undefined)
  const zeros = new Float64Array(own.length)
  const base = rows.residual(zeros).map((value) => -value)
  const slopes = rows.slopes(zeros)
  return FormulaRows.areFinite([base, ...slopes]) ? { names: own, base, slopes } : undefined
}

/**
 * Values of the numbers of y = A(x, a) / B(x, b), where A is linear in the numbers a and B in others, b. y B = A is linear in all of them (Levy
 * 1959); weights 1 / B of the regression before make its errors those of y (Sanathanan and Koerner 1963). So quotients of polynomials are fitted
 * whose numbers nobody would guess.
 *
 * @param names the free numbers among the formula's variables
 * @param by roots of weights, 0 for rows that do not count; 1 if left out
 * @returns the values of the first and of the last regression, in the order of `names`; none for another formula
 */
export const quotientStarts = (
  formula: Term.Term,
  names: ReadonlyArray<string>,
  data: Dataset,
  by?: Float64Array,
): ReadonlyArray<Float64Array> => {
  if (formula._tag !== "Binary" || formula.operation !== "div") return []
  const under = linear(formula.right, names, data)
  if (under === undefined || under.names.length === 0) return []
  const over = linear(formula.left, names, data)
  if (over === undefined || over.names.some((name) => under.names.includes(name))) return []
  const { y, rows } = data
  const found: Array<Float64Array> = []
  let weights = by?.slice() ?? new Float64Array(rows).fill(1)
  for (let k = 0; k < regressions; k++) {
    const weighted = (value: (i: number) => number): Float64Array =>
      Float64Array.from(weights, (weight, i) => (weight === 0 ? 0 : weight * value(i)))
    const columns = [
      ...over.slopes.map((slope) => weighted((i) => slope[i]!)),
      ...under.slopes.map((slope) => weighted((i) => -y[i]! * slope[i]!)),
    ]
    const target = weighted((i) => y[i]! * under.base[i]! - over.base[i]!)
    if (![...columns, target].every((column) => allBelow(column, largest))) break
    const { coefficients } = leastSquares(columns, target)
    const ordered = [...over.names, ...under.names]
    found.push(Float64Array.from(names, (name) => coefficients[ordered.indexOf(name)]!))
    const denominators = Float64Array.from(under.base, (value, i) =>
      under.slopes.reduce((sum, slope, j) => sum + coefficients[over.names.length + j]! * slope[i]!, value),
    )
    weights = denominators.map((value, i) => (by?.[i] ?? 1) / Math.abs(value))
    // A row on a pole has no weight that a number can hold.
    if (!allBelow(weights, largest)) break
  }
  return found.length < 2 ? found : [found[0]!, found.at(-1)!]
}
