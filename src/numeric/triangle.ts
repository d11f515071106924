import { backSubstitute, orthogonalise } from "./orthogonal.ts"
import * as Real from "./Real.ts"

/** The factor of a few independent columns A, for least squares and standard errors. */
export interface Triangle {
  /** argmin_t |A t - e| */
  readonly solve: (e: ArrayLike<number>) => Float64Array
  /** sqrt(v' (A'A)^-1 v) */
  readonly norm: (v: ArrayLike<number>) => number
  /** log det (A'A) / 2 */
  readonly logDeterminant: number
}

/**
 * Factors A = Q R once, for many right-hand sides.
 *
 * @param columns of one length; none is allowed
 * @returns undefined when they are linearly dependent
 */
export const triangle = (columns: ReadonlyArray<Float64Array>): Triangle | undefined => {
  const d = columns.length
  if (d === 0) return { solve: () => new Float64Array(0), norm: () => 0, logDeterminant: 0 }
  const orthogonal = orthogonalise(columns, new Float64Array(columns[0]!.length))
  const { pivots, rank, triangle: r, scale } = orthogonal
  if (rank < d) return undefined
  let logDeterminant = 0
  for (let row = 0; row < d; row++) {
    const own = pivots[row]!
    logDeterminant += Real.log(Math.abs(r[row * d + own]! / scale[own]!))
  }
  /** R'w = v: forward, in pivot order */
  const forward = (v: ArrayLike<number>): Float64Array => {
    const w = new Float64Array(d)
    for (let row = 0; row < d; row++) {
      const own = pivots[row]!
      let left = v[own]! * scale[own]!
      for (let above = 0; above < row; above++) left -= r[above * d + own]! * w[above]!
      w[row] = left / r[row * d + own]!
    }
    return w
  }
  const product = (e: ArrayLike<number>): ArrayLike<number> =>
    columns.map((column) => column.reduce((sum, value, i) => sum + value * e[i]!, 0))
  return {
    logDeterminant,
    // The normal equations through R, refined once: as good as Q'e.
    solve: (e) => {
      const first = backSubstitute(orthogonal, forward(product(e)))
      const residual = Float64Array.from(e).map(
        (value, i) => value - columns.reduce((sum, column, j) => sum + column[i]! * first[j]!, 0),
      )
      const correction = backSubstitute(orthogonal, forward(product(residual)))
      return first.map((value, j) => value + correction[j]!)
    },
    norm: (v) => Math.sqrt(forward(v).reduce((sum, value) => sum + value * value, 0)),
  }
}
