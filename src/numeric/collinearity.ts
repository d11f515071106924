import { leastSquares } from "./leastSquares.ts"
import { dot } from "./orthogonal.ts"

/** Columns with less than this share of their square outside of the span of others lie in it. */
export const dependent = 1e-10

/** The length of a column. */
export const length = (column: Float64Array): number => Math.sqrt(dot(column, column))

/** Of each column the share of its length outside of the span of the others, in [0, 1]; 0 of a column of zeros. */
export const shares = (columns: ReadonlyArray<Float64Array>): ReadonlyArray<number> =>
  columns.map((column, j) => {
    const whole = length(column)
    return whole === 0 ? 0 : length(leastSquares(columns.toSpliced(j, 1), column).residual) / whole
  })
