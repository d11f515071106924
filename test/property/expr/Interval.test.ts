// Enclosures have the values of terms at points of a box in them.
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Interval from "../../../src/expr/Interval.ts"
import * as Term from "../../../src/expr/Term.ts"
import { arbitraryTerm } from "../../../src/testing/arbitraryTerm.ts"

const side = fc.tuple(fc.double({ min: -4, max: 4, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true }))

describe("interval arithmetic", () => {
  it("encloses terms", () => {
    fc.assert(
      fc.property(
        arbitraryTerm({ variables: ["x", "y"] }),
        side,
        side,
        fc.array(
          fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
          {
            minLength: 5,
            maxLength: 5,
          },
        ),
        (term, [a, width], [b, height], points) => {
          const box = { x: { low: a, high: a + width }, y: { low: b, high: b + height } }
          const { low, high } = Term.interpret(Interval.algebra)(term)((name) =>
            name === "x" ? box.x : box.y,
          )
          const run = Term.interpret(Term.arithmetic)(term)
          for (const [u, v] of points) {
            const value = run((name) =>
              name === "x" ? Math.min(a + u * width, a + width) : Math.min(b + v * height, b + height),
            )
            // A point where the term has no value says nothing.
            if (!Number.isFinite(value)) continue
            expect(value).toBeGreaterThanOrEqual(low)
            expect(value).toBeLessThanOrEqual(high)
          }
        },
      ),
      { seed: 38, numRuns: 2000 },
    )
  })
})
