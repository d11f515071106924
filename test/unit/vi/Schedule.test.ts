import { describe, expect, it } from "vitest"
import * as Schedule from "../../../src/vi/Schedule.ts"

describe("a schedule", () => {
  it("may be constant", () => {
    expect([1, 100].map(Schedule.constant(0.3))).toEqual([0.3, 0.3])
  })

  it("anneals linearly as the paper: start + (end - start) min(t / T, 1)", () => {
    const temperature = Schedule.linear(1, 0.5, 1500)
    expect([1, 750, 1500, 1501, 2000].map(temperature)).toEqual([1 - 0.5 / 1500, 0.75, 0.5, 0.5, 0.5])
  })

  it("falls by a constant factor", () => {
    const rate = Schedule.exponential(1, 1e-4, 4)
    const values = [1, 2, 3, 4, 9].map(rate)
    ;[1e-1, 1e-2, 1e-3, 1e-4, 1e-4].forEach((expected, i) => expect(values[i]).toBeCloseTo(expected, 12))
  })

  it("warms up from 0 to 1", () => {
    expect([1, 2, 4, 5].map(Schedule.warmUp(4))).toEqual([0.25, 0.5, 1, 1])
  })

  it("over no steps is at its end", () => {
    expect(Schedule.linear(1, 0.5, 0)(1)).toBe(0.5)
    expect(Schedule.exponential(1, 0.5, 0)(1)).toBe(0.5)
    expect(Schedule.warmUp(0)(1)).toBe(1)
  })
})
