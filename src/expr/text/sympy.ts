import * as Term from "../Term.ts"
import { numberText } from "./infix.ts"
import { print, type Dialect } from "./printer.ts"

/**
 * Names that need no quoting: x, q1, t_0. SymPy's namespace holds a thousand others (E, I, N, beta, gamma, hn1, lambda,
 * test, ...) and grows, so every name of another shape is spelled out as a symbol.
 */
const plainName = /^[a-z](?:_?\d+)?$/

/** A Python string literal: JSON's escapes are Python's, the quotes differ. */
const pythonString = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const functions: { readonly [name: string]: string } = { abs: "Abs", min: "Min", max: "Max", pow: "Pow" }

const dialect: Dialect = {
  power: "**",
  number: (value) => numberText(value),
  variable: (name) => (plainName.test(name) ? name : `Symbol(${pythonString(name)})`),
  call: (operation, ...operands) =>
    operation === "guard"
      ? `Piecewise((Max(${operands[0]}, 1e-6), ${operands[0]} >= 0), (Min(${operands[0]}, -1e-6), True))`
      : `${functions[operation] ?? operation}(${operands.join(", ")})`,
}

/**
 * A term as text for SymPy's `sympify` (and for `eval` under `from sympy import *`), which gives an expression of the
 * same value. Protected operations are written out: `psqrt(x)` is `sqrt(Abs(x) + 1e-12)`.
 * Names that SymPy could take for its own become `Symbol('beta')`.
 *
 * SymPy compares real numbers only: `Max`, `Min` and the guard of something that is not real, as sqrt(-1), raise there
 * where this library has NaN.
 *
 * @example
 * sympy(Term.mul(Term.variable("beta"), Term.square(Term.variable("x")))) // Symbol('beta')*x**2
 */
export const sympy = (term: Term.Term): string => sympyWriter()(term)

/** `sympy` for many terms: subterms that they share as objects are printed once. */
export const sympyWriter = (): ((term: Term.Term) => string) => {
  const expand = Term.foldShared(Term.expanding)
  const text = print(dialect)
  return (term) => text(expand(term))
}
