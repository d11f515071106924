import type * as Term from "../../expr/Term.ts"
import * as Output from "../Output.ts"
import * as FormulaRows from "./FormulaRows.ts"

/** The fit of numbers that several formulas share. */
export interface SharedFit {
  /** one for each name */
  readonly values: Float64Array
  /** the weighted residual sum of squares of each output */
  readonly rss: ReadonlyArray<number>
}

/** Rounds of scales, and the relative change of sums of squares that ends them: the objective is flat at its minimum, and changes by the square of it. */
const [rounds, settled] = [8, 1e-4]

/** Columns of several outputs as one, each in units of its scale. */
const joined = (
  columns: ReadonlyArray<Float64Array>,
  units: ReadonlyArray<number>,
  rows: number,
): Float64Array => {
  const out = new Float64Array(rows)
  let at = 0
  columns.forEach((column, k) => {
    for (let i = 0; i < column.length; i++) out[at++] = column[i]! / units[k]!
  })
  return out
}

/**
 * Fits numbers that formulas of several outputs share, each output with a noise scale of its own: the minimum of
 *
 *     sum_k n_k log (rss_k + rounding_k)
 *
 * by Gauss-Newton steps under scales that are computed again from the residuals (iterated weighted least squares). One output is one weighted
 * fit: its scale changes nothing.
 *
 * @param formulas one for each output, over its columns and the names
 * @param start values to begin from
 * @returns undefined where a formula or a derivative is not finite on every row at the start
 */
export const fit = (
  outputs: ReadonlyArray<Output.Output>,
  formulas: ReadonlyArray<Term.Term>,
  names: ReadonlyArray<string>,
  start: Float64Array,
): SharedFit | undefined => {
  const parts = outputs.map(({ data, weights }, k) =>
    FormulaRows.make(formulas[k]!, names, data, weights?.by),
  )
  const rows = outputs.reduce((sum, { data }) => sum + data.rows, 0)
  const rssOf = (values: Float64Array): ReadonlyArray<number> =>
    parts.map(({ residual }) => FormulaRows.square(residual(values)))
  if (names.length === 0) {
    const rss = rssOf(start)
    return rss.every(Number.isFinite) ? { values: start, rss } : undefined
  }
  let squares: ReadonlyArray<number> = outputs.map(({ target }) => target.tss)
  let values = start
  for (let round = 0; round < rounds; round++) {
    const units = outputs.map((one, k) =>
      Math.sqrt((squares[k]! + one.target.rounding) / Output.counted(one)),
    )
    const found = FormulaRows.follow(
      {
        residual: (at) =>
          joined(
            parts.map(({ residual }) => residual(at)),
            units,
            rows,
          ),
        slopes: (at) => {
          const slopes = parts.map((part) => part.slopes(at))
          return names.map((_, j) =>
            joined(
              slopes.map((own) => own[j]!),
              units,
              rows,
            ),
          )
        },
      },
      values,
    )
    if (found === undefined) return undefined
    values = found.values
    const next = rssOf(values)
    const change = next.map((one, k) => Math.abs(one - squares[k]!) / (one + outputs[k]!.target.rounding))
    squares = next
    if (outputs.length === 1 || change.every((one) => one < settled)) break
  }
  return { values, rss: squares }
}
