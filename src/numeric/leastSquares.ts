import { backSubstitute, orthogonalise } from "./orthogonal.ts"

export interface LeastSquares {
  /** one coefficient for each column; 0 for columns inside the span of others */
  readonly coefficients: Float64Array
  /** the number of linearly independent columns */
  readonly rank: number
  /** e less the fit, length n */
  readonly residual: Float64Array
  /** the sum of squared residuals */
  readonly rss: number
}

/**
 * Least squares by Gram-Schmidt with column pivoting, for collinear, constant and zero columns too, and for exact fits.
 * Among dependent columns the first is preferred. *When to use*: without a prior of the coefficients; `ridge` with one,
 * `triangle` for many right-hand sides.
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
