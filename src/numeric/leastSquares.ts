import { backSubstitute, orthogonalise } from "./orthogonal.ts"

/** Least squares of one vector on columns. */
export interface LeastSquares {
  /** one for each column; 0 for columns inside the span of others */
  readonly coefficients: Float64Array
  /** the number of linearly independent columns */
  readonly rank: number
  /** what is left over, length n */
  readonly residual: Float64Array
  /** the sum of its squares */
  readonly rss: number
}

/**
 * Least squares by Gram-Schmidt with column pivoting: right for collinear, constant and zero columns, and for fits that
 * are exact. The first column is preferred among dependent ones.
 *
 * @param columns d columns of length n, finite and below 1e150 in magnitude
 * @param e length n
 */
export const leastSquares = (
  columns: ReadonlyArray<ArrayLike<number>>,
  e: ArrayLike<number>,
): LeastSquares => {
  const orthogonal = orthogonalise(columns, e)
  const { rank, residual, outside } = orthogonal
  return { coefficients: backSubstitute(orthogonal, orthogonal.projection), rank, residual, rss: outside }
}
