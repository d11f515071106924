import * as Real from "./Real.ts"

/**
 * A column whose part outside of the span of the others is shorter than this fraction of the column counts as lying in
 * the span. Rounding of the column's own elements is 1e-16 of it; the part left out changes the evidence only where
 * |column| exceeds 1e13 times the prior's 1 / sqrt(sigma0).
 */
const dependent = 1e-13

/** Shorter columns count as zero: their squares lose digits, and no likelihood depends on them. */
export const negligible = 1e-140

/** T S = Q R with S = diag(scale), and the projection of a vector e. */
export interface Orthogonal {
  /** The columns in pivot order, those inside the span of others last. */
  readonly pivots: ReadonlyArray<number>
  readonly rank: number
  /** R: row = step, column = original column; of the scaled columns */
  readonly triangle: Float64Array
  /** Q'e */
  readonly projection: Float64Array
  /** powers of two that bring each column's length into [1, 2) */
  readonly scale: Float64Array
  /** e - Q Q'e, length n: the residuals of least squares */
  readonly residual: Float64Array
  /** |e - Q Q'e|^2 */
  readonly outside: number
}

/**
 * Gram-Schmidt with column pivoting and re-orthogonalisation; columns inside the span of others get no row of R.
 *
 * @param columns d columns of length n, finite and of magnitude below 1e150; the first is the first pivot
 * @param e length n
 */
export const orthogonalise = (
  columns: ReadonlyArray<ArrayLike<number>>,
  e: ArrayLike<number>,
): Orthogonal => {
  const d = columns.length
  const work = columns.map((column) => new Float64Array(column))
  const scale = new Float64Array(d).fill(1)
  const length = new Float64Array(d)
  work.forEach((column, index) => {
    let norm = Math.sqrt(dot(column, column))
    if (norm < negligible) norm = column.fill(0)[0] ?? 0
    if (norm > 0 && Number.isFinite(norm)) {
      // A power of two scales without rounding, so that equal columns stay equal and constants stay constant.
      scale[index] = 2 ** -Math.floor(Real.log2(norm))
      for (let i = 0; i < column.length; i++) column[i]! *= scale[index]
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
      // Columns with NaN end here too, and make `outside` NaN.
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
    pivots: [...pivots, ...inside],
    rank: pivots.length,
    triangle,
    projection,
    scale,
    residual,
    outside: finite ? dot(residual, residual) : Number.NaN,
  }
}

/**
 * u of R u = w for the leading rows of R, by substitution from the last row, in the units of the unscaled columns.
 *
 * @param w in pivot order, of length rank at least
 * @returns one number for each column, 0 for those inside the span of others
 */
export const backSubstitute = (
  { pivots, rank, triangle, scale }: Orthogonal,
  w: ArrayLike<number>,
): Float64Array => {
  const d = pivots.length
  const solution = new Float64Array(d)
  for (let row = rank - 1; row >= 0; row--) {
    const own = pivots[row]!
    let left = w[row]!
    for (let later = row + 1; later < rank; later++)
      left -= triangle[row * d + pivots[later]!]! * solution[pivots[later]!]!
    solution[own] = left / triangle[row * d + own]!
  }
  return solution.map((value, column) => value * scale[column]!)
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

/** Takes out of a column, in place, its parts along orthogonal directions of length 1, twice for the sake of rounding (Parlett 1980). */
export const outside = (column: Float64Array, directions: ReadonlyArray<Float64Array>): Float64Array => {
  for (let pass = 0; pass < 2; pass++) for (const one of directions) subtractProjection(one, column)
  return column
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

/**
 * Householder's triangularisation of the (rank + d) x d matrix and a right-hand side, in place, with pivoting.
 *
 * @returns the original index of each column
 */
export const householder = (
  matrix: Float64Array,
  right: Float64Array,
  rank: number,
  d: number,
): ReadonlyArray<number> => {
  const rows = rank + d
  const order = Array.from({ length: d }, (_, column) => column)
  for (let k = 0; k < d; k++) {
    // R is triangular in its own order, and the zeros below its diagonal stay exact.
    const pivot = k < rank ? k : longestColumn(matrix, rows, d, k)
    if (pivot !== k) {
      order.splice(k, 1, order.splice(pivot, 1, order[k]!)[0]!)
      swap(matrix, rows, k, d, pivot, d)
    }
    let top = k
    for (let i = k + 1; i < rows; i++)
      if (Math.abs(matrix[i * d + k]!) > Math.abs(matrix[top * d + k]!)) top = i
    const largest = Math.abs(matrix[top * d + k]!)
    if (!(largest > 0)) continue
    if (top !== k) {
      swap(matrix, d, k * d, 1, top * d, 1)
      swap(right, 1, k, 1, top, 1)
    }
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
  return order
}

const longestColumn = (matrix: Float64Array, rows: number, d: number, k: number): number => {
  let best = k
  let most = -1
  for (let j = k; j < d; j++) {
    let squares = 0
    for (let i = k; i < rows; i++) squares += matrix[i * d + j]! ** 2
    if (squares > most) {
      most = squares
      best = j
    }
  }
  return best
}

/** Exchanges two strided vectors of one array. */
const swap = (
  values: Float64Array,
  length: number,
  p: number,
  pStep: number,
  q: number,
  qStep: number,
): void => {
  for (let i = 0; i < length; i++) {
    const kept = values[p + i * pStep]!
    values[p + i * pStep] = values[q + i * qStep]!
    values[q + i * qStep] = kept
  }
}
