import type { Algebra } from "../../numeric/Algebra.ts"
import * as Special from "../../numeric/Special.ts"
import * as Real from "../../numeric/Real.ts"
import { evaluate, make } from "./Definition.ts"
import { positive } from "./DistError.ts"
import { keepPositive } from "./keepPositive.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly shape: T
  readonly rate: T
}

/** shape log rate - log Gamma(shape) + (shape - 1) log x - rate x, x > 0. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const normalizer = sub(mul(p.shape, A.unary.log(p.rate)), A.lgamma(p.shape))
    return add(normalizer, sub(mul(sub(p.shape, A.literal(1)), A.unary.log(x)), mul(p.rate, x)))
  }

/** shape - log rate + log Gamma(shape) + (1 - shape) digamma(shape). */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const slope = mul(sub(A.literal(1), p.shape), A.digamma(p.shape))
    return add(sub(p.shape, A.unary.log(p.rate)), add(A.lgamma(p.shape), slope))
  }

/** (a - a') digamma(a) - log Gamma(a) + log Gamma(a') + a' log(b / b') + a (b' - b) / b; a shapes, b rates, ' of p. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T => {
    const { add, div, mul, sub } = A.binary
    const shapes = sub(
      mul(sub(q.shape, p.shape), A.digamma(q.shape)),
      sub(A.lgamma(q.shape), A.lgamma(p.shape)),
    )
    const rates = add(
      mul(p.shape, A.unary.log(div(q.rate, p.rate))),
      mul(q.shape, div(sub(p.rate, q.rate), q.rate)),
    )
    return add(shapes, rates)
  }

type Known = { readonly shape: number; readonly rate: number }

/** Gamma(shape, rate) on (0, infinity), with mean shape / rate. */
export const of = make<"positive", Known>({
  name: "Gamma",
  support: "positive",
  parameters: { shape: positive, rate: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  draw: ({ shape, rate }, source) => keepPositive(source.gamma(shape) / rate),
  mean: ({ shape, rate }) => shape / rate,
  variance: ({ shape, rate }) => shape / rate / rate,
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const one = p.constant(({ shape, rate }) => Special.lgamma(shape) - shape * Real.log(rate))
    const log = p.constant(({ shape }) => 1 - shape)
    const x = p.constant(({ rate }) => rate)
    if (one === undefined || log === undefined || x === undefined || q.log === undefined) return undefined
    return [A.binary.mul(log, q.log), A.binary.mul(x, q.mean)].reduce(A.binary.add, one)
  },
  kl: (A, q, p) => kl(A)(q, p),
  derivatives: (x, { shape, rate }) => ({ slope: (shape - 1) / x - rate, curvature: (1 - shape) / x ** 2 }),
  logMoments: ({ shape, rate }) => ({
    mean: Special.digamma(shape) - Real.log(rate),
    variance: Special.trigamma(shape),
  }),
})
