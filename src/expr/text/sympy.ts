import type * as Term from "../Term.ts"
import { numberText } from "./infix.ts"
import { programWriter, type Language } from "./program.ts"
import { sympyNames } from "./sympyNames.ts"

/** Names that SymPy reads as symbols: identifiers that are neither its own nor Python's. */
const isPlain = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !sympyNames.has(name)

/** A Python string literal: JSON's escapes are Python's, the quotes differ. */
const pythonString = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const functions: { readonly [name: string]: string } = { abs: "Abs", min: "Min", max: "Max", pow: "Pow" }

const language: Language = {
  power: "**",
  number: (value) => numberText(value),
  variable: (name) => (isPlain(name) ? name : `Symbol(${pythonString(name)})`),
  call: (operation, ...operands) =>
    operation === "guard"
      ? `Piecewise((Max(${operands[0]}, 1e-6), ${operands[0]} >= 0), (Min(${operands[0]}, -1e-6), True))`
      : `${functions[operation] ?? operation}(${operands.join(", ")})`,
}

/**
 * A term as text for SymPy's `sympify`, which gives an expression of the same value. Protected operations are written out: `psqrt(x)` is `sqrt(Abs(x) + 1e-12)`.
 * Names are written as they are (`x`, `E_n`, `mass`) unless SymPy or Python has them for itself: `Symbol('beta')`.
 *
 * SymPy compares real numbers only: `Max`, `Min` and the guard of something that is not real, as sqrt(-1), raise there
 * where this library has NaN.
 *
 * @example
 * sympy(Term.mul(Term.variable("beta"), Term.square(Term.variable("x")))) // Symbol('beta')*x**2
 */
export const sympy = (term: Term.Term): string => sympyWriter()(term)

/** `sympy` for many terms: subterms that they share as objects are printed once. */
export const sympyWriter = (): ((term: Term.Term) => string) => programWriter(language)
