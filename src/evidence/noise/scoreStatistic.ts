import * as Real from "../../numeric/Real.ts"
import type { Prepared } from "./Deviations.ts"

/** A fit on rows 0 to n - 1: the law's values, residuals over their scales, and the scales, length n each. */
interface Fitted {
  readonly mean: Float64Array
  readonly residuals: Float64Array
  readonly scales: Float64Array
  /** the rows that are not wrong */
  readonly weighing: { readonly rows: Int32Array }
}

/**
 * The score statistic for another kind of noise than that of a fit, as a standard normal deviate: whether squared residuals grow with
 * the deviation that the kind has (Breusch and Pagan 1979). It needs no other fit.
 *
 * @param least the smallest magnitude of a mean that counts
 */
export const scoreStatistic = (
  { logarithms, scales: scalesOf }: Prepared,
  least: number,
  { mean, residuals, scales, weighing: { rows } }: Fitted,
): number => {
  const other = scalesOf(mean)
  let [sum, squares] = [0, 0]
  const logs = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) {
    const i = rows[k]!
    const size = logarithms ? Math.max(Math.abs(mean[i]!), least) : 1
    logs[k] = Real.log((other[i]! * size) / scales[i]!)
    sum += logs[k]!
    squares += residuals[i]! ** 2
  }
  const centre = sum / rows.length
  const variance = squares / rows.length
  let [cross, spread] = [0, 0]
  for (let k = 0; k < rows.length; k++) {
    const away = logs[k]! - centre
    cross += (residuals[rows[k]!]! ** 2 / variance - 1) * away
    spread += away * away
  }
  return spread > 0 ? cross / Math.sqrt(2 * spread) : 0
}
