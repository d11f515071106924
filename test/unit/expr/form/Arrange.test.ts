import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"
import laws from "./laws.json" with { type: "json" }

const arranged = (text: string, positive: ReadonlyArray<string> = []): string =>
  infix(Term.arrange(Result.getOrThrow(parse(text)), { positive: (name) => positive.includes(name) }))

describe("arrange", () => {
  it("writes laws of textbooks as textbooks do, from awkward trees", () => {
    expect(laws.length).toBeGreaterThanOrEqual(60)
    const written = laws.map(({ tree, law }) => ({ tree, law, written: arranged(tree) }))
    expect(written).toEqual(laws.map(({ tree, law }) => ({ tree, law, written: law })))
  })

  it("has no square that a number completes", () => {
    expect(arranged("x1*((a*cos(t) + 0.5)^2 - 1/4)/a")).toBe("x1*cos(t)*(a*cos(t) + 1)")
    expect(arranged("3*(x - 2)^2 - 12")).toBe("3*x*(x - 4)")
    expect(arranged("y + 1 - (x + 1)^2")).toBe("y - x^2 - 2*x")
    expect(arranged("(x + pi)^2 - pi^2")).toBe("x*(x + 2*pi)")
    expect(arranged("(x + pi)^2 - 1")).toBe("(x + pi)^2 - 1")
    expect(arranged("(x + 1)^2 - 2")).toBe("(x + 1)^2 - 2")
    expect(arranged("(x + y)^2 - 1")).toBe("(x + y)^2 - 1")
  })

  it("keeps a power together where the signs of its factors are unknown", () => {
    expect(arranged("sqrt(x*y)")).toBe("sqrt(x*y)")
    expect(arranged("sqrt(x*y)*sqrt(x)")).toBe("sqrt(x^2*y)")
    expect(arranged("sqrt(x*y)*sqrt(x)", ["x"])).toBe("x*sqrt(y)")
    expect(arranged("sqrt(x^2*y)")).toBe("sqrt(x^2*y)")
    expect(arranged("sqrt(x/y^2)", ["y"])).toBe("sqrt(x)/y")
    expect(arranged("sqrt(x^2)")).toBe("abs(x)")
    expect(arranged("sqrt(x^2)", ["x"])).toBe("x")
    expect(arranged("log(x^2)")).toBe("log(x^2)")
    expect(arranged("log(x^2)", ["x"])).toBe("2*log(x)")
  })

  it("may be defined on more than the term", () => {
    expect(arranged("x/x")).toBe("1")
    expect(arranged("sqrt(x)^2")).toBe("x")
    expect(arranged("0*log(x)")).toBe("0")
  })

  it("keeps what has no finite number", () => {
    expect(arranged("1e300*x*1e300")).toBe("1e300*x*1e300")
    expect(arranged("1/0 + x + x")).toBe("1/0 + x + x")
    expect(arranged("1e-200*(1e-200*x)")).toBe("1e-200*(1e-200*x)")
  })

  it("keeps numbers of any size, and their digits", () => {
    expect(arranged("1.7e30*x/1.7e-34")).toBe("1e64*x")
    expect(arranged("x*6.6743e-11")).toBe("6.6743e-11*x")
    expect(arranged("0.1*(3*x)")).toBe("0.3*x")
    expect(arranged("1.23456789012345e-7 + x")).toBe("x + 1.23456789012345e-7")
  })
})
