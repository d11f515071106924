import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { numpy } from "../../../../src/expr/text/numpy.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import { sympy } from "../../../../src/expr/text/sympy.ts"
import * as Term from "../../../../src/expr/Term.ts"
import fixture from "../../../fixtures/sympy.json" with { type: "json" }

// The fixture is what SymPy itself made of these texts; scripts/fixtures/sympy_fixtures.py writes it.
const cases: ReadonlyArray<{
  readonly formula: string
  readonly sympy: string
  readonly numpy: string
  readonly point: { readonly [name: string]: number }
  readonly value: number
}> = fixture.cases.map(({ point, ...rest }) => ({
  ...rest,
  point: Object.fromEntries(Object.entries(point)),
}))

describe("sympy", () => {
  it("writes the texts whose value SymPy and NumPy have computed, and that value is ours", () => {
    expect(cases.length).toBeGreaterThan(200)
    for (const { formula, sympy: text, numpy: inNumpy, point, value } of cases) {
      const term = Result.getOrThrow(parse(formula))
      expect(sympy(term)).toBe(text)
      expect(numpy(term)).toBe(inNumpy)
      const ours = Term.interpret(Term.arithmetic)(term)((name) => point[name] ?? NaN)
      const close = Math.abs(ours - value) <= 1e-9 * Math.max(1e-6, Math.abs(value))
      expect({ formula, value: close ? value : ours }).toEqual({ formula, value })
    }
  })

  it("spells out every name that SymPy would take for its own", () => {
    expect(fixture.taken).toEqual(
      expect.arrayContaining(["E", "I", "N", "beta", "lambda", "pi", "test", "hn1"]),
    )
    for (const name of fixture.taken) expect(sympy(Term.variable(name))).toBe(`Symbol('${name}')`)
  })

  it("leaves all other identifiers alone", () => {
    const names = ["x", "q1", "t_0", "E_n", "mass", "theta", "hbar", "Ef", "semi_major_axis"]
    expect(names.map((name) => sympy(Term.variable(name)))).toEqual(names)
    expect(sympy(Term.variable("mass (kg)"))).toBe("Symbol('mass (kg)')")
  })
})
