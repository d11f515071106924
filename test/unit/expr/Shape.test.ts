import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Shape from "../../../src/expr/Shape.ts"
import { parse } from "../../../src/expr/text/parse.ts"

const box = { x: { low: 0.5, high: 3 }, y: { low: -1, high: 2 } }
const verdict = (text: string, shape: Shape.Shape): Shape.Verdict =>
  Shape.test(Result.getOrThrow(parse(text)), shape, box)

describe("shapes", () => {
  it.each([
    ["x^2 - x + 0.3", Shape.positive, "proved"],
    ["x^2 - 2*x + 0.9", Shape.positive, "refuted"],
    ["exp(x)*y", Shape.positive, "refuted"],
    ["x^3 - x", Shape.increasing("x"), "refuted"],
    ["x^3 + x", Shape.increasing("x"), "proved"],
    ["exp(-2*x)/x", Shape.decreasing("x"), "proved"],
    ["exp(-2*x)/x", Shape.monotone("x"), "proved"],
    ["x^3 + x", Shape.monotone("x"), "proved"],
    ["x^2 - 2*x", Shape.monotone("x"), "refuted"],
    ["x*cos(y)", Shape.even("y"), "proved"],
    ["x*sin(y) + y", Shape.odd("y"), "proved"],
    ["x + y", Shape.even("y"), "refuted"],
    ["(y + x)^2 + (x - y)^2", Shape.even("y"), "open"],
    ["exp(-x)*y + 2", Shape.limit("x", Infinity, 2), "proved"],
    ["1/(1 + x) + 1", Shape.limit("x", Infinity, 0), "refuted"],
    ["x/(1 + x)", Shape.limit("x", 0, 0), "proved"],
    ["sin(2*x)", Shape.periodic("x", Math.PI), "open"],
    ["sin(2*x) + x", Shape.periodic("x", Math.PI), "refuted"],
  ] as const)("%s", (text, shape, expected) => {
    expect(verdict(text, shape)).toBe(expected)
  })
})
