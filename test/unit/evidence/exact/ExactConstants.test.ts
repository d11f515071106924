import { describe, expect, it } from "vitest"
import { scalarFunction } from "../../../../src/expr/evaluate.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import * as Exact from "../../../../src/evidence/exact/Exact.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { withExactConstants } from "../../../../src/evidence/exact/ExactConstants.ts"

const x = Term.variable("x")
const write = (term: Term.Term): string => infix(withExactConstants(term, Constants.defaults))

describe("numbers of a law", () => {
  it("are written with pi and roots where they are such", () => {
    expect(write(Term.mul(2 * Math.PI, x))).toBe("2*pi*x")
    expect(write(Term.div(x, 4 * Math.PI))).toBe("x/(4*pi)")
    expect(write(Term.div(Term.mul(Math.PI, x), 3))).toBe("pi*x/3")
    expect(write(Term.add(x, Math.SQRT2))).toBe("x + sqrt(2)")
    expect(write(Term.mul(1 / Math.sqrt(2 * Math.PI), Term.exp(x)))).toBe("1/sqrt(2*pi)*exp(x)")
    expect(write(Term.mul(-2 * Math.PI, x))).toBe("-2*pi*x")
    expect(write(Term.exp(Term.constant(-Math.PI)))).toBe("exp(-pi)")
  })

  it("are written as fractions where their decimals do not end", () => {
    expect(write(Term.mul(1 / 3, x))).toBe("1/3*x")
    expect(write(Term.mul(-11 / 6, x))).toBe("-11/6*x")
    expect(write(Term.exp(Term.mul(2 / 7, x)))).toBe("exp(2/7*x)")
    expect(write(Term.mul(0.333333333333, x))).toBe("0.333333333333*x")
    expect(write(Term.mul(7 / 40, x))).toBe("0.175*x")
  })

  it("are terms of the value and the text that a parser reads back", () => {
    for (const p of [0, 1, -1, 3, -4])
      for (const q of [1, 2, 3, 6])
        for (const root of [1, 2, 6])
          for (const halfPi of [-4, -3, -1, 0, 1, 2, 4]) {
            const exact = Exact.make(p, q, root, halfPi)
            const term = Exact.term(exact)
            const value = scalarFunction(term, [])([])
            expect(Math.abs(value - Exact.value(exact))).toBeLessThanOrEqual(1e-15 * Math.abs(value))
            expect(parse(Exact.text(exact))).toMatchObject({ success: term })
          }
    expect(Exact.text(Exact.make(-3, 2))).toBe("-3/2")
    expect(Exact.text(Exact.make(1, 4, 2, 2))).toBe("pi/(2*sqrt(2))")
    expect(Exact.text(Exact.make(-1, 1, 2, -1))).toBe("-sqrt(2)/sqrt(pi)")
  })

  it("stay as they are where they have decimals, or are an estimate however near", () => {
    for (const value of [2, 0.5, -1.25, 3.14159, 3.141592653589, 6.28318530717, 1.4142, 1e300, 0])
      expect(withExactConstants(Term.mul(value, x), Constants.defaults)).toEqual(Term.mul(value, x))
    const rational = Constants.make({ units: [{ root: 1, halfPi: 0, mass: 1 }] })
    expect(withExactConstants(Term.mul(Math.PI / 7, x), rational)).toEqual(Term.mul(Math.PI / 7, x))
  })

  it("have the same value to rounding, and are known when small numbers were multiplied one by one", () => {
    for (const { root, halfPi, factor: [over, under] = [1, 1] } of Constants.units)
      for (const [p, q] of [
        [1, 1],
        [3, 1],
        [7, 4],
        [1, 6],
        [11, 13],
      ] as const) {
        const folded = (p * Exact.value(Exact.make(over, under, root, halfPi))) / q
        const term = withExactConstants(Term.mul(folded, x), Constants.defaults)
        const irrational = root !== 1 || halfPi !== 0
        const endless = (p * over * 1e6) % (q * under) !== 0
        expect(Term.size(term) > 3).toBe((irrational || endless) && !(p * over === q * under && halfPi === 2))
        expect(Math.abs(scalarFunction(term, ["x"])([1]) / folded - 1)).toBeLessThan(1e-15)
      }
  })
})
