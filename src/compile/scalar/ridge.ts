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
  /** The minimum: a sum of squares, so its error is of second order in the error of u and it never cancels. */
  readonly loss: number
}

/**
 * A column whose part outside of the span of the others is shorter than this fraction of the column counts as lying
 * in the span. Rounding of the column's own elements is 1e-16 of it; the evidence notices the part left out only
 * where |column| exceeds 1e13 times the prior's 1 / sqrt(sigma0), so for ordinary columns nothing jumps.
 */
const dependent = 1e-13

/**
 * Ridge regression that stays right where the normal equations fail: collinear, constant, zero and huge columns,
 * fewer rows than columns, an exact fit.
 *
 * Two stages. Gram-Schmidt with column pivoting and re-orthogonalisation gives T = Q R, with exact zeros in R for
 * columns inside the span of others; then Householder's QR of [R; diag(precision)^(1/2)], a (rank + d) x d matrix,
 * with the largest element of each column brought to the top, which keeps the error of the small rows (the prior's)
 * small relative to themselves (Cox and Higham 1998), whatever the size of the others.
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
  const d = columns.length
  const { order, rank, triangle, projection, scale, outside } = orthogonalise(columns, e)
  const rows = rank + d
  const stacked = new Float64Array(rows * d)
  const right = new Float64Array(rows)
  for (let column = 0; column < d; column++) {
    const source = order[column]!
    for (let row = 0; row < rank; row++) stacked[row * d + column] = triangle[row * d + source]!
    stacked[(rank + column) * d + column] = Math.sqrt(precision[source]!) * scale[source]!
  }
  right.set(projection.subarray(0, rank))
  householder(stacked, right, rows, d)
  let loss = outside
  for (let row = d; row < rows; row++) loss += right[row]! ** 2

  const inverse = invertUpper(stacked, d)
  const solution = new Float64Array(d)
  const covariance = new Float64Array(d * d)
  let logDeterminant = 0
  for (let i = 0; i < d; i++) {
    const si = order[i]!
    logDeterminant += 2 * (Math.log(Math.abs(stacked[i * d + i]!)) - Math.log(scale[si]!))
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

interface Orthogonal {
  /** The columns in pivot order, those inside the span of others last. */
  readonly order: ReadonlyArray<number>
  readonly rank: number
  /** R: row = step, column = original column; of the scaled columns */
  readonly triangle: Float64Array
  /** Q'e */
  readonly projection: Float64Array
  /** powers of two that bring each column's length into [1, 2) */
  readonly scale: Float64Array
  /** |e - Q Q'e|^2 */
  readonly outside: number
}

const orthogonalise = (columns: ReadonlyArray<ArrayLike<number>>, e: ArrayLike<number>): Orthogonal => {
  const d = columns.length
  const work = columns.map((column) => new Float64Array(column))
  const scale = new Float64Array(d).fill(1)
  const length = new Float64Array(d)
  work.forEach((column, index) => {
    const norm = Math.sqrt(dot(column, column))
    if (norm > 0 && Number.isFinite(norm)) {
      // A power of two scales without rounding, so that equal columns stay equal and constants stay constant.
      scale[index] = 2 ** -Math.floor(Math.log2(norm))
      for (let i = 0; i < column.length; i++) column[i]! *= scale[index]!
    }
    length[index] = norm * scale[index]!
  })
  const residual = new Float64Array(e)
  const triangle = new Float64Array(d * d)
  const projection = new Float64Array(d)
  const pivots: Array<number> = []
  const inside: Array<number> = []
  let candidates = work.map((_, index) => index)
  while (candidates.length > 0) {
    const rank = pivots.length
    const pivot = rank === 0 ? candidates[0]! : longest(candidates, work, length)
    candidates = candidates.filter((index) => index !== pivot)
    const q = work[pivot]!
    // "Twice is enough" (Kahan; Giraud et al. 2005): the second pass makes Q orthogonal to working precision.
    pivots.forEach((previous, row) => {
      triangle[row * d + pivot]! += subtractProjection(work[previous]!, q)
    })
    const norm = Math.sqrt(dot(q, q))
    if (!(norm > dependent * length[pivot]!)) {
      // NaN lands here as well and shows in `outside`.
      inside.push(pivot)
      continue
    }
    triangle[rank * d + pivot] = norm
    for (let i = 0; i < q.length; i++) q[i]! /= norm
    for (const other of candidates) triangle[rank * d + other] = subtractProjection(q, work[other]!)
    projection[rank] = subtractProjection(q, residual)
    pivots.push(pivot)
  }
  pivots.forEach((pivot, row) => {
    projection[row]! += subtractProjection(work[pivot]!, residual)
  })
  const finite = length.every(Number.isFinite)
  return {
    order: [...pivots, ...inside],
    rank: pivots.length,
    triangle,
    projection,
    scale,
    outside: finite ? dot(residual, residual) : Number.NaN,
  }
}

