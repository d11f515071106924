import { describe, expect, it } from "vitest"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import { whole } from "../../../src/internal/whole.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Polynomials from "../../../src/search/Polynomials.ts"

const n = 40
const key = Rng.key(7)
const x = Rng.uniform(Rng.fold(key, "x"), new Float64Array(n)).map((u) => 2 * u - 1)
const noise = Rng.normal(Rng.fold(key, "noise"), new Float64Array(n))
const ones = new Float64Array(n).fill(1)
const power = (k: number): Float64Array => x.map((value) => value ** k)
const powers = (top: number): ReadonlyArray<Float64Array> =>
  Array.from({ length: top }, (_, k) => power(k + 1))

const found = (...given: Parameters<typeof Polynomials.of>) => whole(Polynomials.of(...given))

describe("sums of columns by backward elimination", () => {
  it("have the terms and coefficients of a law without noise, and no others", () => {
    const z = x.map((value) => 3 + value ** 8 - 2 * value ** 5 + 0.5 * value ** 2)
    const [best] = found(powers(9), z, ones)
    expect(best!.terms).toEqual([1, 4, 7])
    expect([...best!.coefficients]).toEqual([
      expect.closeTo(0.5, 9),
      expect.closeTo(-2, 9),
      expect.closeTo(1, 9),
    ])
  })

  it("of few columns are the best of all subsets by the criterion of Schwarz", () => {
    const z = x.map((value, i) => value ** 4 - value ** 3 + 0.05 * noise[i]!)
    const columns = powers(5)
    const criterion = (terms: ReadonlyArray<number>): number =>
      n * Math.log(leastSquares([ones, ...terms.map((j) => columns[j]!)], z).rss / n) +
      terms.length * Math.log(n)
    const all = Array.from({ length: 31 }, (_, subset) =>
      columns.flatMap((_, j) => (((subset + 1) >> j) % 2 === 1 ? [j] : [])),
    ).sort((a, b) => criterion(a) - criterion(b))
    expect(found(columns, z, ones).map(({ terms }) => terms)).toEqual(all.slice(0, 5))
  })

  it("have the standard errors of least squares", () => {
    const z = x.map((value, i) => 2 * value + 0.1 * noise[i]!)
    const own = found([x], z, ones)[0]!
    const mean = x.reduce((sum, value) => sum + value, 0) / n
    const spread = x.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    const { rss } = leastSquares([ones, x], z)
    expect(own.deviations[0]).toBeCloseTo(Math.sqrt(rss / (n - 2) / spread), 12)
  })

  it("heed the weights of rows", () => {
    const wrong = x.map((value, i) => (i % 4 === 0 ? 100 : value ** 8 - value ** 3))
    const weights = x.map((_, i) => (i % 4 === 0 ? 0 : 1))
    expect(found(powers(9), wrong, weights)[0]!.terms).toEqual([2, 7])
  })

  it("are nothing of responses that are not finite", () => {
    expect(found([x], new Float64Array(n).fill(NaN), ones)).toEqual([])
  })
})

describe("groups of terms", () => {
  const sum = {
    terms: [0, 2, 3, 5],
    coefficients: Float64Array.of(1, -1, 2, 1.02),
    deviations: Float64Array.of(0.01, 0.01, 0.01, 0.01),
  }
  it("have coefficients that are equal but for rounding and signs", () => {
    expect(Polynomials.grouped(sum, 0)).toMatchObject([
      {
        coefficient: 1,
        terms: [
          { column: 0, isNegative: false },
          { column: 2, isNegative: true },
        ],
      },
      { coefficient: 2, terms: [{ column: 3, isNegative: false }] },
      { coefficient: 1.02, terms: [{ column: 5, isNegative: false }] },
    ])
  })
  it("have those that are equal within standard errors, where these are asked for", () => {
    expect(Polynomials.grouped(sum, 2).map(({ terms }) => terms.length)).toEqual([3, 1])
  })
})
