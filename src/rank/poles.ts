import type { Dataset } from "../data/Data.ts"
import { columnOf } from "../expr/columnOf.ts"
import * as Term from "../expr/Term.ts"

/** What a term divides by: denominators, and bases of negative powers. */
const divisors = (term: Term.Term): ReadonlyArray<Term.Term> => {
  const inner = Term.children<Term.Term>(term).flatMap(divisors)
  if (term._tag !== "Binary") return inner
  const { operation, left, right } = term
  if (operation === "div") return [...inner, right]
  return operation === "pow" && right._tag === "Constant" && right.value < 0 ? [...inner, left] : inner
}

/**
 * Whether a law has a pole among the rows: a divisor that is negative on some rows and positive on other rows. Such a law fits a row far out by a
 * pole beside it; laws with names are measured on one side of their poles.
 */
export const hasPoleAmong = (law: Term.Term, { features, columns, rows }: Dataset): boolean =>
  divisors(Term.meaning(law)).some((divisor) => {
    if (Term.variables(divisor).length === 0) return false
    const values = columnOf(divisor, features, columns, rows)
    return values.some((value) => value < 0) && values.some((value) => value > 0)
  })
