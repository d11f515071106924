import { describe, expect, it } from "vitest"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import * as Exact from "../../../../src/evidence/exact/Exact.ts"
import { free, type State } from "../../../../src/evidence/exact/Hypothesis.ts"
import { exactly, logMassOfValues } from "../../../../src/evidence/exact/hypothesisPrior.ts"

const table = Constants.tableOf(Constants.defaults)
const fixed = (p: number, q: number, value = p / q): State => ({
  _tag: "Fixed",
  exact: p === 0 ? Exact.zero : Exact.make(p, q, 1, 0),
  value,
})
const ratio = (p: number, q: number): State => ({
  _tag: "Ratio",
  exact: p < 0 ? Exact.negate(Exact.make(-p, q, 1, 0)) : Exact.make(p, q, 1, 0),
  value: p / q,
})
const logMassOf = (value: number): number => exactly(value, table).logMass
const of = (linear: boolean, ...states: ReadonlyArray<State>): number =>
  logMassOfValues({ table, linear }, states)

describe("the part of a hypothesis that exact numbers have by their values", () => {
  it("is that of each number among the exact ones, and none of a number that is free", () => {
    expect(of(true, free, free)).toBe(0)
    expect(of(true, free, fixed(1, 2))).toBe(logMassOf(0.5))
    expect(of(true, fixed(3, 1), fixed(1, 2))).toBeCloseTo(logMassOf(3) + logMassOf(0.5), 12)
    // Shares of 1 and 2 among fractions, half for each sign, of numbers without pi and roots.
    expect(logMassOf(1)).toBeCloseTo(Math.log((0.92 * 0.643093710757904) / 2), 12)
    expect(logMassOf(-2)).toBeCloseTo(Math.log((0.92 * 0.643093710757904) / 2 / 2 ** 3.2), 12)
  })

  it("is none of an intercept that is 0 or minus a coefficient, and none of a scale by itself", () => {
    expect(of(true, fixed(0, 1), free)).toBe(0)
    expect(of(true, ratio(-1, 1), ratio(1, 1))).toBe(0)
    expect(of(true, free, ratio(1, 1), ratio(2, 1))).toBe(logMassOf(2))
    // Only an intercept of the law itself is tied: under a link -1 is a value.
    expect(of(false, ratio(-1, 1), ratio(1, 1))).toBe(logMassOf(-1))
  })

  it("is that of the factor where the intercept is its logarithm", () => {
    expect(of(false, fixed(2, 1, Math.LN2), free)).toBe(logMassOf(2))
  })

  it("is a factor of ten for each digit of a number that the prior does not have, and two signs", () => {
    expect(logMassOf(9.81)).toBeCloseTo(-3 * Math.LN10 - Math.LN2, 12)
    expect(logMassOf(6.674e-11)).toBeCloseTo(-4 * Math.LN10 - Math.LN2, 12)
  })
})
