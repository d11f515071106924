// A formula as a sum of terms with coefficients.
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as FormulaTerms from "../../../../src/evidence/fitted/FormulaTerms.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"
import * as Link from "../../../../src/prob/Link.ts"

const isNumber = (name: string): boolean => /^[a-d]$/.test(name)

/** The intercept and the terms with their coefficients, as text. */
const partsOf = (text: string, links: ReadonlyArray<Link.Link> = [Link.identity]) => {
  const term = Result.getOrThrow(parse(text))
  return FormulaTerms.parts(term, Term.variables(term).filter(isNumber), links).map(
    ({ link, intercept, terms }) => ({
      link,
      intercept,
      terms: terms.map(({ coefficient, term: own }) => [coefficient, infix(Term.simplify(own))]),
    }),
  )
}

describe("the terms of a formula", () => {
  it.each([
    ["2*x - 1", -1, [[2, "x"]]],
    ["a*x + b", "free", [["free", "x"]]],
    [
      "x*y/2 - 3*x",
      0,
      [
        [0.5, "x*y"],
        [-3, "x"],
      ],
    ],
    // Numbers that make up coefficients together.
    ["a + (b - a)*exp(-c*x)", "free", [["free", "exp(-c*x)"]]],
    ["a - (a - b)/(1 + (x/c)^d)", "free", [["free", "1/((x/c)^d + 1)"]]],
    ["a/b*exp(-(x - c)^2/b)", 0, [["free", "exp(-(x - c)^2/b)"]]],
    ["2*a*x/(1 + a) + b", "free", [["free", "x"]]],
    [
      "a*x + b*y + a*b",
      0,
      [
        [1, "a*x"],
        [1, "b*y"],
        [1, "a*b"],
      ],
    ],
    // Fewer numbers than coefficients: the terms keep theirs.
    [
      "a*x + a^2*y",
      0,
      [
        [1, "a*x"],
        [1, "a^2*y"],
      ],
    ],
    ["exp(-x/b)/b", 0, [[1, "exp(-x/b)/b"]]],
    ["a*exp(-a*x)", 0, [[1, "a*exp(-a*x)"]]],
  ])("%s", (text, intercept, terms) => {
    expect(partsOf(text)).toEqual([{ link: 0, intercept, terms }])
  })

  it("are those under each link that the formula has", () => {
    expect(partsOf("exp(a + b*x)", [Link.identity, Link.log])).toEqual([
      { link: 0, intercept: 0, terms: [[1, "exp(a + b*x)"]] },
      { link: 1, intercept: "free", terms: [["free", "x"]] },
    ])
  })
})
