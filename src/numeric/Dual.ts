import type { Algebra, ScalarAlgebra } from "./Algebra.ts"

/** A value with its derivative. A slope of `undefined` is identically 0: parts without the variable cost nothing. */
export interface Dual<T> {
  readonly value: T
  readonly slope: T | undefined
}

/** The chain rule, from f and (u, f(u), u') -> f(u)'. */
const chain =
  <T>(f: (u: T) => T, rule: (u: T, fu: T, du: T) => T | undefined) =>
  ({ value, slope }: Dual<T>): Dual<T> => {
    const result = f(value)
    return { value: result, slope: slope === undefined ? undefined : rule(value, result, slope) }
  }

/**
 * Forward-mode differentiation over any scalar algebra: numbers give the derivative's value at a point, terms give it
 * as a term.
 *
 * Where a derivative does not exist: abs'(0) = 0 and sign' = 0 everywhere; max and min pass to the selected argument,
 * to the left one on a tie; guard passes where |u| >= 1e-6, and is flat inside. These are tfjs's conventions, but for
 * abs'(0), which is -1 there. d/db a^b = a^b log(a), so a base <= 0 under a varying exponent gives a non-finite value.
 */
export const dual = <T>({ literal, unary, binary }: ScalarAlgebra<T>): ScalarAlgebra<Dual<T>> => {
  const { add, sub, mul, div, pow } = binary
  const { neg, square, sqrt, abs, sign } = unary
  const one = literal(1)
  const two = literal(2)

  const sum = (first: T | undefined, second: T | undefined): T | undefined =>
    first === undefined ? second : second === undefined ? first : add(first, second)

  const scale = (factor: () => T, slope: T | undefined): T | undefined =>
    slope === undefined ? undefined : mul(factor(), slope)

  /** 1 where u >= 0, else 0 */
  const step = (u: T): T => binary.min(add(sign(u), one), one)

  const select =
    (operation: "max" | "min") =>
    (a: Dual<T>, b: Dual<T>): Dual<T> => {
      const left = () => step(operation === "max" ? sub(a.value, b.value) : sub(b.value, a.value))
      return {
        value: binary[operation](a.value, b.value),
        slope: sum(
          scale(left, a.slope),
          scale(() => sub(one, left()), b.slope),
        ),
      }
    }

  return {
    literal: (value) => ({ value: literal(value), slope: undefined }),
    unary: {
      neg: chain(neg, (_u, _f, du) => neg(du)),
      square: chain(square, (u, _f, du) => mul(mul(two, u), du)),
      sqrt: chain(sqrt, (_u, f, du) => div(du, mul(two, f))),
      abs: chain(abs, (u, _f, du) => mul(sign(u), du)),
      sign: chain(sign, () => undefined),
      exp: chain(unary.exp, (_u, f, du) => mul(f, du)),
      log: chain(unary.log, (u, _f, du) => div(du, u)),
      sin: chain(unary.sin, (u, _f, du) => mul(unary.cos(u), du)),
      cos: chain(unary.cos, (u, _f, du) => neg(mul(unary.sin(u), du))),
      tan: chain(unary.tan, (u, _f, du) => div(du, square(unary.cos(u)))),
      tanh: chain(unary.tanh, (_u, f, du) => mul(sub(one, square(f)), du)),
      asin: chain(unary.asin, (u, _f, du) => div(du, sqrt(sub(one, square(u))))),
      acos: chain(unary.acos, (u, _f, du) => neg(div(du, sqrt(sub(one, square(u)))))),
      atan: chain(unary.atan, (u, _f, du) => div(du, add(square(u), one))),
      guard: chain(unary.guard, (u, _f, du) => mul(step(sub(abs(u), literal(1e-6))), du)),
    },
    binary: {
      add: (a, b) => ({ value: add(a.value, b.value), slope: sum(a.slope, b.slope) }),
      sub: (a, b) => ({
        value: sub(a.value, b.value),
        slope: sum(a.slope, b.slope === undefined ? undefined : neg(b.slope)),
      }),
      mul: (a, b) => ({
        value: mul(a.value, b.value),
        slope: sum(
          scale(() => b.value, a.slope),
          scale(() => a.value, b.slope),
        ),
      }),
      div: (a, b) => ({
        value: div(a.value, b.value),
        slope: sum(
          a.slope === undefined ? undefined : div(a.slope, b.value),
          scale(() => neg(div(a.value, square(b.value))), b.slope),
        ),
      }),
      pow: (a, b) => {
        const value = pow(a.value, b.value)
        return {
          value,
          slope: sum(
            scale(() => mul(b.value, pow(a.value, sub(b.value, one))), a.slope),
            scale(() => mul(value, unary.log(a.value)), b.slope),
          ),
        }
      },
      min: select("min"),
      max: select("max"),
    },
  }
}

/**
 * The same over the whole algebra of densities, elementwise: run on it, a density gives its derivative by one number, and
 * over duals of duals its second derivative.
 *
 * @param trigamma the derivative of `A.digamma`
 */
export const elementwise = <T>(A: Algebra<T>, trigamma: (x: T) => T): Algebra<Dual<T>> => {
  const scalar = dual(A)
  const { mul, sub } = A.binary
  const one = A.literal(1)
  /** A slope with the shape of its value: that of the number itself has none. */
  const shaped = (value: T, slope: T): T => mul(slope, A.unary.sign(A.binary.add(A.unary.square(value), one)))
  const linear = (f: (u: T) => T) => chain<T>(f, (u, _f, du) => f(shaped(u, du)))
  const logSoftmaxLast = chain<T>(A.logSoftmaxLast, (u, f, du) =>
    sub(du, A.expandLast(A.sumLast(mul(A.unary.exp(f), shaped(u, du))))),
  )
  return {
    ...scalar,
    array: (values, shape) => ({ value: A.array(values, shape), slope: undefined }),
    softplus: chain(A.softplus, (u, _f, du) => mul(A.sigmoid(u), du)),
    clamp: (x, low, high) =>
      scalar.binary.min(scalar.binary.max(x, scalar.literal(low)), scalar.literal(high)),
    sigmoid: chain(A.sigmoid, (_u, f, du) => mul(mul(f, sub(one, f)), du)),
    lgamma: chain(A.lgamma, (u, _f, du) => mul(A.digamma(u), du)),
    digamma: chain(A.digamma, (u, _f, du) => mul(trigamma(u), du)),
    stopGradient: ({ value }) => ({ value: A.stopGradient(value), slope: undefined }),
    sumLast: linear(A.sumLast),
    sumAll: linear(A.sumAll),
    expandLast: linear(A.expandLast),
    softmaxLast: (x) => scalar.unary.exp(logSoftmaxLast(x)),
    logSoftmaxLast,
  }
}
