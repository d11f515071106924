import type { ScalarAlgebra } from "../../src/numeric/Algebra.ts"
import * as Term from "../../src/expr/Term.ts"

/** A float64 value with a bound of its rounding error, by first-order running error analysis (Higham 2002, section 3.3). */
export interface Bounded {
  readonly value: number
  /** infinite where a rounding error may move an argument out of the domain of an operation */
  readonly error: number
}

const unit = 2 ** -52
const smallest = 1e-300

const bounded = (value: number, error: number): Bounded => ({
  value,
  error: Number.isFinite(value)
    ? error + unit * Math.abs(value) + (error > 0 || value !== 0 ? smallest : 0)
    : NaN,
})

/** The bound where the argument is further from the edge of the domain than its error, or is exact. */
const beyond = (distance: number, error: number, bound: number): number =>
  error === 0 ? (distance === 0 ? 0 : bound) : distance <= 2 * error ? Infinity : bound

const { unary, binary } = Term.arithmetic
const smooth =
  (f: (x: number) => number, slope: (x: number, value: number) => number) =>
  ({ value: x, error }: Bounded): Bounded =>
    bounded(f(x), error === 0 ? 0 : error * slope(x, f(x)))
const edged =
  (f: (x: number) => number, distance: (x: number) => number, slope: (x: number, value: number) => number) =>
  ({ value: x, error }: Bounded): Bounded =>
    bounded(f(x), beyond(distance(x), error, error === 0 ? 0 : error * slope(x, f(x))))

/** Float64 arithmetic with error bounds. */
export const bounds: ScalarAlgebra<Bounded> = {
  literal: (value) => ({ value, error: 0 }),
  unary: {
    neg: ({ value, error }) => ({ value: -value, error }),
    square: smooth(unary.square, (x) => 2 * Math.abs(x)),
    sqrt: edged(
      unary.sqrt,
      (x) => x,
      (_x, v) => 1 / v,
    ),
    abs: ({ value, error }) => ({ value: Math.abs(value), error }),
    sign: edged(unary.sign, Math.abs, () => 0),
    exp: smooth(unary.exp, (_x, v) => v),
    log: edged(
      unary.log,
      (x) => x,
      (x) => 1 / x,
    ),
    sin: smooth(unary.sin, () => 1),
    cos: smooth(unary.cos, () => 1),
    tan: smooth(unary.tan, (_x, v) => 1 + v * v),
    tanh: smooth(unary.tanh, () => 1),
    asin: edged(
      unary.asin,
      (x) => 1 - Math.abs(x),
      (x) => 1 / Math.sqrt(1 - x * x),
    ),
    acos: edged(
      unary.acos,
      (x) => 1 - Math.abs(x),
      (x) => 1 / Math.sqrt(1 - x * x),
    ),
    atan: smooth(unary.atan, () => 1),
    guard: edged(unary.guard, Math.abs, () => 1),
  },
  binary: {
    add: (a, b) => bounded(a.value + b.value, a.error + b.error),
    sub: (a, b) => bounded(a.value - b.value, a.error + b.error),
    mul: (a, b) => bounded(a.value * b.value, Math.abs(a.value) * b.error + Math.abs(b.value) * a.error),
    div: (a, b) => {
      const value = a.value / b.value
      const error = (a.error + Math.abs(value) * b.error) / Math.abs(b.value)
      return bounded(value, beyond(Math.abs(b.value), b.error, error))
    },
    pow: (a, b) => {
      const value = binary.pow(a.value, b.value)
      const error =
        a.error + b.error === 0
          ? 0
          : Math.abs(value) *
            (Math.abs(b.value / a.value) * a.error + Math.abs(Math.log(Math.abs(a.value))) * b.error)
      const edge = beyond(Math.abs(a.value), a.error, error)
      // A negative base may have a whole exponent only, and 0^0 is 1.
      return bounded(value, a.value <= 0 && b.error > 0 ? Infinity : edge)
    },
    min: (a, b) => ({ value: Math.min(a.value, b.value), error: Math.max(a.error, b.error) }),
    max: (a, b) => ({ value: Math.max(a.value, b.value), error: Math.max(a.error, b.error) }),
  },
}

/** Powers below this, or whose reciprocals are, may overflow or vanish in another form. */
const large = 1e150

/** The value of a term with its error bound; NaN where one of its sub-terms is not finite, or is too large or small. */
export const boundedValue = (term: Term.Term, at: (name: string) => number): Bounded => {
  const value = (node: Term.Term): number => Term.interpret(Term.arithmetic)(node)(at)
  const vanishes = (node: Term.Term): boolean =>
    (node._tag === "Unary" && node.operation === "exp") ||
    (node._tag === "Binary" && node.operation === "pow" && value(node.left) !== 0)
  const defined = (node: Term.Term): boolean => {
    const size = Math.abs(value(node))
    return (
      size <= large &&
      (size === 0 ? !vanishes(node) : size >= 1 / large) &&
      Term.children(node).every(defined)
    )
  }
  if (!defined(term)) return { value: NaN, error: NaN }
  return Term.interpret(bounds)(term)((name) => ({ value: at(name), error: 0 }))
}