const longest = (
  candidates: ReadonlyArray<number>,
  work: ReadonlyArray<Float64Array>,
  length: Float64Array,
): number => {
  let best = candidates[0]!
  let most = -1
  for (const candidate of candidates) {
    const left = Math.sqrt(dot(work[candidate]!, work[candidate]!)) / (length[candidate]! || 1)
    if (left > most) {
      most = left
      best = candidate
    }
  }
  return best
}

/** Takes the part along the unit vector q out of v, and returns its length. */
const subtractProjection = (q: Float64Array, v: Float64Array): number => {
  const along = dot(q, v)
  for (let i = 0; i < v.length; i++) v[i]! -= along * q[i]!
  return along
}

/** The inner product, in four partial sums: faster, and the rounding error is a quarter of that of one sum. */
export const dot = (a: Float64Array, b: Float64Array): number => {
  const n = a.length
  const whole = n - (n & 3)
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  for (let i = 0; i < whole; i += 4) {
    s0 += a[i]! * b[i]!
    s1 += a[i + 1]! * b[i + 1]!
    s2 += a[i + 2]! * b[i + 2]!
    s3 += a[i + 3]! * b[i + 3]!
  }
  for (let i = whole; i < n; i++) s0 += a[i]! * b[i]!
  return s0 + s1 + (s2 + s3)
}

/** Householder's triangularisation of a rows x d matrix and a right-hand side, in place. */
const householder = (matrix: Float64Array, right: Float64Array, rows: number, d: number): void => {
  for (let k = 0; k < d; k++) {
    let top = k
    for (let i = k + 1; i < rows; i++)
      if (Math.abs(matrix[i * d + k]!) > Math.abs(matrix[top * d + k]!)) top = i
    const largest = Math.abs(matrix[top * d + k]!)
    if (!(largest > 0)) continue
    if (top !== k) swapRows(matrix, right, d, k, top)
    let squares = 0
    for (let i = k; i < rows; i++) squares += (matrix[i * d + k]! / largest) ** 2
    const head = matrix[k * d + k]!
    const norm = -Math.sign(head) * largest * Math.sqrt(squares)
    // The reflector v = x - norm e_k, scaled to v_k = 1.
    const first = head - norm
    for (let i = k + 1; i < rows; i++) matrix[i * d + k]! /= first
    const tau = -first / norm
    for (let j = k + 1; j <= d; j++) {
      const get = (i: number): number => (j < d ? matrix[i * d + j]! : right[i]!)
      let along = get(k)
      for (let i = k + 1; i < rows; i++) along += matrix[i * d + k]! * get(i)
      along *= tau
      if (j < d) matrix[k * d + j]! -= along
      else right[k]! -= along
      for (let i = k + 1; i < rows; i++) {
        const change = along * matrix[i * d + k]!
        if (j < d) matrix[i * d + j]! -= change
        else right[i]! -= change
      }
    }
    matrix[k * d + k] = norm
    for (let i = k + 1; i < rows; i++) matrix[i * d + k] = 0
  }
}

const swapRows = (matrix: Float64Array, right: Float64Array, d: number, a: number, b: number): void => {
  for (let j = 0; j < d; j++) {
    const kept = matrix[a * d + j]!
    matrix[a * d + j] = matrix[b * d + j]!
    matrix[b * d + j] = kept
  }
  const kept = right[a]!
  right[a] = right[b]!
  right[b] = kept
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
