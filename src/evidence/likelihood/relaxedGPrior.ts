import * as Effect from "effect/Effect"
import * as Cholesky from "../../numeric/cholesky.ts"
import { allFinite } from "../../numeric/finite.ts"
import { dot } from "../../numeric/orthogonal.ts"
import type { Relaxed } from "../../prob/Observation.ts"
import * as GPrior from "../gPrior.ts"
import { type Slopes, slopes as slopesOf } from "../gPriorSlopes.ts"
import { evidenceNode } from "./evidenceNode.ts"

/**
 * The precision of each coefficient in the fit, as shares of the squares of its column around its mean and around 0. The fit
 * leaves out columns of rounding errors: the difference of equal trees, and a constant column in float32.
 */
const [aroundMean, aroundZero] = [1e-8, 1e-12]

/**
 * The evidence node of linear trees with normal noise under the hyper-g/n prior (`GPrior`), and its derivative by every
 * element of the design. With C = Tc'Tc of the centred columns, R = 1e-8 diag(Tc'Tc) + 1e-12 diag(T'T) and P = C + R,
 *
 *     b = P^-1 Tc'y,   rss = |yc - Tc b|^2 + b'R b,   p = tr(P^-1 C)
 *     d rss / d t_k = -2 b_k (yc - Tc b) + 2 b_k^2 r_k,   r_k = 1e-8 tc_k + 1e-12 t_k
 *     d p / d t_k = 2 (Tc M)_k + 2 (M_kk - (P^-1)_kk) r_k,   M = P^-1 R P^-1
 *
 * (b minimises rss, so that only the explicit T differentiates). p is the rank where no column lies in the span of the others, and
 * the evidence is then that of the hard trees, to about 1e-8 of the sum of squares that the law explains. Near dependent columns both
 * are smooth, where rank and least squares jump. All arithmetic is in float64.
 */
export const make = (prior: { readonly a: number; readonly resolution: number }, trees: number): Relaxed => ({
  conjugate: undefined,
  bind: ({ y, rows }, samples) =>
    Effect.sync(() => {
      const of = GPrior.target(y, prior)
      const nothing = GPrior.logNull(of)
      const response = centred(y)
      return evidenceNode({ trees, rows, samples }, (columns, out) => {
        if (!columns.every(allFinite)) {
          out?.forEach((column) => column.fill(Number.NaN))
          return Number.NaN
        }
        const fit = fitOf(columns, response)
        const slopes = slopesOf({ ...of, rank: fit.rank, rss: fit.rss })
        out?.forEach((column, k) => column.set(derivative(fit, columns, k, slopes)))
        return nothing + slopes.logBayesFactor
      })
    }),
})

/** The regularised fit of one design of K columns. */
interface Fit {
  /** Tc */
  readonly centred: ReadonlyArray<Float64Array>
  /** b, length K */
  readonly coefficients: Float64Array
  /** yc - Tc b, length n */
  readonly residual: Float64Array
  readonly rss: number
  /** p */
  readonly rank: number
  /** P^-1 and M, K x K */
  readonly inverse: Float64Array
  readonly shrunk: Float64Array
}

const centred = (column: Float64Array): Float64Array => {
  const mean = column.reduce((sum, value) => sum + value, 0) / column.length
  return column.map((value) => value - mean)
}

const fitOf = (columns: ReadonlyArray<Float64Array>, y: Float64Array): Fit => {
  const K = columns.length
  const around = columns.map(centred)
  // A column of zeros has no unit, and its coefficient is 0.
  const precision = columns.map(
    (column, k) => aroundMean * dot(around[k]!, around[k]!) + aroundZero * dot(column, column) + 1e-300,
  )
  const P = new Float64Array(K * K)
  around.forEach((column, j) => {
    for (let k = 0; k <= j; k++) P[j * K + k] = P[k * K + j] = dot(column, around[k]!)
    P[j * K + j]! += precision[j]!
  })
  const inverse = Cholesky.inverse(P)
  const coefficients = times(
    inverse,
    around.map((column) => dot(column, y)),
  )
  const residual = y.slice()
  around.forEach((column, k) => {
    for (let i = 0; i < residual.length; i++) residual[i]! -= coefficients[k]! * column[i]!
  })
  const shrunk = new Float64Array(K * K)
  for (let j = 0; j < K; j++)
    for (let k = 0; k < K; k++)
      for (let m = 0; m < K; m++)
        shrunk[j * K + k]! += inverse[j * K + m]! * precision[m]! * inverse[m * K + k]!
  let [rss, rank] = [dot(residual, residual), K]
  precision.forEach((own, k) => {
    rss += own * coefficients[k]! ** 2
    rank -= own * inverse[k * (K + 1)]!
  })
  return { centred: around, coefficients, residual, rss, rank: Math.max(0, rank), inverse, shrunk }
}

/** A x of a square matrix, row-major. */
const times = (matrix: Float64Array, x: ReadonlyArray<number>): Float64Array =>
  Float64Array.from(x, (_, j) => x.reduce((sum, value, k) => sum + matrix[j * x.length + k]! * value, 0))

/** dF / d t_k, length n. */
const derivative = (
  { centred: around, coefficients, residual, inverse, shrunk }: Fit,
  columns: ReadonlyArray<Float64Array>,
  k: number,
  { byRss, byRank }: Slopes,
): Float64Array => {
  const K = columns.length
  const b = coefficients[k]!
  const own = k * (K + 1)
  const byPrecision = byRss * b * b + byRank * (shrunk[own]! - inverse[own]!)
  return columns[k]!.map((value, i) => {
    let sum = 0
    around.forEach((column, j) => (sum += column[i]! * shrunk[j * K + k]!))
    return (
      2 *
      (byRank * sum -
        byRss * b * residual[i]! +
        byPrecision * (aroundMean * around[k]![i]! + aroundZero * value))
    )
  })
}
