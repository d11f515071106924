import { dot, outside } from "../numeric/orthogonal.ts"

/** A column of which less than this share is outside of the span of others is in the span. */
const dependent = 1e-10
/** A row whose hat value is nearer to 1 determines a parameter by itself. */
const saturated = 1e-9

/**
 * Hat values h_i of a weighted least squares fit: the diagonal of J (J'W J)^-1 J'W, length n (Hoaglin and Welsch 1978).
 * Columns inside the span of others do not count.
 *
 * @param columns of J, the derivatives of fitted values by each parameter, length n each
 * @param by square roots of the weights W, length n; all 1 if left out
 */
export const hatValues = (
  columns: ReadonlyArray<Float64Array>,
  rows: number,
  by?: Float64Array,
): Float64Array => {
  const hat = new Float64Array(rows)
  const basis: Array<Float64Array> = []
  for (const column of columns) {
    // The law may not be defined on a row of weight 0.
    const own = column.map((value, i) => (by?.[i] === 0 ? 0 : value * (by?.[i] ?? 1)))
    const peak = own.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (!(peak > 0 && peak < Infinity)) continue
    for (let i = 0; i < rows; i++) own[i]! /= peak
    const before = dot(own, own)
    outside(own, basis)
    const square = dot(own, own)
    if (!(square > dependent ** 2 * before)) continue
    const length = Math.sqrt(square)
    for (let i = 0; i < rows; i++) {
      own[i]! /= length
      hat[i]! += own[i]! ** 2
    }
    basis.push(own)
  }
  return hat
}

/**
 * The leave-one-out error of a least squares fit: root mean square of e_i / (1 - h_i), the residuals of each row from a fit to
 * all others, in units of the residuals. Exact where fitted values are linear in the parameters (Allen's PRESS, 1974); to first
 * order (one step of Gauss and Newton from the fit to all rows) where they are not.
 *
 * *When to use*: to compare predictions where no rows are set aside. Each row is new to the fit that predicts it.
 *
 * @param residuals y less fitted values, length n
 * @param columns the derivatives of fitted values by each parameter, length n each
 * @param by square roots of weights; rows of weight 0 have no error
 * @param alone the errors of rows that determine a parameter by themselves, length n: without the row there is no fit that predicts it. Infinite if
 * left out
 */
export const rmse = (
  residuals: Float64Array,
  columns: ReadonlyArray<Float64Array>,
  by?: Float64Array,
  alone?: Float64Array,
): number => {
  const hat = hatValues(columns, residuals.length, by)
  let [sum, count] = [0, 0]
  for (let i = 0; i < residuals.length; i++) {
    if (by?.[i] === 0) continue
    const left = 1 - hat[i]!
    sum += (left > saturated ? residuals[i]! / left : (alone?.[i] ?? Infinity)) ** 2
    count++
  }
  return Math.sqrt(sum / count)
}
