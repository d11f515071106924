import * as make from "./Constructors.ts"
import { interpret, interpretWith, type TermAlgebra } from "./Interpret.ts"
import type { ScalarAlgebra } from "../Algebra.ts"
import type { Term } from "./TermF.ts"

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

const unprotected = <V extends string>(): TermAlgebra<Term<V>> => {
  const { literal, unary, binary } = algebra<V>()
  return {
    literal,
    unary: {
      ...unary,
      guard: (x) => x,
      psqrt: unary.sqrt,
      plog: unary.log,
      pexp: unary.exp,
      pinv: make.inv,
    },
    binary: { ...binary, pdiv: binary.div },
  }
}

/**
 * Rewrites the protected operations by their definitions, so that only the primitives of `ScalarAlgebra` are left. The
 * value is the same bit for bit, and no argument is duplicated.
 */
export const expand = <V extends string>(term: Term<V>): Term<V> =>
  interpret(algebra<V>())(term)(make.variable)

/**
 * Rewrites the protected operations by the plain ones that they stand for (`psqrt` by `sqrt`, `pdiv` by `div`, `guard`
 * by its argument): the formula as a paper prints it. The value changes where the protection acts.
 */
export const unprotect = <V extends string>(term: Term<V>): Term<V> =>
  interpretWith(unprotected<V>())(term)(make.variable)
