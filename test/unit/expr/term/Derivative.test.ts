import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { scalarFunction } from "../../../../src/expr/evaluate.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"

const derivative = (text: string) => Term.derivative(Result.getOrThrow(parse(text)), "x")
const at = (text: string, x: number, y = 0) => scalarFunction(derivative(text), ["x", "y"])([x, y])

describe("derivative", () => {
  it.each([
    ["3", "0"],
    ["x", "1"],
    ["y", "0"],
    ["-x", "-1"],
    ["x^2", "2*x"],
    ["sqrt(x)", "1/(2*sqrt(x))"],
    ["abs(x)", "sign(x)"],
    ["sign(x)", "0"],
    ["exp(x)", "exp(x)"],
    ["log(x)", "1/x"],
    ["sin(x)", "cos(x)"],
    ["cos(x)", "-sin(x)"],
    ["tan(x)", "1/cos(x)^2"],
    ["tanh(x)", "1 - tanh(x)^2"],
    ["asin(x)", "1/sqrt(1 - x^2)"],
    ["acos(x)", "-1/sqrt(1 - x^2)"],
    ["atan(x)", "1/(x^2 + 1)"],
    ["x + y", "1"],
    ["y - x", "-1"],
    ["x*y", "y"],
    ["x/y", "1/y"],
    ["y/x", "-y/x^2"],
    ["x^3", "3*x^2"],
    ["x^y", "y*x^(y - 1)"],
    ["2^x", "0.6931471805599453*2^x"],
    ["exp(-x^2)", "-2*x*exp(-x^2)"],
    ["psqrt(x)", "sign(x)/(2*sqrt(abs(x) + 1e-12))"],
  ])("of %s is %s", (text, expected) => expect(infix(derivative(text))).toBe(expected))

  it("passes to the selected argument of max and min, on a tie to the left one", () => {
    expect([at("max(2*x, 3*y)", 1, 0), at("max(2*x, 3*y)", 1, 2), at("max(2*x, 3*x)", 0)]).toEqual([2, 0, 2])
    expect([at("min(2*x, 3*y)", 1, 0), at("min(2*x, 3*y)", 1, 2), at("min(2*x, 3*x)", 0)]).toEqual([0, 2, 2])
  })

  it("is flat inside the guard, the clip and the floor, and passes from their edges on", () => {
    expect([-1, -1e-6, -1e-7, 0, 1e-7, 1e-6, 1].map((x) => at("guard(x)", x))).toEqual([1, 1, 0, 0, 0, 1, 1])
    expect([-21, -20, 20, 21].map((x) => at("pexp(x)", x))).toEqual([0, Math.exp(-20), Math.exp(20), 0])
    expect([1e-7, -1e-7, 2, -2].map((x) => at("plog(x)", x) + 0)).toEqual([0, 0, 0.5, -0.5])
    expect([0, 4, -4].map((x) => at("pdiv(1, x)", x) + 0)).toEqual([0, -1 / 16, -1 / 16])
  })

  it("has abs'(0) = 0", () => expect([-2, 0, 3].map((x) => at("abs(x)", x))).toEqual([-1, 0, 1]))
})
