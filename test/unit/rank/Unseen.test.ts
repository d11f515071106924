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
  logPrior: -12,
  gain: 150,
  terms: 1,
  error: 0.1,
  misfit: { test: "runs", along: "x0", pValue: 1 },
}

const unseen = (changes: Partial<Signs> = {}): number => Unseen.of({ ...signs, ...changes }).probability

describe("the mass of what was not seen", () => {
  it("is small where restarts agree on a short law early, and residuals are noise", () => {
    expect(unseen()).toBeGreaterThan(0)
    expect(unseen()).toBeLessThan(0.2)
  })

  it.each([
    ["residuals are not noise", { misfit: { test: "curve", along: "x0", pValue: 1e-9 } }],
    ["the law is longer than the forms that were all scored", { complexity: 16 }],
    ["the law is unlikely a priori", { logPrior: -40 }],
    ["restarts do not agree", { agreeing: 1, restarts: 1 }],
  ] as const)("rises when %s", (_, changes) => {
    expect(unseen(changes)).toBeGreaterThan(unseen())
  })

  it("falls where the law is exact", () => {
    expect(unseen({ error: 1e-14, misfit: undefined })).toBeLessThan(unseen())
  })

  it("is a probability, however many signs there are", () => {
    for (const changes of [
      { misfit: { test: "runs", along: "x0", pValue: 0 }, complexity: 60, logPrior: -300 } as const,
      { scored: 0, found: 0, restarts: 0, agreeing: 0, gain: 0, terms: 0, complexity: 0 },
      { gain: 1e9, error: 0, misfit: undefined },
    ]) {
      expect(unseen(changes)).toBeGreaterThan(0)
      expect(unseen(changes)).toBeLessThan(1)
    }
  })
})
