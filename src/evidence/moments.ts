import { dot } from "../numeric/orthogonal.ts"
import * as Cholesky from "../numeric/cholesky.ts"
import * as Real from "../numeric/Real.ts"
import { type Collapsed, constant, type Hyper } from "./conjugate.ts"

/** Inner products of a design matrix T = [1, t_1, ..., t_K] and y, in float64. */
export interface Moments {
  /** n */
  readonly rows: number
  /** T'T, (K + 1) x (K + 1) row-major, intercept first; only the lower triangle is read */
  readonly gram: Float64Array
  /** T'y, length K + 1 */
  readonly cross: Float64Array
  /** y'y */
  readonly square: number
}

/** A posterior from moments, and an estimate of the absolute error of its log evidence by cancellation. */
export interface Estimate extends Collapsed {
  readonly error: number
}

/**
 * The evidence and the posterior from inner products alone, in about (K + 1)^3 operations for any n. Here b_n is the
 * difference (e'e - c' A^-1 c) / 2 + b0 with e = y - T mu0, c = T'e, which cancels for nearly exact fits and nearly collinear
 * columns. `error` estimates the resulting error of the log evidence: the rounding of inner products (sqrt(n) 2^-52
 * relative) times the amplification, a_n (S + (sum |m_s|)^2) / b_n for the difference and sum 1 / pivot for the determinant.
 * S is the sum of the magnitudes of the terms of e'e (y'y for mu0 = 0), and m_s are the coefficients of the columns scaled to
 * unit length. The error is infinite when a pivot had to be raised.
 *
 * *When to use*: to score thousands of ensembles whose pairwise inner products are known. When `error` is above `tolerable`,
 * use `posterior` instead.
 */
export const fromMoments = (hyper: Hyper, moments: Moments): Estimate => {
  const { rows, gram, cross, square } = moments
  const size = cross.length
  const a = new Float64Array(gram)
  const c = new Float64Array(cross)
  let total = square
  // The sum of the magnitudes of the terms of `total`, in squared units of y.
  let terms = square
  for (let k = 0; k < size; k++) {
    a[k * size + k]! += 1 / hyper.sigma0[k]!
    if (hyper.mu0[k] === 0) continue
    for (let j = 0; j < size; j++) {
      const inner = j > k ? gram[j * size + k]! : gram[k * size + j]!
      c[j]! -= hyper.mu0[k]! * inner
      total += hyper.mu0[j]! * hyper.mu0[k]! * inner
      terms += Math.abs(hyper.mu0[j]! * hyper.mu0[k]! * inner)
    }
    total -= 2 * hyper.mu0[k]! * cross[k]!
    terms += 2 * Math.abs(hyper.mu0[k]! * cross[k]!)
  }
  const cholesky = Cholesky.make(size)
  const logDeterminant = Cholesky.decompose(a, cholesky)
  const mean = new Float64Array(size)
  Cholesky.solve(cholesky, c, mean)
  const explained = dot(c, mean)
  const shape = hyper.a0 + rows / 2
  const scale = hyper.b0 + 0.5 * Math.max(0, total - explained)
  let loss = 0
  let weight = 0
  for (let k = 0; k < size; k++) {
    const pivot = cholesky.factor[k * size + k]! ** 2
    loss += pivot > 1.5 * Cholesky.leastPivot ? 1 / pivot : Infinity
    weight += Math.abs(mean[k]! / cholesky.scale[k]!)
    mean[k]! += hyper.mu0[k]!
  }
  const covariance = new Float64Array(size * size)
  Cholesky.invert(cholesky, covariance, new Float64Array(size))
  return {
    logEvidence: constant(hyper, rows) - 0.5 * logDeterminant - shape * Real.log(scale),
    mean,
    covariance,
    shape,
    scale,
    error: Number.EPSILON * Math.sqrt(rows) * (loss + (shape * (terms + weight ** 2)) / scale),
  }
}

/** The largest error of the log evidence, in nats, that is accepted: far below differences that matter in a ranking. */
export const tolerable = 1e-6
