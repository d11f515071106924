import { describe, expect, it } from "vitest"
import * as Rng from "../../../src/random/Rng.ts"
import { farthest, type SampledLaw } from "../../support/sampledLaw.ts"

/** Laws whose terms explain little by themselves. */
const cases: Readonly<Record<string, SampledLaw>> = {
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

describe("a search of sums and quotients of many terms", () => {
  it.each(Object.entries(cases))(
    "finds %s",
    async (_, one) => {
      const search = { key: Rng.fold(Rng.key(5), "polynomials"), effort: 100_000 }
      expect(await farthest(one, search)).toBeLessThan(Math.max(1e-6, 10 * one.noise))
    },
    120_000,
  )
})
