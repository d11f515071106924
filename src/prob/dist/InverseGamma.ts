import { exp } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import * as Special from "../../numeric/Special.ts"
import * as Real from "../../numeric/Real.ts"
import { evaluate, make } from "./Definition.ts"
import { positive } from "./DistError.ts"
import * as Gamma from "./Gamma.ts"
import { keepPositive } from "./keepPositive.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly shape: T
  readonly scale: T
}

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

type Known = { readonly shape: number; readonly scale: number }

/** IG(shape, scale) on (0, infinity): 1 / X is Gamma(shape, rate = scale). Paper Eq. ig-pdf. */
export const of = make<"positive", Known>({
  name: "InverseGamma",
  support: "positive",
  parameters: { shape: positive, scale: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  draw: ({ shape, scale }, source) => keepPositive(scale * exp(-source.logGamma(shape))),
  mean: ({ shape, scale }) => (shape > 1 ? scale / (shape - 1) : Infinity),
  variance: ({ shape, scale }) => (shape > 2 ? (scale / (shape - 1)) ** 2 / (shape - 2) : Infinity),
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const one = p.constant(({ shape, scale }) => Special.lgamma(shape) - shape * Real.log(scale))
    const log = p.constant(({ shape }) => shape + 1)
    const inverse = p.constant(({ scale }) => scale)
    if (one === undefined || log === undefined || inverse === undefined) return undefined
    if (q.log === undefined || q.inverse === undefined) return undefined
    return [A.binary.mul(log, q.log), A.binary.mul(inverse, q.inverse)].reduce(A.binary.add, one)
  },
  kl: (A, q, p) => kl(A)(q, p),
  derivatives: (x, { shape, scale }) => ({
    slope: scale / x ** 2 - (shape + 1) / x,
    curvature: (shape + 1) / x ** 2 - (2 * scale) / Real.pow(x, 3),
  }),
  logMoments: ({ shape, scale }) => ({
    mean: Real.log(scale) - Special.digamma(shape),
    variance: Special.trigamma(shape),
  }),
})
