import { describe, expect, it } from "vitest"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { protect, unitOf } from "../../../../src/vi/engines/Protection.ts"

const value = (term: Term.Term, unit: number, x: number, y = Number.NaN): number =>
  Term.interpret(Term.arithmetic)(protect(term, unit))((name) => (name === "x" ? x : y))

describe("protected operations of relaxed trees", () => {
  it("have the paper's constants", () => {
    expect(value(Operator.div.term, 1, 3, 0)).toBe(3e6)
    expect(value(Operator.div.term, 1, 3, -1e-9)).toBe(-3e6)
    expect(value(Operator.inv.term, 1, 0)).toBe(1e6)
    expect(value(Operator.log.term, 1, 0)).toBe(Math.log(1e-6))
    expect(value(Operator.exp.term, 1, 1000)).toBe(Math.exp(20))
    expect(value(Operator.exp.term, 1, -1000)).toBe(Math.exp(-20))
    expect(value(Operator.sqrt.term, 1, 0)).toBe(1e-6)
  })

  it("leave no operator that ships without a value, nor powers and inverse sines", () => {
    const x = Term.variable("x")
    const terms = [
      ...Object.values(Operator.shipped).map(({ term }): Term.Term => term),
      Term.pow(x, 0.5),
      Term.pow(x, 2),
      Term.asin(x),
      Term.acos(x),
    ]
    for (const term of terms)
      for (const a of [-3, -1e-9, 0, 1e-9, 1, 40])
        for (const b of [-2, 0, 5]) expect(value(term, 2 ** -30, a, b)).toSatisfy(Number.isFinite)
    expect(value(Term.pow(x, 2), 1, 0)).toBe(0)
  })

  it("are relative to columns that are small", () => {
    const column = (size: number) => Float64Array.of(size, -size, 0.5 * size)
    expect(unitOf([column(1), column(1e9)])).toBe(1)
    expect(unitOf([column(0.01), new Float64Array(3)])).toBe(1)
    const unit = unitOf([column(3e-9), column(1)])
    expect(Number.isInteger(Math.log2(unit))).toBe(true)
    expect(unit).toBeGreaterThan(1e-6)
    expect(unit).toBeLessThan(3e-6)
    expect(unitOf([column(3e-200)]) / unitOf([column(3e-200 * 2 ** 40)])).toBe(2 ** -40)
    // 1/r is itself at r of 1e-9.
    expect(value(Operator.inv.term, unit, 1e-9) / 1e9).toBeCloseTo(1, 14)
  })
})
