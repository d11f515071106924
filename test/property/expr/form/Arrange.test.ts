import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { arbitraryTerm } from "../../../../src/testing/arbitraryTerm.ts"
import { boundedValue } from "../../../support/errorBounds.ts"

const names = ["x", "y", "z"] as const
const constants = fc.oneof(
  fc.integer({ min: -4, max: 6 }),
  fc.constantFrom(0.5, -0.5, 1.5, -2.5, 0.3, Math.PI, 2.718281828, 1 / 3),
)
const operations = [
  "neg",
  "square",
  "sqrt",
  "abs",
  "sign",
  "exp",
  "log",
  "sin",
  "cos",
  "tan",
  "tanh",
  "asin",
  "acos",
  "atan",
  "add",
  "sub",
  "mul",
  "div",
  "pow",
  "min",
  "max",
] as const
const everything = arbitraryTerm({ variables: names, constants, operations, depth: 6 })
const algebraic = arbitraryTerm({
  variables: names,
  constants,
  operations: ["neg", "square", "sqrt", "abs", "exp", "log", "add", "sub", "mul", "div", "pow"],
  depth: 7,
})
const signed = fc.constantFrom(-2.3, -2, -1, -0.5, 0, 0.5, 1, 1.7, 2, 3)
const positive = fc.constantFrom(0.1, 0.5, 1, 1.3, 2, 7)
const point = (value: fc.Arbitrary<number>) => fc.record({ x: value, y: value, z: value })

/** Whether the arranged powers may overflow at the points, where the term itself has no such power. */
const extreme = Term.fold<boolean>((layer) =>
  layer._tag === "Constant" ? Math.abs(layer.value) > 60 : Term.children(layer).some((child) => child),
)

/** Compares a term and its arrangement at a point; says whether the comparison had a meaning. */
const compared = (
  term: Term.Term<"x" | "y" | "z">,
  arranged: Term.Term,
  at: Readonly<Record<string, number>>,
): boolean => {
  if (extreme(arranged)) return false
  const read = (name: string): number => at[name] ?? NaN
  const expected = boundedValue(term, read)
  if (!(expected.error <= 1e-3 * Math.max(1, Math.abs(expected.value)))) return false
  const found = boundedValue(arranged, read)
  const vague = !(found.error <= 1e-3 * Math.max(1, Math.abs(found.value)))
  if (vague && Number.isFinite(found.value)) return false
  const tolerance = 8 * (found.error + expected.error)
  if (!(Math.abs(found.value - expected.value) <= tolerance))
    throw new Error(
      `${infix(term)} is ${expected.value}, but ${infix(arranged)} is ${found.value} at ${JSON.stringify(at)}`,
    )
  return true
}

describe("arrange", () => {
  for (const [kind, terms] of [
    ["all operations", everything],
    ["powers and sums", algebraic],
  ] as const) {
    it(`is the same function wherever the term is defined: ${kind}`, () => {
      let meant = 0
      fc.assert(
        fc.property(terms, fc.array(point(signed), { minLength: 4, maxLength: 4 }), (term, points) => {
          const arranged = Term.arrange(term)
          for (const at of points) if (compared(term, arranged, at)) meant += 1
        }),
        { numRuns: 4000 },
      )
      expect(meant).toBeGreaterThan(3000)
    })

    it(`is the same function of positive variables where these are known: ${kind}`, () => {
      let meant = 0
      fc.assert(
        fc.property(terms, fc.array(point(positive), { minLength: 3, maxLength: 3 }), (term, points) => {
          const arranged = Term.arrange(term, { positive: () => true })
          for (const at of points) if (compared(term, arranged, at)) meant += 1
        }),
        { numRuns: 4000 },
      )
      expect(meant).toBeGreaterThan(3000)
    })

    it(`changes nothing a second time, also through text: ${kind}`, () => {
      fc.assert(
        fc.property(terms, (term) => {
          const text = infix(Term.arrange(term))
          expect(infix(Term.arrange(Result.getOrThrow(parse(text))))).toBe(text)
        }),
        { numRuns: 4000 },
      )
    })
  }

  it("takes every term, with numbers of any size and protected operations", () => {
    fc.assert(
      fc.property(arbitraryTerm({ variables: names, depth: 6 }), (term) => {
        const text = infix(Term.arrange(term))
        expect(infix(Term.arrange(Result.getOrThrow(parse(text))))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})
