import type { NormalInverseGamma } from "../prob/Observation.ts"
import { lgamma } from "../numeric/Special.ts"
import { ridge } from "../numeric/ridge.ts"
import * as Real from "../numeric/Real.ts"

/** The hyperparameters of the normal-inverse-gamma prior: a `ConjugateLinear` likelihood has them. */
export type Hyper = NormalInverseGamma

/**
 * The posterior of (beta, sigma^2) given a design matrix T = [1, t_1, ..., t_K], and the evidence with beta and
 * sigma^2 integrated out. With A = Sigma0^-1 + T'T (Eq. posterior-model-parameters of the paper):
 *
 *     beta | sigma^2, y ~ N(mean, sigma^2 covariance),   sigma^2 | y ~ IG(shape, scale)
 *     mean = A^-1 (Sigma0^-1 mu0 + T'y),   covariance = A^-1,   shape = a0 + n / 2
 *     scale = b0 + (|y - T mean|^2 + (mean - mu0)' Sigma0^-1 (mean - mu0)) / 2
 */
export interface Collapsed {
  /**
   * log p(y | T), natural logarithm, with every constant (Eq. marginal-likelihood-app):
   * -n/2 log 2 pi + log Gamma(a_n) / Gamma(a0) - (log |A| + log |Sigma0|) / 2 + a0 log b0 - a_n log b_n
   */
  readonly logEvidence: number
  /** mu_n, length K + 1, intercept first, on the scale of y */
  readonly mean: Float64Array
  /** Sigma_n, (K + 1) x (K + 1) row-major, in units of sigma^2 */
  readonly covariance: Float64Array
  /** a_n */
  readonly shape: number
  /** b_n, in squared units of y */
  readonly scale: number
}

/** The part of log p(y | T) that does not depend on T: natural logarithm, length n of y. */
export const constant = (hyper: Hyper, n: number): number => {
  let logSigma0 = 0
  for (const variance of hyper.sigma0) logSigma0 += Real.log(variance)
  const { a0, b0 } = hyper
  return -0.5 * (n * Real.log(2 * Math.PI) + logSigma0) + lgamma(a0 + n / 2) - lgamma(a0) + a0 * Real.log(b0)
}

/**
 * The evidence and the posterior from the columns themselves, in float64, in about 4 n (K + 1)^2 operations. The relative
 * error of the log evidence is about 1e-10 for any finite columns: collinear, constant, zero, of magnitude up to 1e15 and
 * beyond, more columns than rows, data that a column fits exactly. A column whose part outside of the span of the others
 * is below 1e-13 of its length counts as inside the span. The evidence is `NaN` when a column is not finite.
 *
 * *When to use*: for a few ensembles. `fromMoments` is faster for thousands of ensembles, and reports when it is inaccurate.
 *
 * @param hyper `mu0` and `sigma0` of length K + 1, intercept first
 * @param y length n
 * @param columns t_1 ... t_K, each of length n; the intercept's column is implied
 */
export const posterior = (
  hyper: Hyper,
  y: ArrayLike<number>,
  columns: ReadonlyArray<ArrayLike<number>>,
): Collapsed => {
  const n = y.length
  const size = columns.length + 1
  // In u = beta - mu0 the prior mean is zero: min |e - T u|^2 + u' Sigma0^-1 u with e = y - T mu0.
  const e = new Float64Array(y)
  for (let k = 0; k < size; k++) {
    const mu = hyper.mu0[k]!
    if (mu === 0) continue
    const column = columns[k - 1]
    for (let i = 0; i < n; i++) e[i]! -= mu * (column === undefined ? 1 : column[i]!)
  }
  const precision = Float64Array.from(hyper.sigma0, (variance) => 1 / variance)
  const fit = ridge([new Float64Array(n).fill(1), ...columns], e, precision)
  const shape = hyper.a0 + n / 2
  const scale = hyper.b0 + 0.5 * fit.loss
  return {
    logEvidence: constant(hyper, n) - 0.5 * fit.logDeterminant - shape * Real.log(scale),
    mean: fit.solution.map((u, k) => u + hyper.mu0[k]!),
    covariance: fit.covariance,
    shape,
    scale,
  }
}

/**
 * `posterior`, and the derivative of its log evidence by every element of every column:
 *
 *     d log p / dT = -T A^-1 + (a_n / b_n) (y - T mu_n) mu_n'
 *
 * (b_n is a minimum over the coefficients, so only the explicit T differentiates; mu0 enters through mu_n alone.)
 *
 * @param out K arrays of length n, float32 or float64, overwritten with the derivative by t_1 ... t_K
 */
export const gradient = (
  hyper: Hyper,
  y: ArrayLike<number>,
  columns: ReadonlyArray<ArrayLike<number>>,
  out: ReadonlyArray<Float32Array | Float64Array>,
): Collapsed => {
  const collapsed = posterior(hyper, y, columns)
  const { mean, covariance, shape, scale } = collapsed
  const size = columns.length + 1
  for (let i = 0; i < y.length; i++) {
    let residual = y[i]! - mean[0]!
    for (let j = 1; j < size; j++) residual -= mean[j]! * columns[j - 1]![i]!
    for (let k = 1; k < size; k++) {
      let sum = (shape / scale) * residual * mean[k]! - covariance[k]!
      for (let j = 1; j < size; j++) sum -= columns[j - 1]![i]! * covariance[j * size + k]!
      out[k - 1]![i] = sum
    }
  }
  return collapsed
}
