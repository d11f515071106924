// A law of a known family, and the known form with some numbers.
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as KnownForms from "../../../src/prob/KnownForms.ts"
import { instances } from "../../../src/rank/knownInstance.ts"
import { dataset } from "../../support/selected.ts"

const term = (text: string): Term.Term => Result.getOrThrow(parse(text))
const rows = Array.from({ length: 40 }, (_, i) => 0.3 + 0.2 * i)
const data = dataset({ x: rows, y: rows.map((_, i) => 2 + Math.cos(5 * i)) }, rows)

/** @param other a formula of more numbers that laws of the form have, too */
const instance = (law: string, formula: string, inUnits = true, other?: string): boolean => {
  const laws = [formula, ...(other === undefined ? [] : [other])]
  const [form] = KnownForms.of(laws.map((one) => ({ name: one, formula: one }))).forms
  const { columns, key } = Term.family(term(law))
  expect(key).toBe(form!.key)
  const way = form!.formulas.find((one) => one.formula === formula)!
  return instances(term(law), columns, data)(way, form!, inUnits)
}

describe("a form that has a number twice", () => {
  const anomaly = "c0*(c1 - x^2)/(c1 + x^2)^2"
  it("is that of laws that it is with some numbers, its unit being free", () => {
    expect(instance("3*(2.5 - x^2)/(2.5 + x^2)^2", anomaly)).toBe(true)
    expect(instance("12.5*(1 - x^2)/(1 + x^2)^2", anomaly)).toBe(true)
    expect(instance("2*(2.5*y - x)/(2.5*y + x)", "(c0*a - b)/(c0*a + b)")).toBe(true)
  })

  it("is not that of other laws of its family", () => {
    expect(instance("(x^2 + 1)/(0.0135*x^4 + 0.127*x^2 + 0.127)", anomaly)).toBe(false)
    expect(instance("2*(2.5*y - x)/(0.1*y + x)", "(c0*a - b)/(c0*a + b)")).toBe(false)
  })
})

describe("one of several ways to write a form", () => {
  const [charging, cooling] = ["c0*(1 - exp(-c1*t))", "c0 + c1*exp(-c2*t)"]
  it("is that of laws that it is with some numbers", () => {
    expect(instance("2.5*(1 - exp(-0.4*x))", charging, false, cooling)).toBe(true)
    expect(instance("2 - 3*exp(-x)", charging, false, cooling)).toBe(false)
    expect(instance("2 - 3*exp(-x)", charging, true, cooling)).toBe(false)
    expect(instance("2 + 0.01*exp(x)", charging, false, cooling)).toBe(false)
  })

  it("may have a unit as one number more", () => {
    const survival = "1 - exp(-c0*t)"
    expect(instance("2.5*(1 - exp(-0.4*x))", survival, true, charging)).toBe(true)
    expect(instance("2.5*(1 - exp(-0.4*x))", survival, false, charging)).toBe(false)
  })

  it("is that of all laws of the form, where it has each of the most numbers once", () => {
    expect(instance("2 - 3*exp(-x)", cooling, false, charging)).toBe(true)
  })
})

describe("a form that has each number once", () => {
  it("is that of all laws of its family", () => {
    expect(instance("2 - 3*exp(-x)", "c0*(1 - exp(-c1*x))")).toBe(true)
  })
})
