import { describe, expect, it } from "vitest"
import type { Signs } from "../../../src/rank/Signs.ts"
import { lines } from "../../../src/report/UnseenText.ts"

const signs: Signs = {
  rows: 100,
  columns: 2,
  restarts: 4,
  agreeing: 3,
  exhausted: 7,
  scored: 1000,
  found: 10,
  complexity: 4,
  lead: 150,
  terms: 1,
  error: 0.1,
  misfit: undefined,
}
const text = (changes: Partial<Signs> = {}, stop = "converged", probability = 0.07): ReadonlyArray<string> =>
  lines({ probability, signs: { ...signs, ...changes } }, stop, "y")

describe("what was seen, in words", () => {
  it("says how far the search came", () => {
    expect(text()).toEqual([
      "all terms up to 7 nodes were scored; 3 of 4 independent restarts agree; 7 % unseen",
    ])
    expect(text({ exhausted: 1, restarts: 1, agreeing: 1 }, "converged", 0.0001)).toEqual([
      "all terms up to 1 node were scored; 1 of 1 independent restart ends at the best; less than 0.1 % unseen",
    ])
  })

  it("says that a limit has cut the search off", () => {
    expect(text({ exhausted: 0, restarts: 0, agreeing: 0 }, "time", 0.9)).toEqual([
      "not even single columns were all scored; no restart has ended; 90 % unseen",
      "cut off: its limit of time ended the search before two restarts agreed",
    ])
    expect(text({}, "time")).toHaveLength(1)
  })

  it("says that nothing explains the response, unless its residuals depend on a column", () => {
    expect(text({ terms: 0 }).at(-1)).toBe("nothing explains y: its mean")
    expect(text({ terms: 0, found: 1000 }).at(-1)).toBe("no law was compared before the end: the mean of y")
    const misfit = { test: "curve", along: "x0", pValue: 1e-9 } as const
    expect(text({ terms: 0, misfit }).slice(1)).toEqual([
      "no law of y was found, although it is not noise along x0: its mean",
      "misfit: residuals are not noise along x0 (a trend, p = 1e-9)",
    ])
    const rows = { test: "runs", along: "rows", pValue: 1e-9 } as const
    expect(text({ terms: 0, misfit: rows }).slice(1)).toEqual([
      "nothing explains y: its mean",
      "misfit: residuals are not noise along the order of the rows (too few changes of sign, p = 1e-9)",
    ])
  })
})
