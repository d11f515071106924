import type { Algebra } from "../../numeric/Algebra.ts"
import * as Special from "../../numeric/Special.ts"
import * as Real from "../../numeric/Real.ts"
import { evaluate, make } from "./Definition.ts"
import { positive } from "./DistError.ts"
import { keepPositive } from "./keepPositive.ts"
import * as Normal from "./Normal.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly sd: T
}

const centred = <T>(A: Algebra<T>, p: Parameters<T>): Normal.Parameters<T> => ({
  mean: A.literal(0),
  sd: p.sd,
})

/** log 2 + log N(x; 0, sd^2), x > 0. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T =>
    A.binary.add(A.literal(Math.LN2), Normal.logDensity(A)(x, centred(A, p)))

/** The entropy of the normal less log 2. */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.sub(Normal.entropy(A)(centred(A, p)), A.literal(Math.LN2))

/** The divergence of the centred normals: the sign, an independent coin in both, adds nothing. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    Normal.kl(A)(centred(A, q), centred(A, p))

type Known = { readonly sd: number }

/** |N(0, sd^2)| on (0, infinity): `sd` is that of the normal distribution. */
export const of = make<"positive", Known>({
  name: "HalfNormal",
  support: "positive",
  parameters: { sd: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  draw: ({ sd }, source) => keepPositive(sd * Math.abs(source.normal())),
  mean: ({ sd }) => sd * Math.sqrt(2 / Math.PI),
  variance: ({ sd }) => sd * sd * (1 - 2 / Math.PI),
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const one = p.constant(({ sd }) => Real.log(sd) - 0.5 * Real.log(2 / Math.PI))
    const square = p.constant(({ sd }) => 1 / (2 * sd ** 2))
    if (one === undefined || square === undefined || q.square === undefined) return undefined
    return A.binary.add(one, A.binary.mul(square, q.square))
  },
  kl: (A, q, p) => kl(A)(q, p),
  derivatives: (x, { sd }) => ({ slope: -x / sd ** 2, curvature: -1 / sd ** 2 }),
  // x^2 / sd^2 is Gamma(1/2, 1/2).
  logMoments: ({ sd }) => ({
    mean: Real.log(sd) + (Special.digamma(0.5) + Math.LN2) / 2,
    variance: Special.trigamma(0.5) / 4,
  }),
})
