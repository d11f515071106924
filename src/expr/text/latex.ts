import * as Term from "../Term.ts"
import { numbers } from "./functions.ts"
import { numberText } from "./infix.ts"
import { latexName, operatorName } from "./latexName.ts"

export interface LatexOptions {
  /** Significant digits of the constants, 1 to 100; without it they are exact. */
  readonly precision?: number
  /** How a variable is set; `latexName` by default. */
  readonly variable?: (name: string) => string
}

const sum = 1
const product = 2
const power = 3
const atom = 4

interface Printed {
  readonly latex: string
  readonly binds: number
  /** Begins with a minus sign, which may stand only at the left end of a sum. */
  readonly minus: boolean
  /** Begins with a digit, which must not touch a factor in front. */
  readonly digit: boolean
  /** How its power is set where the exponent does not go to the end: sin^2(x). */
  readonly raised?: (exponent: string) => string
}

const printed = (latex: string, binds: number, first?: Printed): Printed => ({
  latex,
  binds,
  minus: first?.minus ?? latex.startsWith("-"),
  digit: first?.digit ?? /^\d/.test(latex),
})

const bracketed = (latex: string): string => `\\left(${latex}\\right)`
const bracket = (operand: Printed): Printed => printed(bracketed(operand.latex), atom)
const atLeast = (binds: number, operand: Printed): Printed =>
  operand.binds < binds ? bracket(operand) : operand
const inside = (binds: number, operand: Printed): Printed =>
  operand.minus ? bracket(operand) : atLeast(binds, operand)

const number = (text: string): Printed => {
  if (numbers.has(text)) return printed(`\\${text}`, atom)
  const [mantissa = "", exponent] = text.split("e")
  if (exponent === undefined) return printed(text, text.startsWith("-") ? product : atom)
  const factor = mantissa === "1" ? "" : mantissa === "-1" ? "-" : `${mantissa} \\cdot `
  return printed(`${factor}10^{${exponent}}`, product)
}

const functionNames: { readonly [O in Term.UnaryOperation]?: string } = {
  log: "\\log",
  sin: "\\sin",
  cos: "\\cos",
  tan: "\\tan",
  tanh: "\\tanh",
  asin: "\\arcsin",
  acos: "\\arccos",
  atan: "\\arctan",
}

const unary = (operation: Term.UnaryOperation, argument: Printed): Printed => {
  const { latex } = argument
  const name = functionNames[operation]
  if (name !== undefined) {
    return {
      ...printed(`${name}${bracketed(latex)}`, atom),
      raised: (exponent) => `${name}^{${exponent}}${bracketed(latex)}`,
    }
  }
  switch (operation) {
    case "neg":
      return printed(`-${inside(product, argument).latex}`, sum)
    case "square":
      return raise(argument, "2")
    case "sqrt":
      return printed(`\\sqrt{${latex}}`, atom)
    case "abs":
      return printed(`\\left|${latex}\\right|`, atom)
    case "exp":
      return printed(`e^{${latex}}`, power)
    default:
      return printed(`\\operatorname{${operation}}${bracketed(latex)}`, atom)
  }
}

const raise = (base: Printed, exponent: string): Printed =>
  printed(base.raised?.(exponent) ?? `${inside(atom, base).latex}^{${exponent}}`, power)

const beginsWithWord = /^\\(?:mathrm|text)\{/
const endsInWord = /\\(?:mathrm|text)\{[^{}]*\}(?:_\{[^{}]*\})?(?:\^\{[^{}]*\})?$/

const binary = (operation: Term.BinaryOperation, left: Printed, right: Printed): Printed => {
  switch (operation) {
    case "add":
    case "sub": {
      const first = atLeast(sum, left)
      return printed(
        `${first.latex} ${operation === "add" ? "+" : "-"} ${inside(product, right).latex}`,
        sum,
        first,
      )
    }
    case "mul": {
      const first = atLeast(product, left)
      const second = inside(power, right)
      // Upright words need a space between: "k mob T", not "kmobT".
      const words = endsInWord.test(first.latex) || beginsWithWord.test(second.latex)
      const sign = second.digit ? "\\cdot " : words ? "\\, " : ""
      return printed(`${first.latex} ${sign}${second.latex}`, product, first)
    }
    case "pow":
      return raise(left, right.latex)
    case "div": {
      // The minus sign of a product stands before the fraction.
      if (left.minus && left.binds >= product)
        return printed(`-\\frac{${left.latex.slice(1)}}{${right.latex}}`, product)
      const fraction = `\\frac{${left.latex}}{${right.latex}}`
      return { ...printed(fraction, power), digit: left.digit }
    }
    case "min":
    case "max":
      return printed(`\\${operation}${bracketed(`${left.latex}, ${right.latex}`)}`, atom)
    case "pdiv":
      return printed(`\\operatorname{pdiv}${bracketed(`${left.latex}, ${right.latex}`)}`, atom)
  }
}

/**
 * A term as LaTeX for math mode: fractions, roots, powers; products by juxtaposition, with a dot before a digit.
 * Protected operations keep their names. Variables are set by `latexName`: x0 as x_{0}, theta as \theta.
 *
 * @example
 * latex(Term.div(Term.square(Term.variable("q1")), Term.variable("epsilon"))) // \frac{q_{1}^{2}}{\epsilon}
 */
export const latex = (term: Term.Term, options: LatexOptions = {}): string => latexWriter(options)(term)

/** `latex` for many terms: subterms that they share as objects are set once. */
export const latexWriter = ({ precision, variable = latexName }: LatexOptions = {}): ((
  term: Term.Term,
) => string) => {
  const set = Term.foldShared<Printed>((layer) => {
    switch (layer._tag) {
      case "Constant":
        return number(numberText(layer.value, precision))
      case "Variable":
        return printed(variable(layer.name), atom)
      case "Unary":
        return unary(layer.operation, layer.argument)
      case "Binary":
        return binary(layer.operation, layer.left, layer.right)
      case "Application":
        return printed(
          `\\operatorname{${operatorName(layer.name)}}${bracketed(layer.operands.map(({ latex }) => latex).join(", "))}`,
          atom,
        )
    }
  })
  return (term) => set(term).latex
}
