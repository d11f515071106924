import { key } from "../term/Compare.ts"
import { fold, type Term } from "../term/TermF.ts"
import { normalise } from "./Normalise.ts"
import { write } from "./Write.ts"

/** The signs of the variables of a term that is arranged. */
export interface ArrangeOptions {
  /** The variables that are positive wherever the term is used, such as the positive columns of data; none by default. */
  readonly positive?: (variable: string) => boolean
}

const hasNumbers: (term: Term) => boolean = fold((layer) => {
  switch (layer._tag) {
    case "Constant":
      return Number.isFinite(layer.value)
    case "Variable":
      return true
    case "Unary":
      return layer.argument
    case "Binary":
      return layer.left && layer.right
    case "Application":
      return layer.operands.every((operand) => operand)
  }
})

/** The most rewritings. A rewritten formula may have factors that combine once more, as those of sqrt(x*y)/sqrt(x) do. */
const passes = 6

/**
 * A formula as a physicist writes it. Products stand before quotients, with one fraction bar; like factors are together;
 * in a product numbers are first, then named constants, variables in alphabetical order, functions and sums; in a sum the
 * highest degree is first, and a number last. Powers are powers: x^1.5, sqrt(x), 1/x, exp(-x).
 *
 * The value is the same up to rounding wherever the term and all of its sub-terms are finite; the result may be defined on
 * more: x/x is 1, and sqrt(x)^2 is x. Arranging again changes nothing. A term whose numbers overflow when they are
 * multiplied out is returned as it is.
 *
 * *When to use*: before a law is read by people; `simplify` before it is computed with, since no digit changes there.
 *
 * @example
 * arrange(hbar/(E/c)) // c*hbar/E
 */
export const arrange = (term: Term, { positive = () => false }: ArrangeOptions = {}): Term => {
  let found = term
  let before = key(term)
  for (let pass = 0; pass < passes; pass++) {
    const next = write(normalise(found, positive))
    if (!hasNumbers(next)) return found
    const after = key(next)
    if (after === before) return next
    found = next
    before = after
  }
  return found
}
