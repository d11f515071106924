import * as Exact from "./Exact.ts"
import * as Term from "../../expr/Term.ts"
import type { State } from "./Hypothesis.ts"
import * as Real from "../../numeric/Real.ts"

/** The basis functions of a law, the hypothesis about each coefficient, and the coefficients; the intercept is first. */
export interface Parts {
  readonly functions: ReadonlyArray<Term.Term>
  readonly states: ReadonlyArray<State | undefined>
  /** as they are written, intercept first */
  readonly coefficients: ArrayLike<number>
  readonly scale: number
}

/** A coefficient times a basis function, as the hypothesis states it. A ratio is written without the shared scale. */
const summand = (state: State | undefined, coefficient: number, basis: Term.Term): Term.Term => {
  if (state === undefined) return Term.constant(0)
  return state._tag === "Free" ? Term.mul(coefficient, basis) : Exact.times(state.exact, basis)
}

const sum = (summands: ReadonlyArray<Term.Term>): Term.Term =>
  summands.reduce<Term.Term>((left, right) => Term.add(left, right), Term.constant(0))

/** A number as a term: the intercept of a hypothesis. */
const number = (state: State | undefined, coefficient: number): Term.Term => {
  if (state === undefined) return Term.constant(0)
  return Term.constant(state._tag === "Free" ? coefficient : Exact.value(state.exact))
}

/** b_0 + sum_j b_j h_j, with a shared scale as a common factor of the terms that share it; not simplified. */
export const linear = ({ functions, states, coefficients, scale }: Parts): Term.Term => {
  const terms = functions.map((basis, j) => ({
    ratio: states[j + 1]?._tag === "Ratio",
    term: summand(states[j + 1], coefficients[j + 1]!, basis),
  }))
  const shared = terms.filter(({ ratio }) => ratio).map(({ term }) => term)
  const apart = terms.filter(({ ratio }) => !ratio).map(({ term }) => term)
  const intercept = number(states[0], coefficients[0]!)
  const [inside, outside] = states[0]?._tag === "Ratio" ? [[intercept], []] : [[], [intercept]]
  const factored = shared.length === 0 ? [] : [Term.mul(scale, Term.simplify(sum([...shared, ...inside])))]
  return sum([...apart, ...factored, ...outside])
}

/** u^e for an exact e in conventional notation; undefined if the exponent has no short form. */
const power = (u: Term.Term, { p, q }: Exact.Exact): Term.Term => {
  if (q === 1) return p === 1 ? u : p === 2 ? Term.square(u) : Term.pow(u, p)
  if (q === 2) return p === 1 ? Term.sqrt(u) : Term.pow(Term.sqrt(u), p)
  return Term.pow(u, p / q)
}

/**
 * The exponential of the linear part, with its logarithms written as powers: c u^2 sqrt(v) exp(-x^2/2) / w; not simplified.
 * The arguments of the logarithms are positive on the data, since the logarithms are finite there.
 */
export const exponential = ({ functions, states, coefficients, scale }: Parts): Term.Term => {
  const over: Array<Term.Term> = []
  const under: Array<Term.Term> = []
  const rest: Array<number> = []
  functions.forEach((basis, j) => {
    const state = states[j + 1]
    const rational = state?._tag === "Fixed" && state.exact.root === 1 && state.exact.halfPi === 0
    if (basis._tag === "Unary" && basis.operation === "log" && rational)
      (state.exact.sign > 0 ? over : under).push(power(basis.argument, state.exact))
    else rest.push(j)
  })
  const inside = linear({
    functions: rest.map((j) => functions[j]!),
    states: [{ _tag: "Fixed", exact: Exact.zero, value: 0 }, ...rest.map((j) => states[j + 1])],
    coefficients: [0, ...rest.map((j) => coefficients[j + 1]!)],
    scale,
  })
  const [intercept] = states
  const factor = intercept?._tag === "Fixed" ? Exact.value(intercept.exact) : Real.exp(coefficients[0]!)
  const factors = [...over, ...(rest.length > 0 ? [Term.exp(inside)] : [])]
  const product = factors.reduce<Term.Term>((left, right) => Term.mul(left, right), Term.constant(factor))
  return under.length === 0
    ? product
    : Term.div(
        product,
        under.reduce((left, right) => Term.mul(left, right)),
      )
}
