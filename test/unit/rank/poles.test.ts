import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parse } from "../../../src/expr/text/parse.ts"
import { hasPoleAmong } from "../../../src/rank/poles.ts"

const x = Float64Array.of(-1, 0, 0.5, 1, 3)
const data = {
  features: ["x", "t"],
  columns: [x, x.map((value) => value + 2)],
  target: "y",
  y: x,
  rows: x.length,
}

describe("a pole among the rows", () => {
  it.each([
    ["x/(x - 0.7)", true],
    ["2 + (x - 0.7)^-2", true],
    ["exp(1/(x*t - 1))", true],
    ["1/(1 + 1/x)", true],
    ["x/(x + 2)", false],
    ["x/(x - 4)", false],
    ["(x - 0.7)^2/(t + 1)", false],
    ["1/((x - 0.7)^2 + 1) + t^-1.5", false],
    ["x^2/3 - 2*x", false],
  ])("%s: %s", (formula, expected) => {
    expect(hasPoleAmong(Result.getOrThrow(parse(formula)), data)).toBe(expected)
  })
})
