import type { Dataset } from "../data/Data.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import * as FormulaRows from "../evidence/fitted/FormulaRows.ts"
import type { Parts } from "../evidence/fitted/FormulaTerms.ts"
import * as Term from "../expr/Term.ts"
import { untaken } from "../internal/untaken.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import { thinned } from "../numeric/thinned.ts"
import * as DeclaredModel from "./DeclaredModel.ts"

/** The number of rows on which formulas are compared. */
const looked = 60
/** The values that a number is given which the others make up for. */
const plain = [0, 1]
/** A formula is another function where it misses more than this share of the sum of squares. */
const close = 1e-14

/** The coefficients and terms of a sum, with the names of the numbers inside of its terms. */
interface Sum {
  readonly coefficients: Pick<Parts, "intercept" | "terms">
  readonly inside: ReadonlyArray<string>
}

/**
 * A sum with a name for each coefficient that is free, and the names of all of its numbers.
 *
 * @param features the names of columns, which no coefficient has
 */
const named = ({ coefficients: { intercept, terms }, inside }: Sum, features: ReadonlyArray<string>) => {
  const all = [intercept, ...terms.map(({ coefficient }) => coefficient)]
  const nameOf = (k: number): string => untaken(`coefficient ${k}`, [...features, ...inside])
  const [first, ...others] = all.map((value, k) =>
    value === "free" ? Term.variable(nameOf(k)) : Term.constant(value),
  )
  const sum = terms.reduce<Term.Term>((sum, { term }, k) => Term.add(sum, Term.mul(others[k]!, term)), first!)
  return { sum, names: [...all.flatMap((value, k) => (value === "free" ? [nameOf(k)] : [])), ...inside] }
}

/**
 * A formula without the numbers that others make up for: of c0 + c1 (c2 + x) / (1 + c3 x) two are not identified, and it is the function
 * c0 + c1 x / (1 + c3 x) with other c0 and c1. A number gets the value 0 or 1 where the others can make the same function without it: the rows tell
 * nothing of it, and the evidence would count it. A formula whose numbers are all identified comes back as it is.
 *
 * @param data rows on which the formula has a value
 */
export const identified = (formula: DeclaredModel.Formula, data: Dataset): DeclaredModel.Formula => {
  const { parts, names, values } = formula
  const inTerms = Term.variablesOf(parts.terms.map(({ term }) => term))
  const own = names.filter((name) => inTerms.includes(name))
  if (own.length === 0) return formula
  const columns = data.columns.map(thinned(data.rows, looked))
  const rows = columns[0]?.length ?? 0
  const on = (of: Term.Term, free: ReadonlyArray<string>, at: ArrayLike<number>) =>
    FittedLaw.rows({ formula: of, names: free, values: Float64Array.from(at) }, data.features, columns, rows)
  const part = { ...data, columns, y: on(parts.sum, names, values).mean, rows }
  const tss = FormulaRows.square(part.y)
  /** The numbers with which a sum is the function, from values of those inside of its terms; undefined where there are none. */
  const numbersOf = (sum: Sum, inside: ReadonlyArray<number>): Float64Array | undefined => {
    const { sum: whole, names: all } = named(sum, data.features)
    const start = Float64Array.from([...all.slice(inside.length).map(() => 0), ...inside])
    const { slopes, mean } = on(whole, all, start)
    const free = slopes.slice(0, all.length - inside.length)
    if (!FormulaRows.areFinite([mean, ...free])) return undefined
    const { coefficients } = leastSquares(
      free,
      part.y.map((value, i) => value - mean[i]!),
    )
    start.set(coefficients)
    for (const from of [start, undefined]) {
      const fit = FormulaFit.fit(whole, all, part, undefined, from, FormulaFit.quick)
      if (fit !== undefined && fit.rss <= close * tss) return fit.values
    }
    return undefined
  }
  const [intercept = 0, ...free] = DeclaredModel.restricted(formula, part)
  let sum: Sum = {
    coefficients: {
      intercept,
      terms: parts.terms.map(({ term }, k) => ({ term, coefficient: free[k]! })),
    },
    inside: own,
  }
  const begun = numbersOf(
    sum,
    own.map((name) => values[names.indexOf(name)]!),
  )
  if (begun === undefined) return formula
  let numbers: Float64Array = begun
  const { sum: whole, names: all } = named(sum, data.features)
  const { rank } = leastSquares(on(whole, all, numbers).slopes, new Float64Array(rows))
  let unidentified = all.length - rank
  if (unidentified === 0) return formula
  /** The sum with a value in the place of a number; undefined where a term has no column left. */
  const without = (name: string, value: number): Sum | undefined => {
    const terms = sum.coefficients.terms.map(({ coefficient, term }) => ({
      coefficient,
      term: Term.simplify(
        Term.substitute(term, (other) => (other === name ? Term.constant(value) : Term.variable(other))),
      ),
    }))
    return terms.every(({ term }) => Term.variables(term).some((other) => data.features.includes(other)))
      ? { coefficients: { ...sum.coefficients, terms }, inside: sum.inside.filter((other) => other !== name) }
      : undefined
  }
  for (const name of own)
    for (const value of unidentified > 0 ? plain : []) {
      const fewer = without(name, value)
      const inside = numbers.slice(-sum.inside.length).filter((_, j) => sum.inside[j] !== name)
      const fitted: Float64Array | undefined = fewer && numbersOf(fewer, [...inside])
      if (fewer === undefined || fitted === undefined) continue
      ;[sum, numbers] = [fewer, fitted]
      unidentified--
      break
    }
  const { sum: last, names: left } = named(sum, data.features)
  return { parts: { link: parts.link, sum: last, ...sum.coefficients }, names: left, values: numbers }
}
