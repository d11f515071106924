/**
 * The pivots of a symmetric matrix by Gaussian elimination without exchanges: what each diagonal element is beside the rows before
 * it. A row whose pivot is at most a share of its diagonal element depends on those before: its pivot is 0, and it is passed over.
 *
 * *When to use*: for ranks, determinants and definiteness of a few rows in the order given; `cholesky` to solve.
 *
 * @param matrix d x d, row-major
 * @param share 0 by default
 * @returns d pivots, all above 0 for a positive definite matrix; their product is then its determinant
 */
export const pivots = (matrix: Float64Array, share = 0): Float64Array => {
  const size = Math.round(Math.sqrt(matrix.length))
  const left = matrix.slice()
  const out = new Float64Array(size)
  for (let j = 0; j < size; j++) {
    const pivot = left[j * (size + 1)]!
    if (!(pivot > share * matrix[j * (size + 1)]!)) continue
    out[j] = pivot
    for (let row = j + 1; row < size; row++) {
      const factor = left[row * size + j]! / pivot
      for (let k = j; k < size; k++) left[row * size + k]! -= factor * left[j * size + k]!
    }
  }
  return out
}
