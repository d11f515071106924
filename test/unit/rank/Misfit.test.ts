import { describe, expect, it } from "vitest"
import * as Misfit from "../../../src/rank/Misfit.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as GoodnessOfFit from "../../../src/testing/goodnessOfFit.ts"

const normal = (n: number, seed: number): Float64Array =>
  Rng.normal(Rng.fold(Rng.key(seed), "misfit"), new Float64Array(n))

/** All orders of signs with some of them true. */
const orders = (n: number, trues: number): ReadonlyArray<ReadonlyArray<boolean>> =>
  n === 0
    ? trues === 0
      ? [[]]
      : []
    : [
        ...orders(n - 1, trues).map((rest) => [false, ...rest]),
        ...orders(n - 1, trues - 1).map((rest) => [true, ...rest]),
      ]

const count = (signs: ReadonlyArray<boolean>): number =>
  1 + signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length

describe("the runs test", () => {
  it.each([
    [9, 4],
    [10, 3],
    [8, 5],
  ])("has the p-value of enumeration, %i signs", (n, trues) => {
    const all = orders(n, trues)
    for (const signs of all.filter((_, i) => i % 7 === 0))
      expect(Misfit.runs(signs)).toBeCloseTo(
        all.filter((other) => count(other) <= count(signs)).length / all.length,
        12,
      )
  })

  it("says nothing of two signs of a kind", () => {
    expect(Misfit.runs([true, true, false, false, false, false])).toBe(1)
  })
})

describe("the test of a trend", () => {
  it("has uniform p-values for noise of any distribution, failure rate 1e-4 each", () => {
    const [rows, repeats] = [60, 500]
    for (const power of [1, 5]) {
      const pValues = Array.from({ length: repeats }, (_, seed) =>
        Misfit.curve(
          normal(rows, 2 * seed).map((value) => value ** power),
          normal(rows, 2 * seed + 1),
        ),
      )
      expect(GoodnessOfFit.kolmogorovSmirnov(pValues, (p) => p).pValue).toBeGreaterThan(1e-4)
    }
  })

  it("sees a parabola and a wave in noise", () => {
    const axis = normal(200, 1)
    const noise = normal(200, 2)
    expect(
      Misfit.curve(
        noise.map((value, i) => value + axis[i]! ** 2),
        axis,
      ),
    ).toBeLessThan(1e-8)
    expect(
      Misfit.curve(
        noise.map((value, i) => value + 2 * Math.sin(2 * axis[i]!)),
        axis,
      ),
    ).toBeLessThan(1e-8)
  })

  it("finds no order of eight rows rarer than one of 8! and its reverse", () => {
    expect(Misfit.curve([1, 2, 3, 5, 8, 13, 21, 34], [1, 2, 3, 4, 5, 6, 7, 8])).toBeCloseTo(2 / 40_320, 12)
  })

  it("is defined along a column of two values", () => {
    const p = Misfit.curve(
      normal(50, 3),
      Float64Array.from({ length: 50 }, (_, i) => i % 2),
    )
    expect(p).toBeGreaterThan(0)
    expect(p).toBeLessThan(1)
  })
})

describe("of", () => {
  it("names the column along which residuals are not noise", () => {
    const [a, b] = [normal(300, 4), normal(300, 5)]
    const residuals = normal(300, 6).map((value, i) => value + b[i]! ** 2)
    const found = Misfit.of(
      residuals,
      [
        { name: "a", values: a },
        { name: "b", values: b },
      ],
      0,
    )
    expect(found).toMatchObject({ along: "b" })
    expect(found!.pValue).toBeLessThan(1e-6)
  })

  it("corrects for the number of tests: of 400 tables of noise at most 5 % are below 0.05, failure rate 1e-4", () => {
    const below = Array.from({ length: 400 }, (_, seed) => {
      const [residuals, a, b] = [0, 1, 2].map((part) => normal(40, 10_000 + 3 * seed + part))
      const axes = [a!, b!].map((values, j) => ({ name: `x${j}`, values }))
      return Misfit.of(residuals!, axes, 0)!.pValue
    }).filter((p) => p < 0.05).length
    // P(Binomial(400, 0.05) > 38) = 1e-4.
    expect(below).toBeLessThanOrEqual(38)
  })

  it("has no opinion of rounding errors and of few rows", () => {
    expect(
      Misfit.of(
        Float64Array.from({ length: 50 }, (_, i) => i * 1e-16),
        [],
        1e-12,
      ),
    ).toBeUndefined()
    expect(Misfit.of(Float64Array.of(1, 2, 3, 4, 5), [], 0)).toBeUndefined()
  })

  it("looks at fewer rows and axes once it is late, and counts the tests that were made", () => {
    const residuals = normal(10_000, 7)
    const b = residuals.map((value, i) => value ** 3 + residuals[(i + 1) % 10_000]!)
    const axis = (values: Float64Array, j: number) => ({ name: `x${j}`, values })
    const others = (count: number) => Array.from({ length: count }, (_, j) => axis(normal(10_000, 10 + j), j))
    const [all, few] = [false, true].map((late) =>
      Misfit.of(residuals, [...others(3), axis(b, 99)], 0, () => late),
    )
    expect(all).toMatchObject({ along: "x99" })
    // 250 rows say the same, less surely.
    expect(few).toMatchObject({ along: "x99" })
    expect(few!.pValue).toBeLessThan(1e-6)
    expect(few!.pValue).toBeGreaterThan(all!.pValue)
    expect(Misfit.of(residuals, [...others(40), axis(b, 99)], 0, () => true)!.along).not.toBe("x99")
  })
})

describe("rows that a law takes for wrong", () => {
  const n = 300
  const x = Float64Array.from(Rng.uniform(Rng.key(5), new Float64Array(n)))
  const axes = [{ name: "x", values: x }]
  const most = (count: number, by: (row: number) => number): ReadonlyArray<number> =>
    Array.from({ length: n }, (_, i) => i)
      .sort((a, b) => by(b) - by(a))
      .slice(0, count)

  it("are a misfit where they lie together, at an end of a column or at both", () => {
    for (const by of [(row: number) => x[row]!, (row: number) => Math.abs(x[row]! - 0.5)]) {
      const found = Misfit.of(normal(n, 8), axes, 0, undefined, most(30, by))
      expect(found).toMatchObject({ test: "wrong rows", along: "x" })
      expect(found!.pValue).toBeLessThan(1e-6)
    }
  })

  it("are none where they lie by chance: in 200 tables p-values below 0.05 are about 10", () => {
    // Of 300 rows some 21 by chance are wrong.
    const below = Array.from({ length: 200 }, (_, k) => {
      const places = Rng.uniform(Rng.fold(Rng.key(9), k), new Float64Array(n))
      const chosen = Array.from(places, (place) => place < 0.07)
      return Misfit.rankSum(chosen, x)
    }).filter((p) => p < 0.05).length
    // Binomial: outside of 2 to 20 with a probability below 0.005.
    expect(below).toBeGreaterThan(2)
    expect(below).toBeLessThan(20)
  })

  it("are none where they are fewer than three", () => {
    expect(Misfit.rankSum([true, true, false, false, false, false], [1, 2, 3, 4, 5, 6])).toBe(1)
    const [few, without] = [[0, 1], []].map((rows) => Misfit.of(normal(n, 8), axes, 0, undefined, rows))
    expect(few).toEqual(without)
  })
})
