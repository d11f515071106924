import { exp } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import { positive } from "./DistError.ts"
import * as Gamma from "./Gamma.ts"
import type { Operations } from "./Operations.ts"
import { keepPositive } from "./Operations.ts"

/** IG(shape, scale) on (0, infinity): 1 / X is Gamma(shape, rate = scale). Paper Eq. ig-pdf. */
export interface InverseGamma {
  readonly _tag: "InverseGamma"
  readonly support: "positive"
  readonly shape: number
  readonly scale: number
}

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly shape: T
  readonly scale: T
}

export const make = (shape: number, scale: number): InverseGamma => ({
  _tag: "InverseGamma",
  support: "positive",
  shape: positive("InverseGamma", "shape", shape),
  scale: positive("InverseGamma", "scale", scale),
})

/** shape log scale - log Gamma(shape) - (shape + 1) log x - scale / x, x > 0. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { add, div, mul, sub } = A.binary
    const normalizer = sub(mul(p.shape, A.unary.log(p.scale)), A.lgamma(p.shape))
    return sub(normalizer, add(mul(add(p.shape, A.literal(1)), A.unary.log(x)), div(p.scale, x)))
  }

/** E[log X] = log scale - digamma(shape). */
export const expectedLog =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.sub(A.unary.log(p.scale), A.digamma(p.shape))

/** shape + log scale + log Gamma(shape) - (1 + shape) digamma(shape). */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const slope = mul(add(A.literal(1), p.shape), A.digamma(p.shape))
    return add(add(p.shape, A.unary.log(p.scale)), sub(A.lgamma(p.shape), slope))
  }

/** The divergence between the Gamma distributions of 1 / X. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    Gamma.kl(A)({ shape: q.shape, rate: q.scale }, { shape: p.shape, rate: p.scale })

const lift = (dist: InverseGamma): Parameters<Nd.Nd> => ({
  shape: Nd.scalar(dist.shape),
  scale: Nd.scalar(dist.scale),
})

export const operations = (dist: InverseGamma): Operations => {
  const { scale, shape } = dist
  return {
    size: 1,
    logDensity: ([x = Number.NaN]) =>
      x > 0 && x < Infinity ? Nd.toNumber(logDensity(Nd.algebra)(Nd.scalar(x), lift(dist))) : -Infinity,
    entropy: () => Nd.toNumber(entropy(Nd.algebra)(lift(dist))),
    mean: () => [shape > 1 ? scale / (shape - 1) : Infinity],
    variance: () => [shape > 2 ? (scale / (shape - 1)) ** 2 / (shape - 2) : Infinity],
    draw: (source, out, offset) => {
      out[offset] = keepPositive(scale * exp(-source.logGamma(shape)))
    },
  }
}

export const divergence = (q: InverseGamma, p: InverseGamma): number =>
  Nd.toNumber(kl(Nd.algebra)(lift(q), lift(p)))
