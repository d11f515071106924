import { backSubstitute, orthogonalise } from "./orthogonal.ts"
import * as Real from "./Real.ts"

/** The factor of a few independent columns A, for least squares and standard errors. */
export interface Triangle {
  /** argmin_t |A t - e| */
  readonly solve: (e: ArrayLike<number>) => Float64Array
  /** The vector w of v with u' (A'A)^-1 v as the product of those of u and v, both as long as t. */
  readonly whitened: (v: ArrayLike<number>) => Float64Array
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
  if (d === 0) {
    const nothing = (): Float64Array => new Float64Array(0)
    return { solve: nothing, whitened: nothing, norm: () => 0, logDeterminant: 0 }
  }
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
  const product = (e: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(d)
    for (let j = 0; j < d; j++) {
      const column = columns[j]!
      for (let i = 0; i < column.length; i++) out[j]! += column[i]! * e[i]!
    }
    return out
  }
  /** e - A t */
  const rest = (e: ArrayLike<number>, t: Float64Array): Float64Array => {
    const out = new Float64Array(e.length)
    for (let i = 0; i < out.length; i++) {
      let sum = 0
      for (let j = 0; j < d; j++) sum += columns[j]![i]! * t[j]!
      out[i] = e[i]! - sum
    }
    return out
  }
  return {
    logDeterminant,
    // The normal equations through R, refined once: as good as Q'e.
    solve: (e) => {
      const first = backSubstitute(orthogonal, forward(product(e)))
      const correction = backSubstitute(orthogonal, forward(product(rest(e, first))))
      return first.map((value, j) => value + correction[j]!)
    },
    whitened: forward,
    norm: (v) => Math.sqrt(forward(v).reduce((sum, value) => sum + value * value, 0)),
  }
}
