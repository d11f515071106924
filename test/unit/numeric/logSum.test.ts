import { describe, expect, it } from "vitest"
import { logSumExp, normalised } from "../../../src/numeric/logSum.ts"

describe("probabilities from logarithms", () => {
  it("are what exp(value - logSumExp) is, in the ratio of the values", () => {
    const logs = [-1, 0.5, 2, -Infinity]
    const total = logSumExp(logs)
    normalised(logs).forEach((p, i) => expect(p).toBeCloseTo(Math.exp(logs[i]! - total), 14))
  })

  it("are at most 1, and 1 where the others are nothing, however large the logarithms are", () => {
    // exp(644.6363 - logSumExp) is 1 + 5.6e-14.
    expect(normalised([644.6362991694634, -109.77753046452297])[0]).toBe(1)
    for (let i = 0; i < 200; i++) {
      const logs = [1000 * Math.sin(i), 1000 * Math.sin(i) - 30 * Math.cos(i) ** 2, -5000]
      const found = normalised(logs)
      expect(found.every((p) => p >= 0 && p <= 1)).toBe(true)
      expect(found.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 14)
    }
  })

  it("are all nothing where nothing is possible", () => {
    expect(normalised([-Infinity, -Infinity])).toEqual([0, 0])
    expect(normalised([])).toEqual([])
  })
})
