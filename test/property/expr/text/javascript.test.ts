import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { javascript } from "../../../../src/expr/text/javascript.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { arbitraryName, arbitraryTerm } from "../../../../src/testing/arbitraryTerm.ts"
import { boundedValue } from "../../../support/errorBounds.ts"

/** The value of an expression of JavaScript. */
const evaluated = (text: string, data: Readonly<Record<string, number>>): number => {
  const names = Object.keys(data).filter((name) => /^[a-z]\w*$/.test(name) && name !== "lambda")
  const plain = names.filter((name) => javascript(Term.variable(name)) === name)
  // The names are checked identifiers, and the text is the printer's.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function("data", ...plain, `"use strict"\nreturn ${text}`) as (
    ...values: ReadonlyArray<unknown>
  ) => number
  return run(data, ...plain.map((name) => data[name]))
}

describe("javascript", () => {
  it("has the value of the term", () => {
    let meant = 0
    const value = fc.constantFrom(-2.3, -1, -0.5, 0, 0.5, 1, 1.7, 3)
    fc.assert(
      fc.property(
        arbitraryTerm({
          variables: ["x", "class", "mass (kg)"],
          depth: 6,
          constants: fc.integer({ min: -3, max: 3 }),
        }),
        fc.record({ x: value, class: value, "mass (kg)": value }),
        (term, data) => {
          const expected = boundedValue(term, (name) => new Map(Object.entries(data)).get(name) ?? NaN)
          const found = evaluated(javascript(term), data)
          if (!(expected.error <= 1e-3)) return
          meant += 1
          expect(Math.abs(found - expected.value)).toBeLessThanOrEqual(4 * expected.error)
        },
      ),
      { numRuns: 3000 },
    )
    expect(meant).toBeGreaterThan(1000)
  })

  it("is an expression of JavaScript, whatever the names", () => {
    fc.assert(
      fc.property(arbitraryTerm({ variables: arbitraryName, depth: 6 }), (term) => {
        // oxlint-disable-next-line typescript/no-implied-eval
        expect(() => new Function("data", `"use strict"\nreturn ${javascript(term)}`)).not.toThrow()
      }),
      { numRuns: 2000 },
    )
  })

  it("brackets a power below a minus sign, which JavaScript does not read", () => {
    const x = Term.variable("x")
    expect(javascript(Term.neg(Term.square(x)))).toBe("-(x**2)")
    expect(javascript(Term.neg(Term.mul(Term.pow(x, 1.5), Term.variable("y"))))).toBe("-(x**1.5*y)")
    expect(javascript(Term.sub(1, Term.square(x)))).toBe("1 - x**2")
  })
})
