import * as Cholesky from "../../numeric/cholesky.ts"
import { constant, type Hyper } from "../../evidence/conjugate.ts"
import { CROSS, FIRST, SQUARE, SUM } from "./Kernel.ts"

/**
 * The evidence of a design matrix [1, u_1, ..., u_J, t] for one t after the other over a base [1, u_1, ..., u_J] that
 * stays: the base is factorised once, and t borders its factor. Some J^2 operations a column and no allocation.
 */
export interface Border {
  /**
   * Factorises a base of the columns in all slots of the ensemble but one.
   *
   * @param gram B'B of B = [1, u_1, ..., u_J], (J + 1) x (J + 1) row-major; only the lower triangle is read
   * @param cross B'y, length J + 1
   * @param slot which slot of the ensemble t takes, 0 to J; it says which prior mean and variance are t's.
   *   The base has the others in order
   */
  readonly base: (gram: Float64Array, cross: Float64Array, square: number, slot: number) => void
  /**
   * log p(y | T) of T = [1, u_1, ..., u_J, t] with every constant, as `Evidence.posterior` has it, from the moments of
   * t. Pivots are raised to `Cholesky.leastPivot`. NaN when a moment is not finite.
   *
   * @param moments rows as a `Kernel` writes them
   * @param at where the row of t begins
   */
  readonly logEvidence: (moments: Float64Array, at: number) => number
  /**
   * An estimate of the absolute error of the latest `logEvidence` by the cancellation of inner products, as
   * `Moments.fromMoments` has it: infinite when a pivot was raised. It takes the columns for exact.
   */
  readonly error: () => number
}

/**
 * @param hyper `mu0` and `sigma0` of length J + 2, intercept first
 * @param rows n
 */
export const make = (hyper: Hyper, rows: number): Border => {
  const size = hyper.sigma0.length - 1
  if (size < 1) throw new RangeError("an ensemble has at least one tree")
  const { a0, b0, mu0, sigma0 } = hyper
  const shape = a0 + rows / 2
  const start = constant(hyper, rows)
  const rounding = Number.EPSILON * Math.sqrt(rows)

  const a = new Float64Array(size * size)
  const mean = new Float64Array(size)
  const cholesky = Cholesky.make(size)
  const { factor, scale } = cholesky
  /** L^-1 D B'(y - B mu) of the base */
  const z = new Float64Array(size)
  /** L^-1 D B't / sqrt(t't + 1 / sigma_t) */
  const v = new Float64Array(size)
  /** coefficients of the base's columns at unit length */
  const weights = new Float64Array(size)
  let precision = 0
  let mu = 0
  let logDeterminant = 0
  /** the loss of the base alone, |y - B beta|^2 + |beta - mu|^2 in the norm of the prior, at its minimum */
  let loss = 0
  /** sizes of what `loss` adds up, as S of `Moments.fromMoments` */
  let terms = 0
  let pivots = 0
  // Of the latest column, for `error`.
  let pivot = 1
  let root = 1
  let last = 0
  let scaleOf = b0
  /** what its prior mean adds to `terms` */
  let added = 0

  const base: Border["base"] = (gram, cross, yy, slot) => {
    if (!(slot >= 0 && slot < size)) throw new RangeError(`an ensemble of ${size} trees has no slot ${slot}`)
    precision = 1 / sigma0[slot + 1]!
    mu = mu0[slot + 1]!
    terms = yy
    let total = yy
    for (let j = 0; j < size; j++) mean[j] = mu0[j <= slot ? j : j + 1]!
    for (let j = 0; j < size; j++) {
      let fitted = 0
      for (let k = 0; k < size; k++) {
        const inner = k > j ? gram[k * size + j]! : gram[j * size + k]!
        a[j * size + k] = inner
        fitted += inner * mean[k]!
        terms += Math.abs(mean[j]! * mean[k]! * inner)
      }
      a[j * size + j]! += 1 / sigma0[j <= slot ? j : j + 1]!
      z[j] = cross[j]! - fitted
      total -= mean[j]! * (2 * cross[j]! - fitted)
      terms += 2 * Math.abs(mean[j]! * cross[j]!)
    }
    logDeterminant = Cholesky.decompose(a, cholesky)
    let explained = 0
    pivots = 0
    for (let j = 0; j < size; j++) {
      let sum = z[j]! * scale[j]!
      for (let k = 0; k < j; k++) sum -= factor[j * size + k]! * z[k]!
      z[j] = sum / factor[j * size + j]!
      explained += z[j]! ** 2
      pivots += reciprocal(factor[j * size + j]! ** 2)
    }
    loss = total - explained
  }

  const logEvidence: Border["logEvidence"] = (moments, at) => {
    const length = moments[at + SQUARE]!
    const alpha = length + precision
    root = Math.sqrt(alpha)
    // g = t'r of the base's residual r; with a prior mean of t's coefficient, r is that of y - mu t.
    let g = moments[at + CROSS]!
    let spanned = 0
    for (let j = 0; j < size; j++) {
      const inner = j === 0 ? moments[at + SUM]! : moments[at + FIRST + j - 1]!
      let sum = (inner * scale[j]!) / root
      for (let k = 0; k < j; k++) sum -= factor[j * size + k]! * v[k]!
      sum /= factor[j * size + j]!
      v[j] = sum
      spanned += sum * sum
      g -= inner * mean[j]! + root * sum * z[j]!
    }
    pivot = Math.max(1 - spanned, Cholesky.leastPivot)
    let remaining = loss
    added = 0
    if (mu !== 0) {
      let others = Math.abs(moments[at + CROSS]!)
      for (let j = 0; j < size; j++)
        others += Math.abs((j === 0 ? moments[at + SUM]! : moments[at + FIRST + j - 1]!) * mean[j]!)
      added = mu * mu * length + 2 * Math.abs(mu) * others
      const outside = length - alpha * spanned
      remaining += mu * (mu * outside - 2 * g)
      g -= mu * outside
    }
    last = g / (root * Math.sqrt(pivot))
    scaleOf = b0 + 0.5 * Math.max(0, remaining - last * last)
    return start - 0.5 * (logDeterminant + Math.log(alpha * pivot)) - shape * Math.log(scaleOf)
  }

  const error = (): number => {
    const own = last / Math.sqrt(pivot)
    let weight = Math.abs(own)
    for (let j = size - 1; j >= 0; j--) {
      let sum = z[j]! - v[j]! * (mu * root + own)
      for (let k = j + 1; k < size; k++) sum -= factor[k * size + j]! * weights[k]!
      weights[j] = sum / factor[j * size + j]!
      weight += Math.abs(weights[j]!)
    }
    return rounding * (pivots + reciprocal(pivot) + (shape * (terms + added + weight * weight)) / scaleOf)
  }

  return { base, logEvidence, error }
}

/** 1 / pivot; infinite for one that had to be raised. */
const reciprocal = (pivot: number): number => (pivot > 1.5 * Cholesky.leastPivot ? 1 / pivot : Infinity)
