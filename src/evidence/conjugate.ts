import type { NormalInverseGamma } from "../prob/Observation.ts"
import { lgamma } from "../numeric/Special.ts"
import * as Cholesky from "../numeric/cholesky.ts"
import { dot } from "../numeric/orthogonal.ts"
import { ridge } from "../numeric/ridge.ts"

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
  for (const variance of hyper.sigma0) logSigma0 += Math.log(variance)
  const { a0, b0 } = hyper
  return -0.5 * (n * Math.log(2 * Math.PI) + logSigma0) + lgamma(a0 + n / 2) - lgamma(a0) + a0 * Math.log(b0)
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
    logEvidence: constant(hyper, n) - 0.5 * fit.logDeterminant - shape * Math.log(scale),
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

/**
 * The buffers of `soft`, allocated once: the moments of the data, and working memory for one design matrix.
 */
export interface Workspace {
  readonly hyper: Hyper
  /** length n */
  readonly y: Float64Array
  /** S, the number of design matrices in a call */
  readonly samples: number
  /** K, the number of columns beside the intercept */
  readonly trees: number
  /** log p(y | T_s), length S: the result of the latest call */
  readonly evidence: Float64Array
  /** mu_n of each design matrix, [S, K + 1]: by-product of the latest call */
  readonly mean: Float64Array
  /** b_n of each design matrix, length S: by-product of the latest call */
  readonly scale: Float64Array
  readonly scratch: {
    readonly constant: number
    readonly precision: Float64Array
    readonly sum: number
    readonly a: Float64Array
    readonly c: Float64Array
    readonly m: Float64Array
    readonly inverse: Float64Array
    readonly column: Float64Array
    readonly residual: Float64Array
    readonly cholesky: Cholesky.Cholesky
  }
}

/**
 * A workspace for `samples` design matrices of K columns over the rows of y.
 *
 * @param hyper `mu0` and `sigma0` of length K + 1, intercept first
 */
export const workspace = (hyper: Hyper, y: ArrayLike<number>, samples: number): Workspace => {
  const size = hyper.sigma0.length
  return {
    hyper,
    y: new Float64Array(y),
    samples,
    trees: size - 1,
    evidence: new Float64Array(samples),
    mean: new Float64Array(samples * size),
    scale: new Float64Array(samples),
    scratch: {
      constant: constant(hyper, y.length),
      precision: Float64Array.from(hyper.sigma0, (variance) => 1 / variance),
      sum: new Float64Array(y).reduce((sum, value) => sum + value, 0),
      a: new Float64Array(size * size),
      c: new Float64Array(size),
      m: new Float64Array(size),
      inverse: new Float64Array(size * size),
      column: new Float64Array(size),
      residual: new Float64Array(y.length),
      cholesky: Cholesky.make(size),
    },
  }
}

/**
 * The evidence of S design matrices and its derivative by every element: the collapsed likelihood of relaxed trees,
 * called once per gradient step. Allocates nothing. Columns are float32, inner products and linear algebra float64,
 * b_n in the residual form (as in `Collapsed`). Collinear columns have a finite evidence because pivots are bounded below
 * (`Cholesky.leastPivot`), as if the prior variance of the column were at most 1 / (1e-12 |t|^2).
 *
 * @param T relaxed columns, [S, K, n] row-major; magnitudes below 1e15
 * @param adjoint overwritten with d log p(y | T_s) / dT, [S, K, n]; left out, only the evidence is computed
 * @returns `workspace.evidence`, [S]; `NaN` for a design matrix with an element that is not finite
 */
