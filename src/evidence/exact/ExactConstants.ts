import { type Constants, reach, tableOf } from "./Constants.ts"
import * as Exact from "./Exact.ts"
import * as Term from "../../expr/Term.ts"

/**
 * A relative error of two units in the last place, which folding pi into one constant may cause. No estimate is that
 * close by chance.
 */
const rounding = 4e-16

/** The term of an irrational number of the prior, such as 4*pi or -1/sqrt(2*pi); undefined for other numbers. */
const exactTerm = (value: number, prior: Constants): Term.Term | undefined => {
  const [near] = tableOf(prior).near(value, (rounding / reach) * Math.abs(value), 1)
  return near === undefined || (near.exact.root === 1 && near.exact.halfPi === 0)
    ? undefined
    : Exact.term(near.exact)
}

const isNegative = (term: Term.Term): term is Term.Unary<Term.Term> =>
  term._tag === "Unary" && term.operation === "neg"

/**
 * A term whose irrational numbers are written with pi and roots, if they are exact numbers of the prior: 12.566370614359172
 * becomes 4*pi. Values agree up to rounding. Simplification folds the numbers again.
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
