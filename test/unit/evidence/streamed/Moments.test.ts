import { describe, expect, it } from "vitest"
import * as Moments from "../../../../src/evidence/streamed/Moments.ts"
import { condensed } from "../../../../src/evidence/responseFit.ts"
import { leastSquares } from "../../../../src/numeric/leastSquares.ts"
import { table } from "../../../support/streamed.ts"

const parts = (n: number, size: number) =>
  Array.from({ length: Math.ceil(n / size) }, (_, k) => [k * size, Math.min(n, (k + 1) * size)] as const)

describe("moments of parts", () => {
  // A column far from 0, one that is nearly the first, and one in the span of both.
  const { columns, y } = table(3000, (a, b) => 2 * a - b, 1e-3)
  const far = columns[0]!.map((value) => 1e4 + value)
  const near = columns[0]!.map((value, i) => value + 1e-4 * columns[1]![i]!)
  const design = [new Float64Array(3000).fill(1), far, near, far.map((value, i) => value + near[i]!)]
  const at = leastSquares(
    design.map((column) => column.subarray(0, 200)),
    y.subarray(0, 200),
  ).coefficients
  const moments = Moments.make(design.map((column) => column.slice(0, 200)))
  for (const [from, to] of parts(3000, 700)) {
    const own = design.map((column) => column.slice(from, to))
    const residual = y
      .slice(from, to)
      .map((value, i) => value - own.reduce((sum, one, k) => sum + at[k]! * one[i]!, 0))
    moments.add(own, residual)
  }
  const solved = moments.solve()!
  const whole = leastSquares(design, y)

  it("have the least squares of all rows, with collinear columns far from 0", () => {
    expect(moments.rank).toBe(3)
    expect(solved.rss / whole.rss).toBeCloseTo(1, 7)
    expect(solved.square).toBeGreaterThan(solved.rss)
    const fitted = (b: ArrayLike<number>, i: number): number =>
      design.reduce((sum, column, k) => sum + b[k]! * column[i]!, 0)
    const own = at.map((value, k) => value + solved.change[k]!)
    for (const i of [0, 1234, 2999]) expect(fitted(own, i)).toBeCloseTo(fitted(whole.coefficients, i), 6)
  })

  it("have the condensed regression of all rows", () => {
    const few = solved.condensed(at)
    const direct = condensed(design, y)
    expect(few.y).toHaveLength(direct.y.length)
    const own = leastSquares(few.design, few.y)
    expect(own.rss / whole.rss).toBeCloseTo(1, 7)
    const length = (column: Float64Array): number => Math.hypot(...column)
    few.design.forEach((column, k) => expect(length(column) / length(direct.design[k]!)).toBeCloseTo(1, 9))
    expect(length(few.y) / length(y)).toBeCloseTo(1, 7)
  })

  it("give up where a value is not finite", () => {
    const broken = Moments.make(design.map((column) => column.slice(0, 200)))
    broken.add(
      design.map((column) => column.slice(0, 10)),
      new Float64Array(10).fill(NaN),
    )
    expect(broken.solve()).toBeUndefined()
  })
})
