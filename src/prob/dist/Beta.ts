import { exp } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import { evaluate, make } from "./Definition.ts"
import { positive } from "./DistError.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly a: T
  readonly b: T
}

/** log B(a, b) = log Gamma(a) + log Gamma(b) - log Gamma(a + b). */
export const logNormalizer =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.sub(A.binary.add(A.lgamma(p.a), A.lgamma(p.b)), A.lgamma(A.binary.add(p.a, p.b)))

/** (a - 1) s + (b - 1) t - log B(a, b), with s and t for log x and log(1 - x), or their expectations. */
const logDensityAt = <T>(A: Algebra<T>, s: T, t: T, p: Parameters<T>): T => {
  const { add, mul, sub } = A.binary
  const one = A.literal(1)
  return sub(add(mul(sub(p.a, one), s), mul(sub(p.b, one), t)), logNormalizer(A)(p))
}

/** (a - 1) log x + (b - 1) log(1 - x) - log B(a, b), 0 < x < 1. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T =>
    logDensityAt(A, A.unary.log(x), A.unary.log(A.binary.sub(A.literal(1), x)), p)

/** E[log X] = digamma(a) - digamma(a + b) and E[log(1 - X)] = digamma(b) - digamma(a + b). */
export const expectedLog =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): readonly [T, T] => {
    const total = A.digamma(A.binary.add(p.a, p.b))
    return [A.binary.sub(A.digamma(p.a), total), A.binary.sub(A.digamma(p.b), total)]
  }

/** -E_q[log p(X)]. */
export const crossEntropy =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    A.unary.neg(logDensityAt(A, ...expectedLog(A)(q), p))

/** log B(a, b) - (a - 1) E[log X] - (b - 1) E[log(1 - X)]. */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    crossEntropy(A)(p, p)

/** log(B(a', b') / B(a, b)) + (a - a') E_q[log X] + (b - b') E_q[log(1 - X)], ' of p. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const [s, t] = expectedLog(A)(q)
    const moved = add(mul(sub(q.a, p.a), s), mul(sub(q.b, p.b), t))
    return add(sub(logNormalizer(A)(p), logNormalizer(A)(q)), moved)
  }

type Known = { readonly a: number; readonly b: number }

/** Beta(a, b) on (0, 1), with mean a / (a + b). */
export const of = make<"unit", Known>({
  name: "Beta",
  support: "unit",
  parameters: { a: positive, b: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  // G_a / (G_a + G_b) of two Gamma draws, on the log scale, and kept inside of (0, 1).
  draw: ({ a, b }, source) => {
    const logRatio = source.logGamma(b) - source.logGamma(a)
    return Math.min(Math.max(1 / (1 + exp(logRatio)), Number.MIN_VALUE), 1 - 2 ** -53)
  },
  mean: ({ a, b }) => a / (a + b),
  variance: ({ a, b }) => (a / (a + b)) * (b / (a + b)) * (1 / (a + b + 1)),
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const a = p.constant((known) => known.a)
    const b = p.constant((known) => known.b)
    if (a === undefined || b === undefined || q.log === undefined || q.log1m === undefined) return undefined
    return A.unary.neg(logDensityAt(A, q.log, q.log1m, { a, b }))
  },
  kl: (A, q, p) => kl(A)(q, p),
})
