import { exp } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import * as Real from "../../numeric/Real.ts"
import { evaluate, make } from "./Definition.ts"
import { finite, positive } from "./DistError.ts"
import { keepPositive } from "./keepPositive.ts"
import * as Normal from "./Normal.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly location: T
  readonly scale: T
}

const ofLog = <T>(p: Parameters<T>): Normal.Parameters<T> => ({ mean: p.location, sd: p.scale })

/** log N(log x; location, scale^2) - log x, x > 0. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const logX = A.unary.log(x)
    return A.binary.sub(Normal.logDensity(A)(logX, ofLog(p)), logX)
  }

/** location + log scale + (1 + log(2 pi)) / 2. */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.add(p.location, Normal.entropy(A)(ofLog(p)))

/** The divergence between the distributions of log X: it does not change under the exponential. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    Normal.kl(A)(ofLog(q), ofLog(p))

type Known = { readonly location: number; readonly scale: number }

const meanOf = ({ location, scale }: Known): number => Real.exp(location + (scale * scale) / 2)

/** exp(N(location, scale^2)) on (0, infinity): `location` and `scale` are those of log X. */
export const of = make<"positive", Known>({
  name: "LogNormal",
  support: "positive",
  parameters: { location: finite, scale: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  draw: ({ location, scale }, source) => keepPositive(exp(location + scale * source.normal())),
  mean: meanOf,
  variance: (p) => meanOf(p) * meanOf(p) * Real.expm1(p.scale * p.scale),
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const one = p.constant(
      ({ location, scale }) =>
        0.5 * Real.log(2 * Math.PI) + Real.log(scale) + 0.5 * (1 / scale ** 2) * location ** 2,
    )
    const log = p.constant(({ location, scale }) => 1 - (1 / scale ** 2) * location)
    const log2 = p.constant(({ scale }) => 0.5 * (1 / scale ** 2))
    if (one === undefined || log === undefined || log2 === undefined) return undefined
    if (q.log === undefined || q.logSquare === undefined) return undefined
    return [A.binary.mul(log, q.log), A.binary.mul(log2, q.logSquare)].reduce(A.binary.add, one)
  },
  kl: (A, q, p) => kl(A)(q, p),
  derivatives: (x, { location, scale }) => {
    const z = (Real.log(x) - location) / scale ** 2
    return { slope: -(1 + z) / x, curvature: (1 + z - 1 / scale ** 2) / x ** 2 }
  },
  logMoments: ({ location, scale }) => ({ mean: location, variance: scale * scale }),
})
