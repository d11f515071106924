/**
 * Householder's triangularisation of the first columns of a matrix, in place: below the diagonal of these columns are zeros, and
 * the columns after them are rotated along. Lengths of columns and inner products of columns stay as they are.
 *
 * @param matrix rows x width, row-major
 * @param count the number of columns to triangularise
 */
export const eliminate = (matrix: Float64Array, rows: number, width: number, count: number): void => {
  for (let k = 0; k < Math.min(count, rows); k++) {
    let square = 0
    for (let i = k; i < rows; i++) square += matrix[i * width + k]! ** 2
    const head = matrix[k * width + k]!
    if (!(square > head * head)) continue
    const length = head > 0 ? -Math.sqrt(square) : Math.sqrt(square)
    // The reflector is (head - length, entries below); its square is 2 length (length - head).
    const first = head - length
    const over = 1 / (length * (length - head))
    for (let j = k + 1; j < width; j++) {
      let along = first * matrix[k * width + j]!
      for (let i = k + 1; i < rows; i++) along += matrix[i * width + k]! * matrix[i * width + j]!
      along *= over
      matrix[k * width + j]! -= along * first
      for (let i = k + 1; i < rows; i++) matrix[i * width + j]! -= along * matrix[i * width + k]!
    }
    matrix[k * width + k] = length
    for (let i = k + 1; i < rows; i++) matrix[i * width + k] = 0
  }
}

/**
 * The triangle of columns: a square upper triangular matrix, row-major, with the inner products of the columns.
 *
 * @param columns of one length
 */
export const triangleOf = (columns: ReadonlyArray<Float64Array>): Float64Array => {
  const width = columns.length
  const rows = Math.max(width, columns[0]?.length ?? 0)
  const matrix = new Float64Array(rows * width)
  columns.forEach((column, j) => {
    for (let i = 0; i < column.length; i++) matrix[i * width + j] = column[i]!
  })
  eliminate(matrix, rows, width, width)
  return matrix.slice(0, width * width)
}
