// The family of a formula: laws that differ in numbers and columns alone have one key.
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Term from "../../../../src/expr/Term.ts"
import { parse } from "../../../../src/expr/text/parse.ts"

const termOf = (formula: string): Term.Term => Result.getOrThrow(parse(formula))
const family = (formula: string): Term.Family =>
  Term.family(Term.meaning(termOf(formula)), (name) => !/^c\d+$/.test(name))
const key = (formula: string): string => family(formula).key

describe("families", () => {
  it.each([
    ["c0*x/(c1 + x)", "1/(c0 + c1/t)"],
    ["c0*x/(c1 + x)", "c1*c2*x*((1 + c2*x)^(-1))"],
    ["c0*exp(-c1*x)", "exp(3 - y/2)"],
    ["sqrt(2*g*h)", "c0*sqrt(b)*sqrt(a)"],
    ["c0*x^c1*exp(-c2*x)", "exp(c0 + c1*log(t) - c2*t)"],
    ["a*b/(c + d)", "x*z/(2*y + w/3)"],
    ["c0 + c1*log(x)", "c0*log(c1*y)"],
    ["c0*(1 - exp(-c1*t))", "c0 + c1*exp(-x/c2)"],
    ["c0/(1 + exp((c1 - x)/c2))", "c0/(1 + c1*exp(-c2*t))"],
    ["c0*cos(c1*t + c2)", "c0*sin(c1*x + c2)"],
    ["exp(c0 - c1/T)", "c0*exp(-c1/x)"],
    ["exp(c0 + c1/(T - c2))", "c0*exp(c1/(x + c2))"],
    ["exp(c0 + c1/(T - c2))", "c0*exp(c1*x/(c2 + x))"],
    ["c0*exp((x^2 + x + 1)/(c1*x^2 + c2*x + 3))", "c0*exp((x + 1)/(c1*x^2 + c2*x + 3))"],
    ["c0*x^c1", "2.5*z^1.4998"],
    ["c0*x^c1/(c2^c1 + x^c1)", "c0/(1 + (c2/x)^c1)"],
    ["c0*exp(-c1*x) + c2*exp(-c3*x)", "c0*(exp(-x/c1) - exp(-x/c2))"],
    ["c0*exp(-c1*x)*y + exp(-c2*x)", "exp(-c1*t) - z*exp(-c2*t)"],
    ["sqrt(2*(p0 - p)/rho)", "sqrt((K + 4/3*G)/rho)"],
  ])("%s and %s are one", (a, b) => {
    expect(key(a)).toBe(key(b))
  })

  it.each([
    ["c0*x/(c1 + x)", "c0*x/(c1 + x^2)"],
    ["a*b/c", "a/(b*c)"],
    ["c0*exp(-c1*x)", "c0*exp(-c1*x) + c2"],
    ["c0*x^2", "c0*x^3"],
    ["c0*exp(-c1*x) + c2*exp(-c3*x)", "c0*exp(-c1*x)"],
    ["c0*x^c1 + c2*x^c3", "c0*x^c1"],
    ["1/(c0 + exp(-c1*x) + exp(-c2*x))", "1/(c0 + exp(-c1*x))"],
    ["log(x + c0) - log(x + c1)", "log(x + c0)"],
    ["sin(c0*x) + sin(c1*x)", "sin(c0*x)"],
    ["c0*exp(c1/(x + c2))", "c0*exp(c1/(x^2 + c2))"],
    ["c0*exp(x^2/(c1*x^2 + c2*x + 3))", "c0*exp((x + 1)/(c1*x^2 + c2*x + 3))"],
    ["c0*x^1.5", "c0*x^1.49"],
    ["sin(x)*y", "cos(x)*y"],
    ["cos(c0*x)", "cos(c0*x + c1)"],
    ["log(x)", "log(x + y)"],
  ])("%s and %s are two", (a, b) => {
    expect(key(a)).not.toBe(key(b))
  })

  it("count the orders of columns that leave a formula as it is", () => {
    expect(family("c0*x/(c1 + x)")).toMatchObject({ columns: ["x"], symmetries: 1 })
    expect(family("a*b").symmetries).toBe(2)
    expect(family("a*b*c").symmetries).toBe(6)
    expect(family("a/b").symmetries).toBe(1)
    expect(family("sqrt((a - b)^2 + (c - d)^2)").symmetries).toBe(8)
  })

  it("of several fitted powers are one, whatever the order; of five, which have 14,400 orders, the columns are told", () => {
    const powers = (count: number): string =>
      Array.from({ length: count }, (_, j) => `x${j}^(${1.1 + j / 7})`).join("*")
    const columns = ["x0", "x1", "x2", "x3", "x4"]
    expect(family(powers(5))).toMatchObject({ columns })
    expect(family(powers(3)).key).toBe(key("x2^1.3*x0^1.7*x1^2.1"))
  })

  it("have one key in whatever order the columns stand (300 orders of eight formulas)", () => {
    const formulas = [
      "m*v^2/r",
      "T0 + (T1 - T0)*exp(-k*t)",
      "(n1*cos(a) - n2*cos(b))/(n1*cos(a) + n2*cos(b))",
      "c0*A*B/(c1 + c2*B + c3*A + A*B)",
      "sqrt(w^2*a^2 + (1 - w)^2*b^2)",
      "a*b/(c + d)",
      "P*exp(-x*t)*sin(w*t)",
      "log(a/b)/d",
    ]
    fc.assert(
      fc.property(fc.constantFrom(...formulas), fc.infiniteStream(fc.nat()), (formula, numbers) => {
        const term = termOf(formula)
        const names = Term.variables(term).filter((name) => !/^c\d+$/.test(name))
        const order = names
          .map((name) => ({ name, by: numbers.next().value ?? 0 }))
          .toSorted((a, b) => a.by - b.by)
          .map(({ name }) => name)
        const moved = Term.substitute(term, (name) =>
          Term.variable(names.includes(name) ? `${order[names.indexOf(name)]!}'` : name),
        )
        const isColumn = (name: string): boolean => !/^c\d+$/.test(name)
        expect(Term.family(moved, isColumn).key).toBe(Term.family(term, isColumn).key)
      }),
      { numRuns: 300, seed: 58 },
    )
  })
})
