import type { Dataset } from "vasst/data/Data"
import { compileColumn } from "vasst/expr/evaluate"
import * as Term from "vasst/expr/Term"
import type { Model } from "vasst/rank/Model"
import { pow } from "../../../src/numeric/Power.ts"
import * as Prediction from "../../../src/rank/Prediction.ts"
import type { Drawn, Points } from "./Messages.ts"

/** The most rows that a plot shows. */
const most = 2000
/** The number of places of a curve. */
const places = 200
/** The share of new values that a band holds. */
const level = 0.9

/** Rows for plots: all, or as many as a plot shows, evenly over the table. */
export const points = (data: Dataset): Points => ({
  columns: Object.fromEntries(data.features.map((name, j) => [name, rowsOf(data, data.columns[j]!)])),
  y: rowsOf(data, data.y),
})

/** The values of these rows. */
export const rowsOf = ({ rows }: Dataset, values: Float64Array): Float64Array => {
  const every = Math.max(1, Math.ceil(rows / most))
  return values.filter((_, row) => row % every === 0)
}

/** Places from the least to the largest value of a column, even on the axis that shows them. */
const along = (column: Float64Array): Float64Array => {
  const sorted = column.toSorted()
  const [least, largest] = [sorted[0]!, sorted.at(-1)!]
  const logarithmic = least > 0 && largest > 30 * least
  return Float64Array.from({ length: places }, (_, k) => {
    const share = k / (places - 1)
    return logarithmic ? least * pow(largest / least, share) : least + share * (largest - least)
  })
}

/** The values of a law on the rows of plots; of a law of one column its curve with the band of new values too. */
export const of = (model: Pick<Model, "expression" | "law">, { columns, y }: Points): Drawn => {
  const values = new Float64Array(y.length)
  const features = Object.keys(columns)
  compileColumn(model.expression, features)(Object.values(columns), values)
  const [column, ...others] = Term.variables(model.expression)
  const data = column === undefined ? undefined : columns[column]
  if (column === undefined || data === undefined || others.length > 0) return { values, curve: undefined }
  const x = along(data)
  const line = new Float64Array(x.length)
  compileColumn(model.expression, [column])([x], line)
  const law = model.law()
  const band =
    law &&
    Prediction.make([{ law, probability: 1 }], { features: [column], columns: [x], count: x.length }, [level])
      .bands[0]?.predictive
  return { values, curve: { column, x, y: line, low: band?.low, high: band?.high } }
}
