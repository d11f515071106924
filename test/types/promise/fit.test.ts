// The names of columns are types: what a fit was made of is what its predictions ask for.
import { describe, expect, expectTypeOf, it } from "vitest"
import type { Fit, Fitted, fit } from "vasst/promise"
import { diagnose } from "../../support/compile.ts"

declare const start: typeof fit
const columns = { x: [1, 2], t: Float64Array.of(3, 4), e: [1, 1], v: [5, 6] }

describe("columns", () => {
  it("reach the result, less the target and the columns of the noise", () => {
    const plain = () => start(columns, { target: "v" })
    expectTypeOf(plain).returns.toEqualTypeOf<Fit<"x" | "t" | "e">>()
    const errors = () => start(columns, { target: "v", error: "e" })
    expectTypeOf(errors).returns.toEqualTypeOf<Fit<"x" | "t">>()
    const named = () => start({ X: [[1, 2]], y: [3], features: ["a", "b"] })
    expectTypeOf(named).returns.toEqualTypeOf<Fit<"a" | "b">>()
    const unnamed = () => start({ X: [[1, 2]], y: [3] })
    expectTypeOf(unnamed).returns.toEqualTypeOf<Fit<string>>()
    const dynamic = (table: Record<string, Float64Array>) => start(table, { target: "v" })
    expectTypeOf(dynamic).returns.toEqualTypeOf<Fit<string>>()
    expectTypeOf<Awaited<Fit<"x">>>().toEqualTypeOf<Fitted<"x">>()
  })

  it("that are missing or unknown do not compile", () => {
    const head = `import { fit } from "vasst/promise"
      const columns = { x: [1, 2], t: Float64Array.of(3, 4), e: [1, 1], v: [5, 6] }
      const found = await fit(columns, { target: "v", weights: "e" })`
    const errors = diagnose({
      fine: `${head}\nfound.predict({ x: [1], t: [2] })`,
      missing: `${head}\nfound.predict({ x: [1] })`,
      extra: `${head}\nfound.predict({ x: [1], t: [2], w: [3] })`,
      target: `${head}\nfit(columns, { target: "w" })`,
      weights: `${head}\nfit(columns, { target: "v", weights: "w" })`,
      units: `${head}\nfit(columns, { target: "v", units: { mass: "kg" } })`,
      option: `${head}\nfit(columns, { target: "v", effrot: 3 })`,
      text: `import { fit } from "vasst/promise"\nfit({ x: ["a"], v: [1] }, { target: "v" })`,
    })
    expect(errors.fine).toEqual([])
    expect(errors.missing[0]?.text).toContain("Property 't' is missing")
    expect(errors.extra[0]?.text).toContain("'w' does not exist")
    expect(errors.target[0]?.text).toMatch(/"w".*is not assignable to type.*"x"/s)
    expect(errors.weights[0]?.text).toMatch(/"w".*is not assignable to type.*"x"/s)
    expect(errors.units[0]?.text).toContain("'mass' does not exist")
    expect(errors.option[0]?.text).toContain("'effrot' does not exist")
    expect(errors.text[0]?.text).toContain("not assignable")
  })
})
