/** Columns made orthonormal under weights, after the intercept, and the map back to coefficients of the columns. */
export interface Basis {
  readonly columns: ReadonlyArray<Float64Array>
  /** coefficients of [1, t_1, ..., t_K] from those of [1, u_1, ..., u_p] */
  readonly back: (x: ArrayLike<number>) => Float64Array
}

/** A column with less than this fraction of its length outside of the span of the previous columns lies in the span. */
const dependent = 1e-10

/** Gram-Schmidt orthogonalisation under weights, done twice for accuracy, in the given order. */
export const basisOf = (columns: ReadonlyArray<Float64Array>, weights: Float64Array): Basis => {
  const inner = (a: Float64Array, b: Float64Array): number => {
    let sum = 0
    for (let i = 0; i < a.length; i++) sum += weights[i]! * a[i]! * b[i]!
    return sum
  }
  const mass = weights.reduce((sum, weight) => sum + weight, 0)
  const kept: Array<Float64Array> = []
  /** the coefficients of each direction over [1, t_1, ..., t_K] */
  const rows: Array<Float64Array> = []
  columns.forEach((column, k) => {
    const u = new Float64Array(column)
    const row = new Float64Array(columns.length + 1)
    row[k + 1] = 1
    const length = Math.sqrt(inner(u, u))
    for (let pass = 0; pass < 2; pass++) {
      let mean = 0
      for (let i = 0; i < u.length; i++) mean += weights[i]! * u[i]!
      mean /= mass
      for (let i = 0; i < u.length; i++) u[i]! -= mean
      row[0]! -= mean
      kept.forEach((other, j) => {
        const by = inner(u, other)
        for (let i = 0; i < u.length; i++) u[i]! -= by * other[i]!
        row.forEach((_, m) => (row[m]! -= by * rows[j]![m]!))
      })
    }
    const left = Math.sqrt(inner(u, u))
    if (!(left > dependent * length)) return
    for (let i = 0; i < u.length; i++) u[i]! /= left
    kept.push(u)
    rows.push(row.map((value) => value / left))
  })
  return {
    columns: kept,
    back: (x) => {
      const out = new Float64Array(columns.length + 1)
      out[0] = x[0]!
      rows.forEach((row, j) => row.forEach((value, m) => (out[m]! += x[j + 1]! * value)))
      return out
    },
  }
}
