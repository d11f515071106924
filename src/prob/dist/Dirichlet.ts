import { exp } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import { isSimplex, reject, vector } from "./DistError.ts"
import type { Operations } from "./Operations.ts"

/** Dir(eta) on the simplex of m weights; `concentration` has m >= 1 positive elements. Paper Eq. dirichlet-pdf. */
export interface Dirichlet {
  readonly _tag: "Dirichlet"
  readonly support: "simplex"
  readonly concentration: ReadonlyArray<number>
}

/** Parameters as values of an algebra: `[..., m]`. */
export interface Parameters<T> {
  readonly concentration: T
}

export const make = (concentration: ReadonlyArray<number>): Dirichlet => ({
  _tag: "Dirichlet",
  support: "simplex",
  concentration: vector(
    "Dirichlet",
    "concentration",
    concentration,
    "finite numbers > 0",
    (a) => a > 0 && a < Infinity,
  ),
})

/** Dir(eta, ..., eta) over `size` weights. */
export const symmetric = (size: number, concentration: number): Dirichlet =>
  Number.isSafeInteger(size) && size > 0
    ? make(Array.from({ length: size }, () => concentration))
    : reject("Dirichlet", "size", size, "an integer > 0")

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

const lift = (dist: Dirichlet): Parameters<Nd.Nd> => ({ concentration: Nd.vector(dist.concentration) })

export const operations = (dist: Dirichlet): Operations => {
  const { concentration } = dist
  const total = concentration.reduce((sum, a) => sum + a, 0)
  const logs = new Float64Array(concentration.length)
  return {
    size: concentration.length,
    logDensity: (x) => {
      if (!isSimplex(x)) return -Infinity
      // On the boundary the density is 0 or infinite, except along axes with exponent 0.
      if (x.some((w, k) => w === 0 && (concentration[k] ?? 1) > 1)) return -Infinity
      if (x.some((w, k) => w === 0 && (concentration[k] ?? 1) < 1)) return Infinity
      const inside = x.map((w) => (w === 0 ? 1 : w))
      return Nd.toNumber(logDensity(Nd.algebra)(Nd.vector(inside), lift(dist)))
    },
    entropy: () => Nd.toNumber(entropy(Nd.algebra)(lift(dist))),
    mean: () => concentration.map((a) => a / total),
    variance: () => concentration.map((a) => (a / total) * (1 - a / total) * (1 / (total + 1))),
    // Gamma draws divided by their sum, on the log scale: with small concentrations all of them may underflow.
    draw: (source, out, offset) => {
      let top = -Infinity
      concentration.forEach((a, k) => {
        const g = source.logGamma(a)
        logs[k] = g
        top = Math.max(top, g)
      })
      const weights = logs.map((g) => exp(g - top))
      const sum = weights.reduce((s, w) => s + w, 0)
      // Weights stay above 0, so that the log density of a draw is finite.
      weights.forEach((w, k) => (out[offset + k] = Math.max(w / sum, Number.MIN_VALUE)))
    },
  }
}

export const divergence = (q: Dirichlet, p: Dirichlet): number =>
  Nd.toNumber(kl(Nd.algebra)(lift(q), lift(p)))
