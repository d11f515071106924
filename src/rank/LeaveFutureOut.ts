import type * as Data from "../data/Data.ts"
import { rowsOf } from "../data/Split.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import * as Prediction from "./Prediction.ts"

/** How well a law predicts later rows from earlier ones. */
export interface LeaveFutureOut {
  /** root mean square of y less its prediction, in units of y */
  readonly rmse: number
  /** the mean log predictive density of a row, in nats, y in its own units */
  readonly logDensity: number
  /** the share of the rows inside the band of 90 % */
  readonly inside: number
  /** the number of rows that were predicted, each from the rows before it */
  readonly rows: number
  /** the number of times that the numbers of the law were fitted again */
  readonly fits: number
}

/** The share of the rows that come before the first prediction, the most fits, and the level of the band. */
const [begun, most, level] = [0.5, 20, 0.9]

/**
 * Leave-future-out validation of a law (Bürkner, Gabry and Vehtari 2020): the rows in the order of a column, such as time; the numbers of the law
 * fitted to the first half of them predict the next rows, then these are learned, too, and so on. The form of the law is not chosen again.
 *
 * *When to use*: for rows in time, or beyond a range: a law that interpolates well may extrapolate badly, which leave-one-out errors do not show.
 *
 * @param order the values that say the order of rows, length n; rows of one value are predicted together
 * @param under roots of the weights of rows, 0 for rows that do not count, and the known standard error of each row, where the noise has such; 1 if
 *   left out
 * @returns undefined where fewer rows come first than the law has numbers and two more, or it has no fit on them
 */
export const of = (
  law: FittedLaw.FittedLaw,
  data: Data.Dataset,
  order: ArrayLike<number>,
  { by, errors }: { readonly by?: Float64Array | undefined; readonly errors?: Float64Array | undefined } = {},
): LeaveFutureOut | undefined => {
  const sorted = Array.from({ length: data.rows }, (_, i) => i)
    .filter((i) => by?.[i] !== 0)
    .sort((a, b) => order[a]! - order[b]!)
  /** The first place at or after one where the order has a new value. */
  const edge = (place: number): number => {
    let at = place
    while (at < sorted.length && order[sorted[at]!] === order[sorted[at - 1]!]) at++
    return at
  }
  const first = edge(Math.max(law.names.length + 2, Math.ceil(begun * sorted.length)))
  const length = Math.max(1, Math.ceil((sorted.length - first) / most))
  const part = (from: number, to: number) => {
    const rows = sorted.slice(from, to)
    const own = (column: Float64Array | undefined) => column && Float64Array.from(rows, (i) => column[i]!)
    return { data: rowsOf(data, rows), by: own(by), errors: own(errors) }
  }
  let [squares, logDensity, inside, rows, fits] = [0, 0, 0, 0, 0]
  let values = law.values
  for (let from = first; from < sorted.length;) {
    const to = edge(from + length)
    const [past, next] = [part(0, from), part(from, to)]
    const found = FormulaFit.fit(law.formula, law.names, past.data, past.by, values)
    if (found === undefined) return undefined
    values = found.values
    // Heavy tails keep the scale of the whole fit, which no weighted sum of squares is.
    const sigma = law.noise.degrees === undefined ? undefined : law.sigma
    const again = FittedLaw.make({ ...law, values }, past.data, { noise: law.noise, by: past.by, sigma })
    const there = { ...next.data, count: to - from, errors: next.errors }
    const predicted = Prediction.make([{ law: again, probability: 1 }], there, [level])
    const densities = Prediction.logDensity(again, there, next.data.y)
    const [band] = predicted.bands
    next.data.y.forEach((value, i) => {
      squares += (value - predicted.mean[i]!) ** 2
      logDensity += densities[i]!
      inside += Number(value >= band!.predictive.low[i]! && value <= band!.predictive.high[i]!)
    })
    rows += to - from
    fits++
    from = to
  }
  if (rows === 0) return undefined
  return { rmse: Math.sqrt(squares / rows), logDensity: logDensity / rows, inside: inside / rows, rows, fits }
}
