// A law sampled on random rows, fitted, and compared with the fit where there are no rows.
import * as Effect from "effect/Effect"
import * as Fit from "../../src/infer/Fit.ts"
import * as Law from "../../src/models/law.ts"
import * as KnownForms from "../../src/prob/KnownForms.ts"
import * as Rng from "../../src/random/Rng.ts"

export interface SampledLaw {
  readonly law: (row: ReadonlyArray<number>) => number
  /** the range of each column */
  readonly low: number
  readonly high: number
  readonly columns: number
  readonly rows: number
  /** relative to the standard deviation of y */
  readonly noise: number
}

interface Search {
  /** of the rows and the noise */
  readonly key: Rng.Key
  readonly effort: number
}

/** The largest difference between a law and its fit on a hundred other rows, in standard deviations of y. */
export const farthest = async (
  { law, low, high, columns, rows, noise }: SampledLaw,
  { key, effort }: Search,
): Promise<number> => {
  const random = Rng.generator(key)
  const row = () => Array.from({ length: columns }, () => low + (high - low) * random.next())
  const X = Array.from({ length: rows }, row)
  const exact = X.map(law)
  const mean = exact.reduce((sum, value) => sum + value, 0) / rows
  const deviation = Math.sqrt(exact.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows)
  const y = exact.map((value) => value + noise * deviation * random.normal())
  const found = await Effect.runPromise(
    // Known forms have no part in it, and take most of the time of a ranking.
    Law.fit({ X, y }, { effort, workers: 1, known: KnownForms.none, search: { library: 1000 } }).pipe(
      Effect.provide(Fit.seed(1)),
    ),
  )
  const others = Array.from({ length: 100 }, row)
  const predicted = found.predict(others)
  return Math.max(...others.map((one, i) => Math.abs(predicted[i]! - law(one)))) / deviation
}
