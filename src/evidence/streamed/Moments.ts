import * as Cholesky from "../../numeric/cholesky.ts"
import { backSubstitute, dot, orthogonalise } from "../../numeric/orthogonal.ts"
import type { Regression } from "../responseFit.ts"

/** Least squares from the moments of all rows. */
export interface Solved {
  /** the sum of squared residuals at the solution, and before it */
  readonly rss: number
  readonly square: number
  /** the change of each coefficient from where residuals were taken; 0 for columns in the span of others */
  readonly change: Float64Array
  /** (D'D)^-1 of all columns, d x d row-major; 0 for columns in the span of others */
  readonly covariance: () => Float64Array
  /**
   * A regression on d + 2 rows with the same sums of squares as that on all rows, as `condensed` makes it.
   *
   * @param at the coefficients at which residuals were taken
   */
  readonly condensed: (at: Float64Array) => Regression
}

/** Sums over rows that are seen in parts: a Gram matrix, cross moments with residuals, and their square. */
export interface Moments {
  /** the number of linearly independent columns on the sample */
  readonly rank: number
  /** @param columns d columns of a part, and its residuals; columns are overwritten */
  readonly add: (columns: ReadonlyArray<Float64Array>, residual: Float64Array) => void
  /** Undefined where a value was not finite, or columns that are independent on the sample are not on all rows. */
  readonly solve: () => Solved | undefined
}

/**
 * Moments of columns in directions that are orthonormal on a sample of the rows: there the Gram matrix is nearly a multiple of the identity,
 * and of residuals at the solution of the sample next to nothing is explained. So no digits are lost as they are in the normal equations of
 * the columns themselves.
 *
 * @param sample the d columns on the rows of a sample
 */
export const make = (sample: ReadonlyArray<Float64Array>): Moments => {
  const d = sample.length
  const m = sample[0]?.length ?? 0
  const basis = orthogonalise(sample, new Float64Array(m))
  const { pivots, rank, triangle, scale } = basis
  const kept = pivots.slice(0, rank)
  const unit = (k: number): Float64Array =>
    Float64Array.from({ length: rank }, (_, row) => (row === k ? 1 : 0))
  const root = Math.sqrt(m)
  // Column k of the way from columns to directions: T = D Z, with T'T = m on the sample.
  const way = Array.from({ length: rank }, (_, k) =>
    backSubstitute(basis, unit(k)).map((value) => value * root),
  )
  const gram = new Float64Array(rank * rank)
  const cross = new Float64Array(rank)
  let square = 0
  const add: Moments["add"] = (columns, residual) => {
    // From the last direction on, a column is not needed again in its own place.
    for (let k = rank - 1; k >= 0; k--) {
      const into = columns[kept[k]!]!
      const own = way[k]![kept[k]!]!
      for (let i = 0; i < into.length; i++) into[i]! *= own
      for (let j = 0; j < k; j++) {
        const by = way[k]![kept[j]!]!
        const from = columns[kept[j]!]!
        if (by !== 0) for (let i = 0; i < into.length; i++) into[i]! += by * from[i]!
      }
    }
    for (let k = 0; k < rank; k++) {
      const one = columns[kept[k]!]!
      cross[k]! += dot(one, residual)
      for (let j = 0; j <= k; j++) gram[k * rank + j]! += dot(one, columns[kept[j]!]!)
    }
    square += dot(residual, residual)
  }
  const solve: Moments["solve"] = () => {
    if (![...gram, ...cross, square].every(Number.isFinite)) return undefined
    const cholesky = Cholesky.make(rank)
    Cholesky.decompose(gram, cholesky)
    const { factor, scale: own } = cholesky
    for (let k = 0; k < rank; k++)
      if (!(factor[k * (rank + 1)]! ** 2 > 2 * Cholesky.leastPivot)) return undefined
    const solution = new Float64Array(rank)
    Cholesky.solve(cholesky, cross, solution)
    const change = new Float64Array(d)
    way.forEach((column, k) => column.forEach((by, j) => (change[j]! += by * solution[k]!)))
    /** The rows of L, G = L L'. */
    const lower = (row: number, column: number): number => factor[row * rank + column]! / own[row]!
    return {
      rss: Math.max(0, square - dot(cross, solution)),
      square,
      change,
      covariance: () => {
        const inverse = Cholesky.inverse(gram)
        const out = new Float64Array(d * d)
        for (const [k, one] of way.entries())
          for (const [l, other] of way.entries())
            for (let i = 0; i < d; i++)
              for (let j = 0; j < d; j++) out[i * d + j]! += one[i]! * inverse[k * rank + l]! * other[j]!
        return out
      },
      condensed: (at) => {
        // D = Q L' R S^-1 / sqrt(m), with R S^-1 the triangle of the sample.
        const design = sample.map((_, k) =>
          Float64Array.from({ length: d + 2 }, (__, row) => {
            let sum = 0
            for (let l = row; l < rank; l++)
              sum += (lower(l, row) * triangle[l * d + k]!) / (scale[k]! * root)
            return sum
          }),
        )
        const y = new Float64Array(d + 2)
        // L^-1 times the cross moments: what residuals have along the columns.
        let left = square
        for (let row = 0; row < rank; row++) {
          let sum = cross[row]!
          for (let l = 0; l < row; l++) sum -= lower(row, l) * y[l]!
          y[row] = sum / lower(row, row)
          left -= y[row]! ** 2
        }
        y[rank] = Math.sqrt(Math.max(0, left))
        design.forEach((column, k) => column.forEach((value, row) => (y[row]! += value * at[k]!)))
        return { y, way: undefined, design }
      },
    }
  }
  return { rank, add, solve }
}
