import * as Term from "../../expr/Term.ts"
import { dot } from "../../numeric/orthogonal.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import type { Coefficient } from "../exact/Declared.ts"
import type { Link } from "../../prob/Link.ts"

/** A formula as a model of laws has it: a function of y is a sum of terms with coefficients. */
export interface Parts {
  /** the index of the link among those given */
  readonly link: number
  /** g(y) as a formula: the sum */
  readonly sum: Term.Term
  readonly intercept: Coefficient
  /** terms without their coefficients, which may have free numbers inside */
  readonly terms: ReadonlyArray<{ readonly coefficient: Coefficient; readonly term: Term.Term }>
}

/** The term z for which the inverse of a link is a formula; undefined where there is none. */
const unlinked = (inverse: Term.Term<"z">, term: Term.Term): Term.Term | undefined => {
  if (inverse._tag === "Variable") return term
  if (inverse._tag === "Unary")
    return term._tag === "Unary" && term.operation === inverse.operation
      ? unlinked(inverse.argument, term.argument)
      : undefined
  if (inverse._tag !== "Binary" || term._tag !== "Binary" || term.operation !== inverse.operation)
    return undefined
  const { left, right } = inverse
  if (Term.variables(left).length === 0)
    return Term.equals(left, term.left) ? unlinked(right, term.right) : undefined
  return Term.equals(right, term.right) ? unlinked(left, term.left) : undefined
}

/** The terms of a sum with their signs. */
const summands = (term: Term.Term): ReadonlyArray<{ readonly sign: 1 | -1; readonly term: Term.Term }> => {
  const turned = (inside: Term.Term) =>
    summands(inside).map((one) => ({ ...one, sign: one.sign === 1 ? (-1 as const) : (1 as const) }))
  if (term._tag === "Unary" && term.operation === "neg") return turned(term.argument)
  if (term._tag === "Binary" && term.operation === "add")
    return [...summands(term.left), ...summands(term.right)]
  if (term._tag === "Binary" && term.operation === "sub")
    return [...summands(term.left), ...turned(term.right)]
  return [{ sign: 1, term }]
}

interface Product {
  readonly number: number
  /** whether a free number that stands nowhere else is a factor */
  readonly open: boolean
  readonly over: ReadonlyArray<Term.Term>
  readonly under: ReadonlyArray<Term.Term>
}

const factors = (term: Term.Term, alone: (name: string) => boolean): Product => {
  const none = { number: 1, open: false, over: [], under: [] }
  if (term._tag === "Constant") return { ...none, number: term.value }
  if (term._tag === "Variable" && alone(term.name)) return { ...none, open: true }
  if (term._tag === "Unary" && term.operation === "neg") {
    const inside = factors(term.argument, alone)
    return { ...inside, number: -inside.number }
  }
  if (term._tag === "Binary" && (term.operation === "mul" || term.operation === "div")) {
    const [left, right] = [factors(term.left, alone), factors(term.right, alone)]
    const divides = term.operation === "div"
    return {
      number: divides ? left.number / right.number : left.number * right.number,
      open: left.open || right.open,
      over: [...left.over, ...(divides ? right.under : right.over)],
      under: [...left.under, ...(divides ? right.over : right.under)],
    }
  }
  return { ...none, over: [term] }
}

const product = (list: ReadonlyArray<Term.Term>): Term.Term =>
  list.length === 0 ? Term.constant(1) : list.reduce((left, right) => Term.mul(left, right))

/** How often each name stands in a formula. */
const occurrences = (term: Term.Term, counts = new Map<string, number>()): ReadonlyMap<string, number> => {
  if (term._tag === "Variable") counts.set(term.name, (counts.get(term.name) ?? 0) + 1)
  else for (const child of Term.children<Term.Term>(term)) occurrences(child, counts)
  return counts
}

/**
 * The ways in which a formula is a sum of terms with coefficients under a link. A factor that is a free number and stands nowhere else
 * makes its coefficient free; a written factor is an exact coefficient; a sum without a number has the intercept 0.
 *
 * @param names the free numbers
 */
export const parts = (
  formula: Term.Term,
  names: ReadonlyArray<string>,
  links: ReadonlyArray<Link>,
): ReadonlyArray<Parts> =>
  links.flatMap(({ inverse }, link) => {
    const sum = inverse.map((branch) => unlinked(branch, formula)).find((one) => one !== undefined)
    if (sum === undefined) return []
    const counts = occurrences(sum)
    const alone = (name: string): boolean => names.includes(name) && counts.get(name) === 1
    let intercept: Coefficient = 0
    const terms: Array<Parts["terms"][number]> = []
    for (const { sign, term } of summands(sum)) {
      const { number, open, over, under } = factors(term, alone)
      const coefficient: Coefficient = open ? "free" : sign * number
      if (over.length + under.length > 0)
        terms.push({
          coefficient,
          term: under.length === 0 ? product(over) : Term.div(product(over), product(under)),
        })
      else intercept = intercept === "free" || coefficient === "free" ? "free" : intercept + coefficient
    }
    return [{ link, sum, intercept, terms }]
  })

/** A column with less than this share of its length outside of the span of others lies in it. */
const dependent = 1e-8

/**
 * The coefficients that a formula fixes. One that the free numbers inside of terms can make up for is no restriction, and is free: the
 * intercept of log(a*x), or the factor of (a*x + b)^2.
 *
 * @param columns 1 and the terms on the rows
 * @param slopes the derivatives of the sum by the free numbers
 */
export const restrictions = (
  coefficients: ReadonlyArray<Coefficient>,
  columns: ReadonlyArray<Float64Array>,
  slopes: ReadonlyArray<Float64Array>,
): ReadonlyArray<Coefficient> => {
  const span = [...slopes]
  return coefficients.map((value, k) => {
    const column = columns[k]!
    if (value === "free" || span.length === 0) return value
    const { rss } = leastSquares(span, column)
    return rss > dependent ** 2 * dot(column, column) ? value : "free"
  })
}
