import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { arbitraryName, arbitraryTerm } from "../../../../src/testing/arbitraryTerm.ts"

const anyTerm = arbitraryTerm({ variables: arbitraryName, depth: 6 })

describe("text", () => {
  it("what infix prints, parse reads back node for node", () => {
    fc.assert(
      fc.property(anyTerm, (term) => {
        expect(parse(infix(term))).toEqual(Result.succeed(term))
      }),
      { numRuns: 3000 },
    )
  })

  it("spaces change nothing", () => {
    fc.assert(
      fc.property(arbitraryTerm({ variables: ["x", "y0"] }), (term) => {
        const text = infix(term)
        expect(parse(text.replaceAll(" ", ""))).toEqual(Result.succeed(term))
        expect(
          parse(` ${text.replaceAll(/([-+*/^(),])/g, " $1 ").replaceAll(/e ([-+]) /g, "e$1")} `),
        ).toEqual(Result.succeed(term))
      }),
      { numRuns: 500 },
    )
  })

  it("brackets are minimal: without any pair of them the text means something else, or nothing", () => {
    // Only grouping brackets, which follow a sign or begin the text, can be spared; those of a call cannot.
    const grouping = /(?<![\p{L}\p{N}_`])\(/u
    const pairs = (text: string): ReadonlyArray<string> => {
      const open: Array<number> = []
      const spared: Array<string> = []
      for (let i = 0; i < text.length; i++) {
        if (text[i] === "(") open.push(i)
        if (text[i] !== ")") continue
        const from = open.pop() ?? 0
        if (grouping.test(text.slice(Math.max(0, from - 1), from + 1))) {
          spared.push(text.slice(0, from) + text.slice(from + 1, i) + text.slice(i + 1))
        }
      }
      return spared
    }
    // Negative numbers and negations in the middle are bracketed for the eye: a - (-b).
    const positive = arbitraryTerm({
      variables: ["x", "y"],
      operations: ["add", "sub", "mul", "div", "pow", "square", "sin"],
      constants: fc.integer({ min: 0, max: 9 }),
    })
    fc.assert(
      fc.property(positive, (term) => {
        for (const text of pairs(infix(term))) expect(parse(text)).not.toEqual(Result.succeed(term))
      }),
      { numRuns: 1000 },
    )
  })

  it("a rounded text is that of the rounded constants", () => {
    fc.assert(
      fc.property(arbitraryTerm({ variables: ["x"] }), fc.integer({ min: 1, max: 17 }), (term, precision) => {
        const rounded = Term.fold<Term.Term>((layer) =>
          layer._tag === "Constant" ? { ...layer, value: Number(layer.value.toPrecision(precision)) } : layer,
        )(term)
        expect(infix(term, { precision })).toBe(infix(rounded))
      }),
      { numRuns: 300 },
    )
  })

  it("any text is either a formula or an error that points into it", () => {
    const snippet = fc.constantFrom(
      "x",
      "sin",
      "(",
      ")",
      "+",
      "-",
      "*",
      "^",
      ",",
      "2",
      "1e",
      ".",
      "`",
      " ",
      "$",
      "max",
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(snippet, { maxLength: 12 }).map((words) => words.join("")),
        ),
        (text) => {
          const result = parse(text)
          if (Result.isSuccess(result)) return
          expect(result.failure.position).toBeGreaterThanOrEqual(0)
          expect(result.failure.position).toBeLessThanOrEqual(text.length)
          expect(result.failure.message).toMatch(/^expected .* at column \d+: "/su)
        },
      ),
      { numRuns: 3000 },
    )
  })
})
