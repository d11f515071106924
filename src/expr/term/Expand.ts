import * as make from "./Constructors.ts"
import { interpretWith, protect, type TermAlgebra } from "./Interpret.ts"
import type { ScalarAlgebra } from "../../numeric/Algebra.ts"
import { fold, type Application, type Term, type TermF } from "./TermF.ts"

/** Terms as a scalar algebra: interpreting with it builds terms, so that a rewriting is one more interpreter. */
export const algebra = <V extends string>(): ScalarAlgebra<Term<V>> => ({
  literal: make.constant,
  unary: {
    neg: make.neg,
    square: make.square,
    sqrt: make.sqrt,
    abs: make.abs,
    sign: make.sign,
    exp: make.exp,
    log: make.log,
    sin: make.sin,
    cos: make.cos,
    tan: make.tan,
    tanh: make.tanh,
    asin: make.asin,
    acos: make.acos,
    atan: make.atan,
    guard: make.guard,
  },
  binary: {
    add: make.add,
    sub: make.sub,
    mul: make.mul,
    div: make.div,
    pow: make.pow,
    min: make.min,
    max: make.max,
  },
})

/** The operand that an operator's argument stands for. */
const operandOf = <A>({ name, operands }: Application<A>, argument: "x" | "y"): A => {
  const operand = operands[argument === "x" ? 0 : 1]
  if (operand === undefined) throw new Error(`${name} has no operand ${argument}`)
  return operand
}

/** One layer of a term from rewritten children: every operation replaced by that of the algebra. */
const rewriting =
  <V extends string>(A: TermAlgebra<Term<V>>) =>
  (layer: TermF<Term<V>, V>): Term<V> => {
    switch (layer._tag) {
      case "Constant":
      case "Variable":
        return layer
      case "Unary":
        return A.unary[layer.operation](layer.argument)
      case "Binary":
        return A.binary[layer.operation](layer.left, layer.right)
      case "Application":
        return interpretWith(A)(layer.meaning)((name) => operandOf(layer, name))
    }
  }

/** One layer of `expand`: an algebra for folds, given expanded children. */
export const expanding: (layer: TermF<Term>) => Term = rewriting(protect(algebra()))

/**
 * Rewrites protected operations and applications of operators by their definitions, so that only the primitives of `ScalarAlgebra` are left. The
 * value is the same bit for bit.
 *
 * *When to use*: for an interpreter that knows the primitives alone; texts of laws read better with the operators' names.
 */
export const expand = <V extends string>(term: Term<V>): Term<V> =>
  fold<Term<V>, V>(rewriting(protect(algebra<V>())))(term)

/**
 * A term without applications of operators, by their meanings: `log(exp(x) + 1)` for `softplus(x)`. *When to use*: to compare it with terms
 * that have no names of operators.
 */
export const meaning = <V extends string>(term: Term<V>): Term<V> =>
  fold<Term<V>, V>((layer) =>
    layer._tag === "Application"
      ? fold<Term<V>, "x" | "y">((inner) =>
          inner._tag === "Variable" ? operandOf(layer, inner.name) : inner,
        )(meaning(layer.meaning))
      : layer,
  )(term)
