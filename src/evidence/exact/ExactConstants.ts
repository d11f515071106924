import { type Constants, reach, tableOf } from "./Constants.ts"
import * as Exact from "./Exact.ts"
import * as Term from "../../expr/Term.ts"

/**
 * A relative error of two units in the last place, which folding pi into one constant may cause. No estimate is that
 * close by chance.
 */
const rounding = 4e-16

/** Whether a denominator makes a decimal that does not end. */
const isEndless = (q: number): boolean => {
  let rest = q
  for (const prime of [2, 5]) while (rest % prime === 0) rest /= prime
  return rest > 1
}

/** The term of a number of the prior whose decimals do not end, such as 4*pi, -1/sqrt(2*pi) or 1/3; undefined for other numbers. */
const exactTerm = (value: number, prior: Constants): Term.Term | undefined => {
  const [near] = tableOf(prior).near(value, (rounding / reach) * Math.abs(value), 1)
  if (near === undefined) return undefined
  const { root, halfPi, q } = near.exact
  return root === 1 && halfPi === 0 && !isEndless(q) ? undefined : Exact.term(near.exact)
}

const isNegative = (term: Term.Term): term is Term.Unary<Term.Term> =>
  term._tag === "Unary" && term.operation === "neg"

/**
 * A term whose numbers are written with pi, roots and fractions where their decimals do not end, if they are exact numbers of the prior:
 * 12.566370614359172 becomes 4*pi. Values agree up to rounding. Simplification folds the numbers again.
 */
export const withExactConstants = (term: Term.Term, prior: Constants): Term.Term =>
  Term.fold<Term.Term>((layer) => {
    if (layer._tag === "Constant") return exactTerm(layer.value, prior) ?? layer
    if (layer._tag !== "Binary" || !(layer.operation === "mul" || layer.operation === "div")) return layer
    const { operation, left, right } = layer
    // -pi*x, not (-pi)*x.
    return isNegative(left) && Term.variables(left).length === 0
      ? Term.neg(Term.binary(operation, left.argument, right))
      : layer
  })(term)
