import { describe, expect, it } from "vitest"
import type { Signs } from "../../../src/rank/Signs.ts"
import * as Unseen from "../../../src/rank/Unseen.ts"

const signs: Signs = {
  rows: 100,
  columns: 2,
  restarts: 3,
  agreeing: 2,
  exhausted: 6,
  scored: 1_000_000,
  found: 20_000,
  complexity: 4,
  lead: 150,
  terms: 1,
  error: 0.1,
  misfit: { test: "runs", along: "x0", pValue: 1 },
}

const unseen = (changes: Partial<Signs> = {}): number => Unseen.of({ ...signs, ...changes }).probability

describe("the mass of what was not seen", () => {
  it("is small where a short law is far better than every simpler one, and residuals are noise", () => {
    expect(unseen()).toBeGreaterThan(0)
    expect(unseen()).toBeLessThan(0.3)
  })

  it.each([
    ["residuals are not noise", { misfit: { test: "curve", along: "x0", pValue: 1e-9 } }],
    ["the law is longer than the forms that were all scored", { complexity: 16 }],
    ["a simpler law is nearly as good", { lead: 5 }],
    ["no ensemble was compared before the end", { found: 1_000_000, terms: 0, lead: 0 }],
  ] as const)("rises when %s", (_, changes) => {
    expect(unseen(changes)).toBeGreaterThan(unseen())
  })

  it("does not rise with the length of a law that is exact", () => {
    const exact = { error: 1e-14, misfit: undefined }
    expect(unseen({ ...exact, complexity: 16 })).toBe(unseen(exact))
    expect(unseen({ ...exact, complexity: 16 })).toBeLessThan(unseen({ complexity: 16 }))
  })

  it("is a probability, however many signs there are", () => {
    for (const changes of [
      { misfit: { test: "runs", along: "x0", pValue: 0 }, complexity: 60, lead: -300 } as const,
      { scored: 0, found: 0, restarts: 0, agreeing: 0, lead: 0, terms: 0, complexity: 0 },
      { lead: 1e9, error: 0, misfit: undefined },
    ]) {
      expect(unseen(changes)).toBeGreaterThan(0)
      expect(unseen(changes)).toBeLessThan(1)
    }
  })
})
