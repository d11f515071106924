import type { ScalarAlgebra } from "../../numeric/Algebra.ts"
import { fold, type BinaryOperation, type Term, type UnaryOperation } from "./TermF.ts"
import { pow } from "../../numeric/Power.ts"
import * as Real from "../../numeric/Real.ts"

/** A scalar algebra that also knows the protected operations: one function for each operation of a term. */
export interface TermAlgebra<T> {
  readonly literal: (value: number) => T
  readonly unary: { readonly [O in UnaryOperation]: (x: T) => T }
  readonly binary: { readonly [O in BinaryOperation]: (x: T, y: T) => T }
}

/**
 * Adds the protected operations to any scalar algebra. This is their definition: the constants are the paper's, and
 * every engine gets them from here.
 */
export const protect = <T>(A: ScalarAlgebra<T>): TermAlgebra<T> => {
  const { literal, unary, binary } = A
  return {
    literal,
    unary: {
      ...unary,
      psqrt: (x) => unary.sqrt(binary.add(unary.abs(x), literal(1e-12))),
      plog: (x) => unary.log(binary.max(unary.abs(x), literal(1e-6))),
      pexp: (x) => unary.exp(binary.min(binary.max(x, literal(-20)), literal(20))),
      pinv: (x) => binary.div(literal(1), unary.guard(x)),
    },
    binary: { ...binary, pdiv: (x, y) => binary.div(x, unary.guard(y)) },
  }
}

/** Runs a term over an algebra that knows all of its operations. */
export const interpretWith =
  <T>(A: TermAlgebra<T>) =>
  <V extends string>(term: Term<V>): ((environment: (name: V) => T) => T) =>
    fold<(environment: (name: V) => T) => T, V>((layer) => {
      switch (layer._tag) {
        case "Constant": {
          const { value } = layer
          return () => A.literal(value)
        }
        case "Variable": {
          const { name } = layer
          return (environment) => environment(name)
        }
        case "Unary": {
          const { argument } = layer
          const apply = A.unary[layer.operation]
          return (environment) => apply(argument(environment))
        }
        case "Binary": {
          const { left, right } = layer
          const apply = A.binary[layer.operation]
          return (environment) => apply(left(environment), right(environment))
        }
        case "Application": {
          const [first, second = first] = layer.operands
          if (first === undefined || second === undefined) throw new Error(`${layer.name} has no operand`)
          const meaning = interpretWith(A)(layer.meaning)
          return (environment) => {
            const x = first(environment)
            const y = second === first ? x : second(environment)
            return meaning((name) => (name === "x" ? x : y))
          }
        }
      }
    })(term)

/**
 * A term as a program over any scalar algebra: numbers, dual numbers, tensors, other terms. The result may be run
 * many times; the term is walked once.
 *
 * @param A the primitives; the protected operations are derived from them
 * @returns a function of the term, then of the environment that gives each variable its value
 *
 * @example
 * interpret(arithmetic)(Term.add(Term.variable("x"), 1))(() => 2) // 3
 */
export const interpret = <T>(
  A: ScalarAlgebra<T>,
): (<V extends string>(term: Term<V>) => (environment: (name: V) => T) => T) => interpretWith(protect(A))

/** The primitives on float64 numbers: the meaning that every other engine is tested against. */
export const arithmetic: ScalarAlgebra<number> = {
  literal: (value) => value,
  unary: {
    neg: (x) => -x,
    square: (x) => x * x,
    sqrt: Math.sqrt,
    abs: Math.abs,
    sign: Math.sign,
    exp: Real.exp,
    log: Real.log,
    sin: Real.sin,
    cos: Real.cos,
    tan: Real.tan,
    tanh: Real.tanh,
    asin: Real.asin,
    acos: Real.acos,
    atan: Real.atan,
    guard: (x) => (x >= 0 ? Math.max(x, 1e-6) : Math.min(x, -1e-6)),
  },
  binary: {
    add: (x, y) => x + y,
    sub: (x, y) => x - y,
    mul: (x, y) => x * y,
    div: (x, y) => x / y,
    pow,
    min: (x, y) => Math.min(x, y),
    max: (x, y) => Math.max(x, y),
  },
}