export const soft = (workspace: Workspace, T: Float32Array, adjoint?: Float32Array): Float64Array => {
  const { hyper, y, samples, trees, evidence, scratch } = workspace
  const n = y.length
  const size = trees + 1
  const shape = hyper.a0 + n / 2
  const { precision, m, inverse } = scratch
  for (let s = 0; s < samples; s++) {
    const base = s * trees * n
    normalEquations(workspace, T, base)
    const logDeterminant = Cholesky.decompose(scratch.a, scratch.cholesky)
    Cholesky.solve(scratch.cholesky, scratch.c, m)
    let loss = 0
    for (let k = 0; k < size; k++) {
      loss += precision[k]! * m[k]! ** 2
      m[k]! += hyper.mu0[k]!
      workspace.mean[s * size + k] = m[k]!
    }
    loss += residuals(y, T, base, m, scratch.residual)
    const scale = hyper.b0 + 0.5 * loss
    workspace.scale[s] = scale
    evidence[s] = scratch.constant - 0.5 * logDeterminant - shape * Math.log(scale)
    if (adjoint === undefined) continue
    Cholesky.invert(scratch.cholesky, inverse, scratch.column)
    for (let k = 1; k < size; k++)
      differentiate(T, base, k, inverse, (shape / scale) * m[k]!, scratch.residual, adjoint)
  }
  return evidence
}

/** A = Sigma0^-1 + T'T and c = T'(y - T mu0) of the design matrix that starts at `base`. */
const normalEquations = ({ y, trees, hyper, scratch }: Workspace, T: Float32Array, base: number): void => {
  const n = y.length
  const size = trees + 1
  const { a, c, precision } = scratch
  a[0] = n
  c[0] = scratch.sum
  for (let k = 1; k < size; k++) {
    const column = base + (k - 1) * n
    let sum = 0
    let square = 0
    let cross = 0
    for (let i = 0; i < n; i++) {
      const t = T[column + i]!
      sum += t
      square += t * t
      cross += t * y[i]!
    }
    a[k * size] = a[k] = sum
    a[k * size + k] = square
    c[k] = cross
    for (let j = 1; j < k; j++) a[k * size + j] = a[j * size + k] = inner(T, column, base + (j - 1) * n, n)
  }
  for (let j = 0; j < size; j++) for (let k = 0; k < size; k++) c[j]! -= a[j * size + k]! * hyper.mu0[k]!
  for (let k = 0; k < size; k++) a[k * size + k]! += precision[k]!
}

const inner = (T: Float32Array, p: number, q: number, n: number): number => {
  const whole = n - (n & 1)
  let even = 0
  let odd = 0
  for (let i = 0; i < whole; i += 2) {
    even += T[p + i]! * T[q + i]!
    odd += T[p + i + 1]! * T[q + i + 1]!
  }
  if (whole < n) even += T[p + whole]! * T[q + whole]!
  return even + odd
}

/** Writes y - T m, and returns its squared length. */
const residuals = (
  y: Float64Array,
  T: Float32Array,
  base: number,
  m: Float64Array,
  out: Float64Array,
): number => {
  const n = y.length
  for (let i = 0; i < n; i++) out[i] = y[i]! - m[0]!
  for (let k = 1; k < m.length; k++) {
    const column = base + (k - 1) * n
    const coefficient = m[k]!
    for (let i = 0; i < n; i++) out[i]! -= coefficient * T[column + i]!
  }
  return dot(out, out)
}

/** Writes column k of -T A^-1 + residual * slope into its place of the adjoint. */
const differentiate = (
  T: Float32Array,
  base: number,
  k: number,
  inverse: Float64Array,
  slope: number,
  residual: Float64Array,
  adjoint: Float32Array,
): void => {
  const n = residual.length
  const size = Math.round(Math.sqrt(inverse.length))
  const to = base + (k - 1) * n
  const w = (j: number): number => (j < size ? inverse[j * size + k]! : 0)
  // Four columns at a time: K <= 4 takes one pass over the rows. Columns beyond K read the first column with weight 0.
  const at = (j: number): number => base + (j < size ? (j - 1) * n : 0)
  for (let j = 1; j < size; j += 4) {
    const [p0, p1, p2, p3] = [at(j), at(j + 1), at(j + 2), at(j + 3)]
    const [w0, w1, w2, w3] = [w(j), w(j + 1), w(j + 2), w(j + 3)]
    const first = j === 1
    const intercept = inverse[k]!
    for (let i = 0; i < n; i++) {
      const start = first ? slope * residual[i]! - intercept : adjoint[to + i]!
      adjoint[to + i] = start - w0 * T[p0 + i]! - w1 * T[p1 + i]! - w2 * T[p2 + i]! - w3 * T[p3 + i]!
    }
  }
}
