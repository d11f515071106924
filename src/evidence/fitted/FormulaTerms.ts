import * as Term from "../../expr/Term.ts"
import { occurrences } from "../../expr/term/occurrences.ts"
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

/** A product, its factors that are free or written numbers apart from the others. */
interface Product {
  /** written numbers, and free numbers that stand nowhere but in coefficients */
  readonly coefficient: Term.Term
  readonly over: ReadonlyArray<Term.Term>
  readonly under: ReadonlyArray<Term.Term>
}

/** @param isCoefficient whether a factor is part of the coefficient */
const factors = (term: Term.Term, isCoefficient: (factor: Term.Term) => boolean): Product => {
  if (isCoefficient(term)) return { coefficient: term, over: [], under: [] }
  if (term._tag === "Unary" && term.operation === "neg") {
    const inside = factors(term.argument, isCoefficient)
    return { ...inside, coefficient: Term.neg(inside.coefficient) }
  }
  if (term._tag === "Binary" && (term.operation === "mul" || term.operation === "div")) {
    const [left, right] = [factors(term.left, isCoefficient), factors(term.right, isCoefficient)]
    const divides = term.operation === "div"
    return {
      coefficient: (divides ? Term.div : Term.mul)(left.coefficient, right.coefficient),
      over: [...left.over, ...(divides ? right.under : right.over)],
      under: [...left.under, ...(divides ? right.over : right.under)],
    }
  }
  return { coefficient: Term.constant(1), over: [term], under: [] }
}

const product = (list: ReadonlyArray<Term.Term>): Term.Term =>
  list.length === 0 ? Term.constant(1) : list.reduce((left, right) => Term.mul(left, right))

const valueOf = Term.interpret(Term.arithmetic)

/** A coefficient of a sum with the term that it multiplies, 1 for the intercept. */
interface Part {
  readonly coefficient: Term.Term
  readonly term: Term.Term
}

/** The parts of a sum, those of one term added up. */
const gathered = (sum: Term.Term, isCoefficient: (factor: Term.Term) => boolean): ReadonlyArray<Part> => {
  const found = new Map<string, Part>()
  for (const { sign, term } of summands(sum)) {
    const { coefficient, over, under } = factors(term, isCoefficient)
    const signed = sign === 1 ? coefficient : Term.neg(coefficient)
    const whole = under.length === 0 ? product(over) : Term.div(product(over), product(under))
    const key = Term.key(whole)
    const before = found.get(key)
    found.set(key, {
      term: whole,
      coefficient: before === undefined ? signed : Term.add(before.coefficient, signed),
    })
  }
  return [...found.values()]
}

/** Values at which the rank of coefficients is looked at: any, of which no two make a third. */
const generic = (names: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(names.map((name, j) => [name, 1 + Math.sqrt(2 + j) / 3]))

/** Whether free numbers give coefficients any values: their derivatives are independent. */
const areFree = (coefficients: ReadonlyArray<Term.Term>, names: ReadonlyArray<string>): boolean => {
  const at = generic(Term.variablesOf(coefficients))
  const rows = coefficients.map((one) =>
    Float64Array.from(names, (name) =>
      valueOf(Term.derivative(one, name))((other) => at.get(other) ?? Number.NaN),
    ),
  )
  return leastSquares(rows, new Float64Array(names.length)).rank === coefficients.length
}

/** A free number that is a factor, and stands nowhere else. */
const aloneIn = (sum: Term.Term, names: ReadonlyArray<string>) => {
  const counts = occurrences(sum)
  return (factor: Term.Term): boolean =>
    factor._tag === "Constant" ||
    (factor._tag === "Variable" && names.includes(factor.name) && counts.get(factor.name) === 1)
}

/**
 * The parts of a sum of which every coefficient with a free number has any value: a + (b - a) x has two of them, however often a stands there.
 * Where factors of numbers make no free coefficients together, only a number that stands alone makes one: a x + a^2 y is no sum of two.
 */
const freeParts = (
  sum: Term.Term,
  names: ReadonlyArray<string>,
): ReadonlyArray<Part & { readonly open: boolean }> => {
  const isNumber = (factor: Term.Term): boolean =>
    Term.variables(factor).every((name) => names.includes(name))
  const parts = gathered(sum, isNumber)
  const inside = new Set(Term.variablesOf(parts.map(({ term }) => term)))
  const outside = names.filter((name) => !inside.has(name))
  const isOpen = ({ coefficient }: Part): boolean => Term.variables(coefficient).length > 0
  const open = parts.filter(isOpen).map(({ coefficient }) => coefficient)
  const chosen = areFree(open, outside) ? parts : gathered(sum, aloneIn(sum, names))
  return chosen.map((part) => ({ ...part, open: isOpen(part) }))
}

const isOne = (term: Term.Term): boolean => term._tag === "Constant" && term.value === 1

/**
 * The ways in which a formula is a sum of terms with coefficients under a link. Factors of free numbers that stand in no term make coefficients
 * free; a written factor is an exact coefficient; a sum without a number has the intercept 0.
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
    const own = freeParts(sum, names).map(({ open, coefficient, term }) => ({
      coefficient: open ? ("free" as const) : valueOf(coefficient)(() => Number.NaN),
      term,
    }))
    const intercept = own.find(({ term }) => isOne(term))?.coefficient ?? 0
    return [{ link, sum, intercept, terms: own.filter(({ term }) => !isOne(term)) }]
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
