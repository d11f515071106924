import { describe, expect, it } from "vitest"
import { meanRanks, rankCorrelation } from "../../../src/numeric/meanRanks.ts"

describe("ranks", () => {
  it("are those of SciPy's rankdata, equal values sharing their mean", () => {
    expect([...meanRanks([3, 1, 4, 1, 5, 9, 2, 6])]).toEqual([4, 1.5, 5, 1.5, 6, 8, 3, 7])
  })

  it("correlate as in SciPy's spearmanr, times the root of the number less 1", () => {
    const [a, b] = [
      [3, 1, 4, 1, 5, 9, 2, 6],
      [2, 7, 1, 8, 2, 8, 1, 8],
    ]
    expect(rankCorrelation(a, b)).toBeCloseTo(0.19885368120992467 * Math.sqrt(7), 10)
    expect(rankCorrelation(a, a)).toBeCloseTo(Math.sqrt(7), 10)
  })

  it("of a constant correlate with nothing", () => {
    expect(rankCorrelation([1, 2, 3], [5, 5, 5])).toBe(0)
  })
})
