import type * as Term from "../Term.ts"
import { numberText } from "./infix.ts"
import { lookup, programWriter, type Language } from "./program.ts"

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield np data"
  ).split(" "),
)

const functions: { readonly [O in Term.UnaryOperation | Term.BinaryOperation]?: string } = {
  asin: "arcsin",
  acos: "arccos",
  atan: "arctan",
  pow: "power",
  min: "minimum",
  max: "maximum",
}

const python: Language = {
  power: "**",
  number: (value) => (numberText(value) === "pi" ? "np.pi" : numberText(value)),
  variable: (name) =>
    /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(name) && name === name.normalize("NFKC") && !keywords.has(name)
      ? name
      : lookup(name),
  call: (operation, ...operands) =>
    operation === "guard"
      ? `np.where(${operands[0]} >= 0, np.maximum(${operands[0]}, 1e-6), np.minimum(${operands[0]}, -1e-6))`
      : `np.${functions[operation] ?? operation}(${operands.join(", ")})`,
}

/**
 * A term as an expression of Python with NumPy as `np`, whose variables are arrays of floats (or NumPy's float64: Python's
 * own numbers raise errors or become complex where this library has NaN). A name that is no identifier of Python, is one of its
 * keywords, or is `np` or `data`, is looked up in a mapping `data`, such as a data frame: `data["mass (kg)"]`.
 *
 * @example
 * numpy(Term.sqrt(Term.div(Term.variable("l"), Term.variable("g")))) // np.sqrt(l/g)
 */
export const numpy = (term: Term.Term): string => numpyWriter()(term)

/** `numpy` for many terms: subterms that they share as objects are printed once. */
export const numpyWriter = (): ((term: Term.Term) => string) => programWriter(python)
