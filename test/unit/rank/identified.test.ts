import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as FormulaTerms from "../../../src/evidence/fitted/FormulaTerms.ts"
import { compileColumn } from "../../../src/expr/evaluate.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Link from "../../../src/prob/Link.ts"
import { identified } from "../../../src/rank/identified.ts"

const rows = 40
const x = Float64Array.from({ length: rows }, (_, i) => 0.2 + 0.15 * i)

/** The formula in the first of its parts, with the numbers that are left in it. */
const leftOf = (text: string, numbers: Readonly<Record<string, number>>, links = [Link.identity]) => {
  const term = Result.getOrThrow(parse(text))
  const names = Object.keys(numbers)
  const values = Float64Array.from(Object.values(numbers))
  const [parts] = FormulaTerms.parts(term, names, links)
  const y = new Float64Array(rows)
  compileColumn(Term.valued(parts!.sum, names, values), ["x"])([x], y)
  const data = { features: ["x"], columns: [x], target: "y", y, rows }
  const given = { parts: parts!, names, values }
  return { given, found: identified(given, data), y }
}

describe("a formula with numbers that others make up for", () => {
  it.each([
    [
      "a quotient of polynomials",
      "(a + b*x + c*x^2)/(1 + d*x + e*x^2)",
      { a: 2, b: 0.3, c: 0.5, d: 0.4, e: 0.1 },
      5,
    ],
    ["a power of a product", "a*(b*x)^c", { a: 2, b: 3, c: 1.7 }, 2],
    ["a square", "(a*x + b)^2", { a: 2, b: 3 }, 2],
    ["numbers of a sum under a quotient", "a/(b + c*x)", { a: 2, b: 3, c: 0.5 }, 2],
  ] as const)("has as many numbers as it needs, and is the same function: %s", (_, text, numbers, count) => {
    const { given, found, y } = leftOf(text, numbers)
    expect(found).not.toBe(given)
    expect(found.names.length).toBe(count)
    const again = new Float64Array(rows)
    compileColumn(Term.valued(found.parts.sum, found.names, found.values), ["x"])([x], again)
    again.forEach((value, i) => expect(value).toBeCloseTo(y[i]!, 6))
  })

  it("has coefficients of names that no column has", () => {
    const names = ["x", "coefficient 0", "coefficient 1"]
    const term = Result.getOrThrow(parse("(a + b*x)/(1 + d*x)"))
    const free = { names: ["a", "b", "d"], values: Float64Array.of(2, 0.3, 0.4) }
    const [parts] = FormulaTerms.parts(term, free.names, [Link.identity])
    const columns = [x, x.map((value) => value + 5), x.map((value) => 7 - value)]
    const data = { features: names, columns, target: "y", y: x, rows }
    const found = identified({ parts: parts!, ...free }, data)
    expect(found.names.filter((name) => names.includes(name))).toEqual([])
    const [made, given] = [new Float64Array(rows), new Float64Array(rows)]
    compileColumn(Term.valued(found.parts.sum, found.names, found.values), ["x"])([x], made)
    compileColumn(Term.valued(term, free.names, free.values), ["x"])([x], given)
    made.forEach((value, i) => expect(value).toBeCloseTo(given[i]!, 6))
  })

  it("has an intercept and a coefficient in their place", () => {
    const { found } = leftOf("(a + b*x)/(1 + d*x)", { a: 2, b: 0.3, d: 0.4 })
    expect(found.parts.intercept).toBe("free")
    expect(found.parts.terms.map(({ coefficient }) => coefficient)).toEqual(["free"])
    expect(found.names.length).toBe(3)
  })

  it.each([
    ["a*x/(k + x)", { a: 2, k: 3 }],
    ["a*exp(-b*x) + c*exp(-d*x)", { a: 2, b: 0.4, c: 1, d: 3 }],
    ["a*x + b", { a: 2, b: 1 }],
  ] as const)("is left as it is where all are identified: %s", (text, numbers) => {
    const { given, found } = leftOf(text, numbers)
    expect(found).toBe(given)
  })
})
