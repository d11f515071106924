import type * as Term from "../Term.ts"
import { functions, numberName, numbers } from "./functions.ts"
import { print } from "./printer.ts"

const identifier = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u

/** From this magnitude on a number is written with an exponent where that is shorter: 6.67e20, and not 20 zeros. */
const many = 1e7

/**
 * The shortest text of a number that reads back as the same float64, or to some digits; `pi` where it is that.
 */
export const numberText = (value: number, precision?: number): string => {
  const rounded = precision === undefined ? value : Number(value.toPrecision(precision))
  const [plain, short] = [String(rounded), rounded.toExponential()].map((text) => text.replace("e+", "e"))
  return numberName(value) ?? (Math.abs(rounded) >= many && short!.length < plain!.length ? short! : plain!)
}

/** A name as it stands in a formula: in backticks (doubled inside) unless it is an identifier and no function or number. */
export const nameText = (name: string): string =>
  identifier.test(name) && !functions.has(name) && !numbers.has(name)
    ? name
    : `\`${name.replaceAll("`", "``")}\``

export interface InfixOptions {
  /** Significant digits of the constants, 1 to 100; without it they are exact. */
  readonly precision?: number
}

/**
 * A term in the notation of a pocket calculator, with no more brackets than needed: `2.5*x^2 - sin(omega*t)/m`.
 *
 * Without `precision` nothing is lost: `parse(infix(t))` is `t`, node for node, up to a depth of 1000. To that end
 * `x^2` is `square(x)`, and the general power with the exponent 2 is `pow(x, 2)`; `-2*x` holds the constant -2, and
 * the negative of 2*x is `-(2*x)`; `-x*y` is the negative of x*y; the constant pi is `pi`. Protected operations keep
 * their names: `psqrt(x)`, `pdiv(a, b)`.
 *
 * @example
 * infix(Term.div(Term.neg(Term.square(Term.variable("x"))), 2)) // (-x^2)/2
 */
export const infix = (term: Term.Term, options: InfixOptions = {}): string => infixWriter(options)(term)

/** `infix` for many terms: subterms that they share as objects are printed once. */
export const infixWriter = ({ precision }: InfixOptions = {}): ((term: Term.Term) => string) =>
  print({
    power: "^",
    number: (value) => numberText(value, precision),
    variable: nameText,
    call: (operation, ...operands) => `${operation}(${operands.join(", ")})`,
  })
