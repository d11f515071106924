import { describe, expect, it } from "vitest"
import * as Collinearity from "../../../src/numeric/collinearity.ts"

describe("collinearity", () => {
  it("is the sine of the angle between columns", () => {
    const angle = 0.3
    const [first, second] = Collinearity.shares([
      Float64Array.of(1, 0, 0),
      Float64Array.of(2 * Math.cos(angle), 2 * Math.sin(angle), 0),
    ])
    expect(first).toBeCloseTo(Math.sin(angle), 12)
    expect(second).toBeCloseTo(Math.sin(angle), 12)
  })

  it("is 0 of a column in the span of others", () => {
    const t = Float64Array.from({ length: 9 }, (_, i) => i / 2)
    const ones = new Float64Array(9).fill(1)
    expect(Collinearity.shares([ones, t, t.map((value) => 1 + 3 * value)])[0]).toBeLessThan(1e-12)
    expect(Collinearity.shares([ones, new Float64Array(9)])[1]).toBe(0)
  })
})
