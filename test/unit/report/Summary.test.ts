import { describe, expect, it } from "vitest"
import * as Term from "../../../src/expr/Term.ts"
import * as Summary from "../../../src/report/Summary.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import { fitted, ranked } from "../../support/cli.ts"

const data: Dataset = {
  features: ["x0", "x1"],
  columns: [Float64Array.of(1, 2), Float64Array.of(3, 5)],
  target: 'the "y"',
  y: Float64Array.of(1, 2),
  rows: 2,
}
const x0 = Term.variable("x0")

describe("a fit as text", () => {
  it("writes the best law with the digits that are determined, and its numbers with their errors", () => {
    const expression = Term.add(Term.mul(2.123456789, x0), 2459000.5)
    const numbers = [
      { value: 2.123456789, error: 0.0123, effect: 100 },
      { value: 2459000.5, error: 0.31, effect: 5 },
    ]
    const lines = (changes: object): ReadonlyArray<string> =>
      Summary.of(fitted(data, { models: [ranked(data, { expression, numbers, ...changes })] }), "y", {
        top: 1,
      }).slice(-2)
    expect(lines({})).toEqual([
      "y = 2.1235*x0 + 2459000.5",
      "numbers: 2.123 ± 0.012, (2.45900050 ± 0.00000031)e6",
    ])
    expect(lines({ rmseTest: Number.NaN }).at(-1)).toContain("no finite value on some of the rows")
  })

  it("keeps its lines, whatever columns are called", () => {
    const expression = Term.variable("a\nb\u009b31m")
    const lines = Summary.of(
      fitted(data, { models: [ranked(data, { expression, numbers: [] })] }),
      "y\u001b",
      {
        top: 1,
      },
    )
    expect(lines.at(-1)).toBe("y\\u001b = `a\\nb\\u009b31m`")
    expect(lines.some((line) => /\p{Cc}/u.test(line))).toBe(false)
  })
})
