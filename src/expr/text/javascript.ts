import type * as Term from "../Term.ts"
import { numberText } from "./infix.ts"
import { lookup, programWriter, type Language } from "./program.ts"

const reserved = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static " +
    "super switch this throw true try typeof var void while with yield arguments eval Math data"
  ).split(" "),
)

const javaScript: Language = {
  power: "**",
  signedPower: "bracketed",
  number: (value) => (numberText(value) === "pi" ? "Math.PI" : numberText(value)),
  variable: (name) =>
    /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) && !reserved.has(name) ? name : lookup(name),
  call: (operation, ...operands) =>
    operation === "guard"
      ? `(${operands[0]} >= 0 ? Math.max(${operands[0]}, 1e-6) : Math.min(${operands[0]}, -1e-6))`
      : `Math.${operation}(${operands.join(", ")})`,
}

/**
 * A term as an expression of JavaScript. A name that is no identifier, is a reserved word, or is `Math` or `data`, is looked up
 * in an object `data`: `data["mass (kg)"]`.
 *
 * @example
 * javascript(Term.sqrt(Term.div(Term.variable("l"), Term.variable("g")))) // Math.sqrt(l/g)
 */
export const javascript = (term: Term.Term): string => javascriptWriter()(term)

/** `javascript` for many terms: subterms that they share as objects are printed once. */
export const javascriptWriter = (): ((term: Term.Term) => string) => programWriter(javaScript)
