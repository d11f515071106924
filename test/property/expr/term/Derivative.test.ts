import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Term from "../../../../src/expr/Term.ts"
import { arbitraryTerm } from "../../../../src/testing/arbitraryTerm.ts"

const variables = ["x", "y"] as const
type Name = (typeof variables)[number]

// Three lattices off the round numbers: differences mean nothing at a kink, and kinks are at 0 and where two things are
// equal.
const lattice = (offset: number) => fc.integer({ min: -3000, max: 3000 }).map((n) => n / 1000 + offset)
const xs = lattice(0.000_317)
const ys = lattice(0.000_731)
const term = arbitraryTerm({ variables, depth: 4, constants: lattice(0.000_123) })

const evaluate = (t: Term.Term<Name>, x: number, y: number): number =>
  Term.interpret(Term.arithmetic)(t)((name) => ({ x, y })[name])

/** The greatest magnitude among the values of all sub-terms: their rounding errors enter the differences. */
const magnitude = (t: Term.Term<Name>, x: number, y: number): number =>
  Math.max(Math.abs(evaluate(t, x, y)), ...Term.children(t).map((child) => magnitude(child, x, y)))

/** A central difference by Richardson's rule, with how far two step widths differ. */
const difference = (f: (x: number) => number, x: number) => {
  const central = (h: number) => (f(x + h) - f(x - h)) / (2 * h)
  const coarse = (4 * central(1e-3) - central(2e-3)) / 3
  const fine = (4 * central(5e-4) - central(1e-3)) / 3
  return { slope: fine, error: Math.abs(fine - coarse) }
}

describe("derivative", () => {
  it("is the limit of differences, wherever differences converge", () => {
    let compared = 0
    let undefinedSlopes = 0
    fc.assert(
      fc.property(term, xs, ys, (t, x, y) => {
        const { slope, error } = difference((at) => evaluate(t, at, y), x)
        if (!(error < 1e-7 * (1 + Math.abs(slope)) && magnitude(t, x, y) < 1e4)) return
        const symbolic = evaluate(Term.derivative(t, "x"), x, y)
        // sqrt(x - x), or a negative base under an exponent that is constant, though not on its face: x^(x/x).
        if (!Number.isFinite(symbolic)) {
          undefinedSlopes++
          return
        }
        compared += slope === 0 ? 0 : 1
        expect(Math.abs(symbolic - slope)).toBeLessThan(1e-5 * (1 + Math.abs(slope)))
      }),
      { numRuns: 6000 },
    )
    expect(compared).toBeGreaterThan(800)
    expect(undefinedSlopes).toBeLessThan(150)
  })

  it("over numbers and over terms is the same", () => {
    const run = Term.interpret(Term.dual(Term.arithmetic))
    fc.assert(
      fc.property(term, xs, ys, (t, x, y) => {
        const { slope = 0 } = run(t)((name) =>
          name === "x" ? { value: x, slope: 1 } : { value: y, slope: undefined },
        )
        const symbolic = evaluate(Term.derivative(t, "x"), x, y)
        // Simplification drops products with 0, which hides NaN; other values differ by the folding of constants only.
        if (Number.isFinite(slope)) expect(symbolic).toBeCloseTo(slope, 6 - Math.log10(1 + Math.abs(slope)))
      }),
      { numRuns: 2000 },
    )
  })

  it("by a variable that does not occur is 0", () => {
    fc.assert(
      fc.property(arbitraryTerm({ variables: ["y"] }), (t) => {
        expect(Term.derivative<string>(t, "x")).toEqual(Term.constant(0))
      }),
    )
  })
})
