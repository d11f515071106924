import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as FormulaTerms from "../../../src/evidence/fitted/FormulaTerms.ts"
import { compileColumn } from "../../../src/expr/evaluate.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Link from "../../../src/prob/Link.ts"
import type * as DeclaredModel from "../../../src/rank/DeclaredModel.ts"
import { condensed } from "../../../src/rank/condensed.ts"

const rows = 20
const x = Float64Array.from({ length: rows }, (_, i) => 0.2 + 0.15 * i)
const numbers = { a: 2, b: 0.3, c: 1.7, d: 0.6, e: 2.5 }

/** The formula as the first of its parts, and its condensed form. */
const made = (text: string) => {
  const term = Result.getOrThrow(parse(text))
  const names = Term.variables(term).filter((name) => name !== "x")
  const values = Float64Array.from(names, (name) => numbers[name as keyof typeof numbers])
  const [parts] = FormulaTerms.parts(term, names, [Link.identity])
  const given = { parts: parts!, names, values }
  return { given, found: condensed(given, ["x"]) }
}

describe("a formula with one number for several that stand in each other's stead", () => {
  it.each([
    ["a*exp(-(x - b)^2/c^2)", "exp(number*(x - b)^2)", 2],
    ["a*exp(-0.5*((x - b)/c)^2)", "exp(number*(x - b)^2)", 2],
    ["a + b/(1 + exp((c - x)/d))", "1/(1 + exp(number*(c - x)))", 2],
    ["a - b/(1 + 2*c*x)^0.5", "1/(1 + number*x)^0.5", 1],
    ["a*sin(2*pi*x/b)", "sin(number*x)", 1],
    ["a/(1 + exp(b - c*x))^(1/d)", "1/(1 + exp(b - c*x))^number", 3],
    ["a*(x/b)/(c*x + d)", undefined, 2],
  ] as const)("%s has the term %s", (text, expected, inside) => {
    const { given, found } = made(text)
    if (expected === undefined || found === undefined) {
      expect(found === undefined).toBe(expected === undefined)
      return
    }
    const [own] = found.parts.terms
    expect(infix(own!.term).replace(/`number( \d+)?`/g, "number")).toBe(expected)
    expect(Term.variables(own!.term).filter((name) => name !== "x").length).toBe(inside)
    const column = (formula: DeclaredModel.Formula): Float64Array => {
      const out = new Float64Array(rows)
      compileColumn(Term.valued(formula.parts.terms[0]!.term, formula.names, formula.values), ["x"])([x], out)
      return out
    }
    const before = column(given)
    column(found).forEach((value, i) => expect(value).toBeCloseTo(before[i]!, 12))
  })

  it.each(["a*exp(-b*x)", "a*x + b", "exp(-b*x)/b*sin(b*x/2)", "a*exp(b*x/c) + d*exp(b*c*x)"])(
    "stays where it is written so, or a number stands in two places: %s",
    (text) => expect(made(text).found).toBeUndefined(),
  )
})
