import { exp } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import * as Real from "../../numeric/Real.ts"
import { evaluate, make } from "./Definition.ts"
import { reject, vector } from "./DistError.ts"

/** Parameters as values of an algebra: `[..., m]`. */
export interface Parameters<T> {
  readonly concentration: T
}

/** log B(eta) = sum_k log Gamma(eta_k) - log Gamma(sum_k eta_k): `[..., m]` to `[...]`. */
export const logNormalizer =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.sub(A.sumLast(A.lgamma(p.concentration)), A.lgamma(A.sumLast(p.concentration)))

/** E[log w_k] = digamma(eta_k) - digamma(sum eta): `[..., m]` to `[..., m]`. Paper Eq. dir-logwk-beta-deriv. */
export const expectedLog =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.sub(A.digamma(p.concentration), A.digamma(A.expandLast(A.sumLast(p.concentration))))

const exponent = <T>(A: Algebra<T>, p: Parameters<T>): T => A.binary.sub(p.concentration, A.literal(1))

/** sum_k (eta_k - 1) log w_k - log B(eta), with respect to dw_1 ... dw_(m-1), for w > 0: `[..., m]` to `[...]`. */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T =>
    A.binary.sub(A.sumLast(A.binary.mul(exponent(A, p), A.unary.log(x))), logNormalizer(A)(p))

/** -E_q[log p(W)] = log B(eta) - sum_k (eta_k - 1) E_q[log w_k]. */
export const crossEntropy =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T =>
    A.binary.sub(logNormalizer(A)(p), A.sumLast(A.binary.mul(exponent(A, p), expectedLog(A)(q))))

/** log B(eta) - sum_k (eta_k - 1) (digamma(eta_k) - digamma(sum eta)). */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    crossEntropy(A)(p, p)

/** log(B(eta) / B(eta')) + sum_k (eta'_k - eta_k) (digamma(eta'_k) - digamma(sum eta')), paper Eq. kl-dirichlet. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T => {
    const { add, mul, sub } = A.binary
    const moved = A.sumLast(mul(sub(q.concentration, p.concentration), expectedLog(A)(q)))
    return add(sub(logNormalizer(A)(p), logNormalizer(A)(q)), moved)
  }

type Known = { readonly concentration: ReadonlyArray<number> }

const total = ({ concentration }: Known): number => concentration.reduce((sum, a) => sum + a, 0)

/** Dir(eta) on the simplex of m weights; `concentration` has m >= 1 positive elements. Paper Eq. dirichlet-pdf. */
export const of = make<"simplex", Known>({
  name: "Dirichlet",
  support: "simplex",
  parameters: {
    concentration: (distribution, parameter, values) =>
      vector(distribution, parameter, values, "finite numbers > 0", (a) => a > 0 && a < Infinity),
  },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  exactly: (x, { concentration }) => {
    // On the boundary the density is 0 or infinite, except along axes with exponent 0.
    if (x.some((w, k) => w === 0 && (concentration[k] ?? 1) > 1)) return -Infinity
    if (x.some((w, k) => w === 0 && (concentration[k] ?? 1) < 1)) return Infinity
    const within = x.map((w) => (w === 0 ? 1 : w))
    return Nd.toNumber(logDensity(Nd.algebra)(Nd.vector(within), { concentration: Nd.vector(concentration) }))
  },
  // Gamma draws divided by their sum, on the log scale: with small concentrations all of them may underflow.
  draw: ({ concentration }, source) => {
    const logs = Float64Array.from(concentration, (a) => source.logGamma(a))
    const top = logs.reduce((most, g) => Math.max(most, g), -Infinity)
    const weights = logs.map((g) => exp(g - top))
    const sum = weights.reduce((s, w) => s + w, 0)
    // Weights stay above 0, so that the log density of a draw is finite.
    return Array.from(weights, (w) => Math.max(w / sum, Number.MIN_VALUE))
  },
  mean: (p) => p.concentration.map((a) => a / total(p)),
  variance: (p) => p.concentration.map((a) => (a / total(p)) * (1 - a / total(p)) * (1 / (total(p) + 1))),
  entropy: (p) => evaluate<Known>(entropy, p),
  crossEntropy: (A, q, p) => {
    const concentration = p.constant((known) => known.concentration)
    if (concentration === undefined || q.log === undefined) return undefined
    const own = { concentration }
    return A.binary.sub(logNormalizer(A)(own), A.sumLast(A.binary.mul(exponent(A, own), q.log)))
  },
  kl: (A, q, p) => kl(A)(q, p),
})

/** Dir(eta, ..., eta) over `size` weights. */
export const symmetric = (size: number, concentration: number) =>
  Number.isSafeInteger(size) && size > 0
    ? of({ concentration: Array.from({ length: size }, () => concentration) })
    : reject("Dirichlet", "size", size, "an integer > 0")

/** Logarithms of the means of Dirichlet distributed weights. */
export const meanLog = (concentration: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = concentration.reduce((sum, value) => sum + value, 0)
  return concentration.map((value) => Real.log(value / total))
}
