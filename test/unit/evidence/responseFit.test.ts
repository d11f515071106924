import { describe, expect, it } from "vitest"
import * as ResponseFit from "../../../src/evidence/responseFit.ts"
import * as Rng from "../../../src/random/Rng.ts"

const source = Rng.generator(Rng.key(5))
const normals = (n: number): Float64Array => Float64Array.from({ length: n }, () => source.normal())

describe("a condensed regression", () => {
  const n = 500
  const first = normals(n)
  const other = normals(n)
  const design = [new Float64Array(n).fill(1), first, other.map((value) => 1e6 * value + 3)]
  const y = first.map((value, i) => 2 + 3 * value + 0.1 * other[i]! ** 2)
  const few = ResponseFit.condensed(design, y)
  const rss = (own: ResponseFit.Regression, b: Float64Array): number => ResponseFit.problem(own).at(b)!.rss

  it("has two rows more than columns", () => {
    expect(few.y.length).toBe(5)
    expect(few.design.map(({ length }) => length)).toEqual([5, 5, 5])
  })

  it.each([0, 1, 2])("has the sum of squares of all rows at any coefficients (%s)", () => {
    const b = Float64Array.of(source.normal(), source.normal(), 1e-6 * source.normal())
    expect(rss(few, b) / rss({ y, way: undefined, design }, b)).toBeCloseTo(1, 10)
  })

  it("of a column in the span of others has the same sums, too", () => {
    const twice = [...design, first.map((value) => 5 - 2 * value)]
    const own = ResponseFit.condensed(twice, y)
    const b = Float64Array.of(1, 0.5, 1e-7, -0.3)
    expect(rss(own, b) / rss({ y, way: undefined, design: twice }, b)).toBeCloseTo(1, 10)
  })
})

describe("the centres of columns", () => {
  const column = normals(40)
  const weights = normals(40)
  const centre = (unit: number): number => {
    const by = weights.map((weight) => weight * unit)
    return ResponseFit.weightedLine(new Float64Array(40), by, [column]).centres()[0]!
  }

  it("are means with squared weights, whatever the size of the weights: the slopes of 1 / y^2 are 1e200 where y is 1e67", () => {
    const squares = weights.map((weight) => weight ** 2)
    const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)
    const mean = sum(squares.map((square, i) => square * column[i]!)) / sum(squares)
    for (const unit of [1, 2 ** 700, 2 ** -700, 1e200]) expect(centre(unit)).toBeCloseTo(mean, 13)
    expect(centre(2 ** 700)).toBe(centre(1))
    expect(centre(0)).toBe(0)
  })
})
