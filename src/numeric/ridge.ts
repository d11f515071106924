import { householder, orthogonalise } from "./orthogonal.ts"
import * as Real from "./Real.ts"

/**
 * The minimum over u of |e - T u|^2 + sum_k precision_k u_k^2 and the curvature A = T'T + diag(precision) there.
 */
export interface Ridge {
  /** u, length d */
  readonly solution: Float64Array
  /** A^-1, d x d row-major */
  readonly covariance: Float64Array
  /** log |A| */
  readonly logDeterminant: number
  /** The minimum: a sum of squares without cancellation, with an error of second order in the error of u. */
  readonly loss: number
}

/**
 * Ridge regression that is precise where the normal equations fail: collinear, constant, zero and huge columns, fewer
 * rows than columns, an exact fit.
 *
 * Equal columns are merged exactly: their coefficients enter by their sum, whose prior variance is the sum of theirs.
 * Then two stages. Gram-Schmidt with column pivoting and re-orthogonalisation gives T = Q R, with exact zeros in R for
 * columns inside the span of others; then Householder's QR of [R; diag(precision)^(1/2)], a (rank + d) x d matrix,
 * with the longest of the dependent columns, and the largest element of a column, brought to the front, which keeps
 * the error of the small rows (the prior's) small relative to themselves (Cox and Higham 1998).
 *
 * @param columns d columns of n finite float64, magnitude below 1e150; the first one is preferred as pivot
 * @param e length n
 * @param precision d positive numbers
 */
export const ridge = (
  columns: ReadonlyArray<ArrayLike<number>>,
  e: ArrayLike<number>,
  precision: ArrayLike<number>,
): Ridge => {
  const first = columns.map((column, k) => columns.findIndex((other, j) => j === k || equal(column, other)))
  if (first.every((index, k) => index === k)) return distinct(columns, e, precision)
  const kept = [...new Set(first)]
  const slot = first.map((index) => kept.indexOf(index))
  const variance = new Float64Array(kept.length)
  slot.forEach((at, k) => (variance[at]! += 1 / precision[k]!))
  const merged = distinct(
    kept.map((index) => columns[index]!),
    e,
    variance.map((v) => 1 / v),
  )
  // Given the sum of its group, a coefficient has its share of the prior variance: its share of the group's posterior
  // variance, plus the prior variance given the sum.
  const d = columns.length
  const share = slot.map((at, k) => 1 / precision[k]! / variance[at]!)
  const covariance = new Float64Array(d * d)
  let logDeterminant = merged.logDeterminant
  for (const v of variance) logDeterminant += Real.log(v)
  for (let i = 0; i < d; i++) {
    logDeterminant += Real.log(precision[i]!)
    for (let j = 0; j < d; j++) {
      const [p, q] = [slot[i]!, slot[j]!]
      let free = 0
      if (p === q) free = ((i === j ? 1 : 0) - share[i]!) * share[j]! * variance[p]!
      covariance[i * d + j] = share[i]! * share[j]! * merged.covariance[p * kept.length + q]! + free
    }
  }
  const solution = Float64Array.from(slot, (at, k) => share[k]! * merged.solution[at]!)
  return { solution, covariance, logDeterminant, loss: merged.loss }
}

const equal = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const distinct = (
  columns: ReadonlyArray<ArrayLike<number>>,
  e: ArrayLike<number>,
  precision: ArrayLike<number>,
): Ridge => {
  const d = columns.length
  const { pivots, rank, triangle, projection, scale, outside } = orthogonalise(columns, e)
  const rows = rank + d
  const stacked = new Float64Array(rows * d)
  const right = new Float64Array(rows)
  for (let column = 0; column < d; column++) {
    const source = pivots[column]!
    for (let row = 0; row < rank; row++) stacked[row * d + column] = triangle[row * d + source]!
    stacked[(rank + column) * d + column] = Math.sqrt(precision[source]!) * scale[source]!
  }
  right.set(projection.subarray(0, rank))
  const order = householder(stacked, right, rank, d).map((column) => pivots[column]!)
  let loss = outside
  for (let row = d; row < rows; row++) loss += right[row]! ** 2

  const inverse = invertUpper(stacked, d)
  const solution = new Float64Array(d)
  const covariance = new Float64Array(d * d)
  let logDeterminant = 0
  for (let i = 0; i < d; i++) {
    const si = order[i]!
    logDeterminant += 2 * (Real.log(Math.abs(stacked[i * d + i]!)) - Real.log(scale[si]!))
    let u = 0
    for (let k = i; k < d; k++) u += inverse[i * d + k]! * right[k]!
    solution[si] = u * scale[si]!
    for (let j = 0; j < d; j++) {
      const sj = order[j]!
      let sum = 0
      for (let k = Math.max(i, j); k < d; k++) sum += inverse[i * d + k]! * inverse[j * d + k]!
      covariance[si * d + sj] = sum * scale[si]! * scale[sj]!
    }
  }
  return { solution, covariance, logDeterminant, loss }
}

/** The inverse of the upper triangle of the leading d x d block. */
const invertUpper = (matrix: Float64Array, d: number): Float64Array => {
  const inverse = new Float64Array(d * d)
  for (let j = 0; j < d; j++) {
    inverse[j * d + j] = 1 / matrix[j * d + j]!
    for (let i = j - 1; i >= 0; i--) {
      let sum = 0
      for (let k = i + 1; k <= j; k++) sum += matrix[i * d + k]! * inverse[k * d + j]!
      inverse[i * d + j] = -sum / matrix[i * d + i]!
    }
  }
  return inverse
}
