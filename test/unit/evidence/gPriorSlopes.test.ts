import { describe, expect, it } from "vitest"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import { slopes } from "../../../src/evidence/gPriorSlopes.ts"

const fit = { rows: 40, rank: 2, tss: 7, rss: 0.3, rounding: 1e-9, a: 3 }

describe("slopes of the evidence", () => {
  it("are the derivatives by sum of squares and rank, of the evidence at an integer rank", () => {
    for (const rank of [0.2, 1.5, 2, 7]) {
      const at = (rss: number, p: number): number => GPrior.logBayesFactor({ ...fit, rss, rank: p })
      const found = slopes({ ...fit, rank })
      expect(found.logBayesFactor).toBeCloseTo(at(fit.rss, rank), 12)
      expect(found.byRss / ((at(0.3 + 1e-5, rank) - at(0.3 - 1e-5, rank)) / 2e-5)).toBeCloseTo(1, 6)
      expect(found.byRank / ((at(0.3, rank + 1e-4) - at(0.3, rank - 1e-4)) / 2e-4)).toBeCloseTo(1, 6)
    }
  })

  it("are 0 by the rank from n - 1 on, and 0 without columns", () => {
    expect(slopes({ ...fit, rank: 39 }).byRank).toBe(0)
    expect(slopes({ ...fit, rank: 0 })).toEqual({ logBayesFactor: 0, byRss: 0, byRank: 0 })
  })
})
