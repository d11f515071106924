import * as Term from "../Term.ts"

/** The parts of a language outside the shared grammar of sums, products and powers. */
export interface Dialect {
  readonly power: "^" | "**"
  /** How -x^2 is written: bare by default, or -(x**2) where the language refuses the former. */
  readonly signedPower?: "bare" | "bracketed"
  readonly number: (value: number) => string
  readonly variable: (name: string) => string
  /** An operation without an infix sign, and `pow` where the sign would read as `square`. */
  readonly call: (
    operation: Term.UnaryOperation | Term.BinaryOperation,
    ...operands: ReadonlyArray<string>
  ) => string
}

// How tightly a text binds. Unary minus binds as a sum does: -x*y is -(x*y) and -x^2 is -(x^2), as in print.
const sum = 1
const product = 2
const power = 3
const atom = 4

interface Printed {
  readonly text: string
  readonly binds: number
  /** The text begins with a minus sign, which may stand only at the left end of a sum. */
  readonly minus: boolean
  /** The text begins with a number that a minus sign in front would make negative: -(2*x) is not -2*x. */
  readonly number: boolean
  /** The text is the number 2. */
  readonly two: boolean
  /** The text begins with a power, which takes no minus sign in front in some languages. */
  readonly raised: boolean
}

const printed = (text: string, binds: number, first?: Printed): Printed => ({
  text,
  binds,
  minus: first?.minus ?? text.startsWith("-"),
  number: first?.number ?? false,
  two: false,
  raised: first?.raised ?? false,
})

const bracket = (operand: Printed): Printed => printed(`(${operand.text})`, atom)

const atLeast = (binds: number, operand: Printed): Printed =>
  operand.binds < binds ? bracket(operand) : operand

/** An operand with something to its left. */
const inside = (binds: number, operand: Printed): string =>
  operand.minus ? bracket(operand).text : atLeast(binds, operand).text

const algebra =
  (dialect: Dialect) =>
  (layer: Term.TermF<Printed>): Printed => {
    switch (layer._tag) {
      case "Constant": {
        const text = dialect.number(layer.value)
        const minus = text.startsWith("-")
        // A number by name takes a minus sign as a variable does: -pi is the negative of pi.
        const number = /^[\d.]/.test(text)
        return { text, binds: minus ? product : atom, minus, number, two: layer.value === 2, raised: false }
      }
      case "Variable":
        return printed(dialect.variable(layer.name), atom)
      case "Unary": {
        const { operation, argument } = layer
        if (operation === "neg") {
          const refused = argument.raised && dialect.signedPower === "bracketed"
          const operand = argument.number || refused ? bracket(argument).text : inside(product, argument)
          return printed(`-${operand}`, sum)
        }
        if (operation === "square")
          return { ...printed(`${base(argument)}${dialect.power}2`, power), raised: true }
        return printed(dialect.call(operation, argument.text), atom)
      }
      case "Binary": {
        const { operation, left, right } = layer
        switch (operation) {
          case "add":
          case "sub": {
            const first = atLeast(sum, left)
            return printed(
              `${first.text} ${operation === "add" ? "+" : "-"} ${inside(product, right)}`,
              sum,
              first,
            )
          }
          case "mul":
          case "div": {
            const first = atLeast(product, left)
            return printed(
              `${first.text}${operation === "mul" ? "*" : "/"}${inside(power, right)}`,
              product,
              first,
            )
          }
          case "pow":
            return right.two
              ? printed(dialect.call("pow", left.text, right.text), atom)
              : { ...printed(`${base(left)}${dialect.power}${inside(power, right)}`, power), raised: true }
          default:
            return printed(dialect.call(operation, left.text, right.text), atom)
        }
      }
      case "Application":
        return printed(
          `${dialect.variable(layer.name)}(${layer.operands.map(({ text }) => text).join(", ")})`,
          atom,
        )
    }
  }

const base = (operand: Printed): string => inside(atom, operand)

/**
 * Prints terms in a dialect of infix notation, with no more brackets than their structure needs. Subterms
 * that the terms share as objects are printed once.
 */
export const print = (dialect: Dialect): ((term: Term.Term) => string) => {
  const printed = Term.foldShared(algebra(dialect))
  return (term) => printed(term).text
}
