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
