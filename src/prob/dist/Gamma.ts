import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import { positive } from "./DistError.ts"
import type { Operations } from "./Operations.ts"
import { keepPositive } from "./Operations.ts"

/** Gamma(shape, rate) on (0, infinity), with mean shape / rate. */
export interface Gamma {
  readonly _tag: "Gamma"
  readonly support: "positive"
  readonly shape: number
  readonly rate: number
}

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly shape: T
  readonly rate: T
}

export const make = (shape: number, rate: number): Gamma => ({
  _tag: "Gamma",
  support: "positive",
  shape: positive("Gamma", "shape", shape),
  rate: positive("Gamma", "rate", rate),
})

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

const lift = (dist: Gamma): Parameters<Nd.Nd> => ({
  shape: Nd.scalar(dist.shape),
  rate: Nd.scalar(dist.rate),
})

export const operations = (dist: Gamma): Operations => ({
  size: 1,
  logDensity: ([x = Number.NaN]) =>
    x > 0 && x < Infinity ? Nd.toNumber(logDensity(Nd.algebra)(Nd.scalar(x), lift(dist))) : -Infinity,
  entropy: () => Nd.toNumber(entropy(Nd.algebra)(lift(dist))),
  mean: () => [dist.shape / dist.rate],
  variance: () => [dist.shape / dist.rate / dist.rate],
  draw: (source, out, offset) => {
    out[offset] = keepPositive(source.gamma(dist.shape) / dist.rate)
  },
})

export const divergence = (q: Gamma, p: Gamma): number => Nd.toNumber(kl(Nd.algebra)(lift(q), lift(p)))
