import * as Term from "../Term.ts"

const whole = (term: Term.Term, exponent: number): Term.Term => {
  if (exponent === 1) return term
  if (exponent === 0.5) return Term.sqrt(term)
  if (exponent % 2 === 0) return Term.square(whole(term, exponent / 2))
  return Term.mul(Term.square(whole(term, (exponent - 1) / 2)), term)
}

/** The largest whole exponent that is written as squares and products. */
const largest = 12

/**
 * A formula in the operators of the usual grammar: whole powers are squares and products, other powers exponentials of logarithms, and
 * signs are part of numbers.
 */
export const inBasicOperators: (term: Term.Term) => Term.Term = Term.fold<Term.Term>((layer) => {
  if (layer._tag === "Binary" && layer.operation === "pow") {
    const { left, right } = layer
    if (right._tag === "Constant") {
      const size = Math.abs(right.value)
      if (size === 0.5 || (Number.isInteger(size) && size > 0 && size <= largest)) {
        const power = whole(left, size)
        return right.value > 0 ? power : Term.div(1, power)
      }
    }
    return Term.exp(Term.mul(right, Term.log(left)))
  }
  if (layer._tag === "Unary" && layer.operation === "exp") {
    const { argument } = layer
    if (argument._tag === "Binary" && argument.operation === "mul" && isMinusOne(argument.left))
      return Term.div(1, Term.exp(argument.right))
  }
  if (layer._tag === "Unary" && layer.operation === "neg") return negative(layer.argument)
  return layer
})

const isMinusOne = (term: Term.Term): boolean => term._tag === "Constant" && term.value === -1

/** A term times -1: of the first number of a product, if it has one. */
const negative = (term: Term.Term): Term.Term => {
  if (term._tag === "Constant") return Term.constant(-term.value)
  if (term._tag === "Binary" && (term.operation === "mul" || term.operation === "div")) {
    const { left, right } = term
    if (hasNumber(left)) return { ...term, left: negative(left) }
    if (term.operation === "mul" && hasNumber(right)) return { ...term, right: negative(right) }
  }
  return Term.mul(-1, term)
}

const hasNumber = (term: Term.Term): boolean =>
  term._tag === "Constant" ||
  (term._tag === "Binary" &&
    ((term.operation === "mul" && (hasNumber(term.left) || hasNumber(term.right))) ||
      (term.operation === "div" && hasNumber(term.left))))
