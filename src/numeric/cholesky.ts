import * as Real from "./Real.ts"

/**
 * Cholesky factor of a symmetric positive definite matrix A after scaling its diagonal to one: D A D = L L',
 * D = diag(A)^(-1/2). Scaling makes the factor indifferent to the units of the columns behind A (van der Sluis 1969).
 */
export interface Cholesky {
  readonly size: number
  /** L, row-major, zeros above the diagonal */
  readonly factor: Float64Array
  /** the diagonal of D */
  readonly scale: Float64Array
}

/**
 * The least pivot by default. Inner products over thousands of rows carry a relative error of about 1e-14, so a smaller pivot is
 * noise. Raising it amounts to adding to that diagonal element of A: a column in the span of the others gets a tighter
 * prior, of variance 1 / (1e-12 |column|^2), and the factor stays finite.
 */
export const leastPivot = 1e-12

/** An empty factorisation to be filled by `decompose`. */
export const make = (size: number): Cholesky => ({
  size,
  factor: new Float64Array(size * size),
  scale: new Float64Array(size),
})

/**
 * Factorises A (row-major, lower triangle read) into `into`, without allocating.
 *
 * @param least smaller pivots of D A D are raised to it
 * @returns log |A|, of the raised A if a pivot was raised; NaN when A is not finite
 */
export const decompose = (a: Float64Array, into: Cholesky, least = leastPivot): number =>
  eliminate(a, into, least, true)

/**
 * Factorises A if it is positive definite.
 *
 * *When to use*: where an indefinite or singular matrix is to be refused; `decompose` gives every matrix a factor.
 *
 * @param a row-major, lower triangle read
 * @param least a pivot of D A D that is not above it makes the matrix indefinite or singular; 0 or more
 * @returns log |A|; undefined where A is not positive definite or not finite, and `into` is then of no use
 */
export const definite = (a: Float64Array, into: Cholesky, least: number): number | undefined => {
  const logDeterminant = eliminate(a, into, least, false)
  return Number.isFinite(logDeterminant) ? logDeterminant : undefined
}

/** @returns log |A|; NaN when A is not finite, or a pivot is not above `least` and may not be raised to it */
const eliminate = (
  a: Float64Array,
  { size, factor, scale }: Cholesky,
  least: number,
  raise: boolean,
): number => {
  let logDeterminant = 0
  for (let i = 0; i < size; i++) {
    scale[i] = 1 / Math.sqrt(a[i * size + i]!)
    logDeterminant -= 2 * Real.log(scale[i]!)
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      let sum = a[i * size + j]! * scale[i]! * scale[j]!
      for (let k = 0; k < j; k++) sum -= factor[i * size + k]! * factor[j * size + k]!
      factor[i * size + j] = sum / factor[j * size + j]!
      factor[j * size + i] = 0
    }
    let pivot = 1
    for (let k = 0; k < i; k++) pivot -= factor[i * size + k]! ** 2
    if (!raise && !(pivot > least)) return Number.NaN
    if (pivot < least) pivot = least
    factor[i * size + i] = Math.sqrt(pivot)
    logDeterminant += Real.log(pivot)
  }
  return logDeterminant
}

/** The factor of A itself, without scaling: L L' = A, row-major, zeros above the diagonal. */
export const lower = ({ size, factor, scale }: Cholesky): Float64Array =>
  factor.map((value, place) => value / scale[Math.floor(place / size)]!)

/** x = A^-1 b; `b` and `x` may be the same array. */
export const solve = ({ size, factor, scale }: Cholesky, b: Float64Array, x: Float64Array): void => {
  for (let i = 0; i < size; i++) {
    let sum = b[i]! * scale[i]!
    for (let k = 0; k < i; k++) sum -= factor[i * size + k]! * x[k]!
    x[i] = sum / factor[i * size + i]!
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[i]!
    for (let k = i + 1; k < size; k++) sum -= factor[k * size + i]! * x[k]!
    x[i] = sum / factor[i * size + i]!
  }
  for (let i = 0; i < size; i++) x[i]! *= scale[i]!
}

/** Writes A^-1, row-major; `column` is a buffer of length `size`. */
export const invert = (cholesky: Cholesky, out: Float64Array, column: Float64Array): void => {
  const { size } = cholesky
  for (let j = 0; j < size; j++) {
    column.fill(0)
    column[j] = 1
    solve(cholesky, column, column)
    for (let i = 0; i < size; i++) out[i * size + j] = column[i]!
  }
}

/** A^-1 of a symmetric positive definite matrix, row-major. */
export const inverse = (a: Float64Array): Float64Array => {
  const size = Math.round(Math.sqrt(a.length))
  const cholesky = make(size)
  decompose(a, cholesky)
  const out = new Float64Array(size * size)
  invert(cholesky, out, new Float64Array(size))
  return out
}
