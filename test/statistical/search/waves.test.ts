// Waves whose frequencies no rough value shows: in two columns at once, of many periods, beside a trend, in a product.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as KnownForms from "../../../src/prob/KnownForms.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Moves from "../../../src/search/Moves.ts"

interface Case {
  readonly law: (row: ReadonlyArray<number>) => number
  readonly low: number
  readonly high: number
  readonly columns: number
  readonly rows: number
  /** relative to the standard deviation of y */
  readonly noise: number
}

const cases: Readonly<Record<string, Case>> = {
  "that travels": {
    law: ([x, t]) => 2 * Math.sin(3.1 * x! - 4.7 * t! + 0.3),
    low: 0,
    high: 4,
    columns: 2,
    rows: 200,
    noise: 0.1,
  },
  "that travels beside a product": {
    law: ([x, t]) => x! * t! + Math.sin(3.1 * x! - 4.7 * t!),
    low: 0,
    high: 4,
    columns: 2,
    rows: 150,
    noise: 0.005,
  },
  "of 45 periods": {
    law: ([x]) => 3 + 0.7 * Math.sin(71 * x! + 1),
    low: 0,
    high: 4,
    columns: 1,
    rows: 200,
    noise: 0.1,
  },
  "beside a trend": {
    law: ([x]) => 0.4 * x! ** 2 + 0.7 * Math.sin(21 * x! + 1),
    low: 0,
    high: 4,
    columns: 1,
    rows: 100,
    noise: 0.02,
  },
  "in a product": {
    law: ([x, t]) => Math.sin(9.1 * x! * t!) ** 2,
    low: 0,
    high: 2,
    columns: 2,
    rows: 120,
    noise: 0.001,
  },
}

describe("a wave", () => {
  it.each(Object.entries(cases))(
    "%s is found",
    async (_, { law, low, high, columns, rows, noise }) => {
      const random = Rng.generator(Rng.fold(Rng.key(7), "waves"))
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
          {
            effort: 250_000,
            workers: 1,
            known: KnownForms.none,
            search: { library: 1000, moves: [...Moves.all, Moves.waves] },
          },
        ).pipe(Effect.provide(Fit.seed(1))),
      )
      const others = Array.from({ length: 100 }, row)
      const predicted = found.predict(others)
      const farthest = Math.max(...others.map((one, i) => Math.abs(predicted[i]! - law(one)))) / deviation
      expect(farthest).toBeLessThan(Math.max(1e-3, 2 * noise))
    },
    60_000,
  )
})
