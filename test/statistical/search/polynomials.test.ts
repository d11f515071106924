import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as KnownForms from "../../../src/prob/KnownForms.ts"
import * as Rng from "../../../src/random/Rng.ts"

interface Case {
  readonly law: (row: ReadonlyArray<number>) => number
  readonly low: number
  readonly high: number
  readonly columns: number
  readonly rows: number
  /** relative to the standard deviation of y */
  readonly noise: number
}

/** Laws whose terms explain little by themselves. */
const cases: Readonly<Record<string, Case>> = {
  "a sum of five powers": {
    law: ([x]) => x! ** 7 - 2 * x! ** 5 + x! ** 4 - 3 * x! ** 2 + 0.5 * x!,
    low: -1.5,
    high: 1.5,
    columns: 1,
    rows: 25,
    noise: 0,
  },
  "a sum of five products in two columns": {
    law: ([x, y]) => x! ** 3 - 2.5 * x! * y! + 0.7 * y! ** 3 - 1.3 * y! + 0.4 * x!,
    low: -2,
    high: 2,
    columns: 2,
    rows: 60,
    noise: 0.001,
  },
  "the inverse of a sum of eight terms": {
    law: (row) => 7 / (3 + row.reduce((sum, x) => sum + (x - 2) ** 2, 0)),
    low: 0,
    high: 5,
    columns: 4,
    rows: 200,
    noise: 0,
  },
  "a quotient of polynomials": {
    law: ([x]) => (2 + x! - 3 * x! ** 2) / (1 + 0.5 * x! + 2 * x! ** 2),
    low: -2,
    high: 4,
    columns: 1,
    rows: 40,
    noise: 0,
  },
  "a quotient of polynomials, with noise": {
    law: ([x]) => (90 - 14 * x! + 0.3 * x! ** 2) / (1 - 0.15 * x! + 0.012 * x! ** 2),
    low: 0,
    high: 30,
    columns: 1,
    rows: 120,
    noise: 0.001,
  },
}

const fit = async ({ law, low, high, columns, rows, noise }: Case) => {
  const random = Rng.generator(Rng.fold(Rng.key(5), "polynomials"))
  const row = () => Array.from({ length: columns }, () => low + (high - low) * random.next())
  const X = Array.from({ length: rows }, row)
  const exact = X.map(law)
  const mean = exact.reduce((sum, value) => sum + value, 0) / rows
  const deviation = Math.sqrt(exact.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows)
  const y = exact.map((value) => value + noise * deviation * random.normal())
  const found = await Effect.runPromise(
    // Known forms have no part in it, and take most of the time of a ranking.
    Law.fit(
      { X, y },
      { effort: 100_000, workers: 1, known: KnownForms.none, search: { library: 1000 } },
    ).pipe(Effect.provide(Fit.seed(1))),
  )
  const others = Array.from({ length: 100 }, row)
  const predicted = found.predict(others)
  return Math.max(...others.map((one, i) => Math.abs(predicted[i]! - law(one)))) / deviation
}

describe("a search of sums and quotients of many terms", () => {
  it.each(Object.entries(cases))(
    "finds %s",
    async (_, one) => {
      expect(await fit(one)).toBeLessThan(Math.max(1e-6, 10 * one.noise))
    },
    120_000,
  )
})
