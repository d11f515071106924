import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { fit, quick } from "../../../../src/evidence/fitted/formulaFit.ts"
import { quotientStarts } from "../../../../src/evidence/fitted/quotientStarts.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"
import * as Rng from "../../../../src/random/Rng.ts"

const term = (text: string): Term.Term => Result.getOrThrow(parse(text))

const rows = 80

/** A formula on rows of x from 0.1 to 8, with noise. */
const table = (text: string, numbers: Readonly<Record<string, number>>, sigma = 0) => {
  const x = Float64Array.from({ length: rows }, (_, i) => 0.1 + (7.9 * i) / (rows - 1))
  const run = Term.interpret(Term.arithmetic)(term(text))
  const errors = Rng.normal(Rng.key(7), new Float64Array(rows))
  const y = x.map((value, i) => run((name) => (name === "x" ? value : numbers[name]!)) + sigma * errors[i]!)
  return { features: ["x"], columns: [x], target: "y", y, rows }
}

const cubic = "(a + b*x + c*x^2 + d*x^3)/(1 + p*x + q*x^2 + r*x^3)"
const numbers = { a: 1.2, b: -0.4, c: 0.9, d: 0.02, p: -0.3, q: 0.25, r: 0.001 }
const names = Object.keys(numbers)

describe("values to begin the fit of a quotient from", () => {
  it.each([
    ["a*x/(k + x)", { a: 5, k: 0.8 }],
    ["1/(a + b*x + c*x^2)", { a: 1, b: 0.2, c: 0.05 }],
    ["(x + a)/(1 + k*x^2)", { a: 0.3, k: 2 }],
    [cubic, numbers],
  ] as const)("are its numbers where there is no noise: %s", (text, own) => {
    const starts = quotientStarts(term(text), Object.keys(own), table(text, own))
    expect(starts.length).toBe(2)
    for (const start of starts)
      Object.values(own).forEach((value, j) => expect(start[j]).toBeCloseTo(value, 6))
  })

  it("have no say of rows without weight", () => {
    const clean = table(cubic, numbers)
    const y = clean.y.map((value, i) => (i % 9 === 4 ? 1e3 : value))
    const by = clean.y.map((_, i) => Number(i % 9 !== 4))
    const [, last] = quotientStarts(term(cubic), names, { ...clean, y }, by)
    Object.values(numbers).forEach((value, j) => expect(last![j]).toBeCloseTo(value, 6))
  })

  it.each([
    ["no quotient", "a*x + b"],
    ["a denominator without numbers", "a/x"],
    ["a number in both", "(a + x)/(1 + a*x)"],
    ["a denominator that is not linear", "a/(1 + exp(b*x))"],
  ])("are none for %s", (_, text) =>
    expect(quotientStarts(term(text), ["a", "b"], table("x", {}))).toEqual([]),
  )

  it("are none where a number makes a pole of every row", () => {
    const data = table("x", {})
    expect(quotientStarts(term("1/(a - 1e200*x)"), ["a"], data)).toEqual([])
  })

  it("lead a quick fit of seven numbers to the law's sum of squares", () => {
    const sigma = 0.01
    const data = table(cubic, numbers, sigma)
    const errors = table("0*x", {}, sigma).y
    const found = fit(term(cubic), names, data, undefined, undefined, quick)
    expect(found?.rss).toBeLessThan(errors.reduce((sum, error) => sum + error * error, 0))
  })
})
