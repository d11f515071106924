// Any text as a formula, a definition or a condition: a term that prints and reads back, or an error that names the place.
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Complaint } from "../../src/cli/Complaint.ts"
import * as Condition from "../../src/cli/rows/Condition.ts"
import * as Derived from "../../src/cli/rows/Derived.ts"
import { definition, definitionText } from "../../src/expr/text/definition.ts"
import { infix } from "../../src/expr/text/infix.ts"
import { parse } from "../../src/expr/text/parse.ts"
import * as Term from "../../src/expr/Term.ts"
import { calculate } from "../../bench/fuzz/calculator.ts"
import * as Texts from "../../bench/fuzz/texts.ts"
import * as Verdict from "../../bench/fuzz/verdict.ts"
import * as Rng from "../../src/random/Rng.ts"
import { odd } from "./corpus.ts"
import { runs } from "../support/property.ts"

const words = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "x",
      "y",
      "1",
      "2.5",
      "+",
      "-",
      "*",
      "/",
      "^",
      "**",
      "(",
      ")",
      ",",
      " ",
      "sin",
      "sin(",
      "pi",
      "pow(",
      "log(",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "1e999",
      "1e-999",
      ".5",
      "1.",
      "1e",
      "`a b`",
      "`",
      "``",
      "=",
      "==",
      "<",
      "and",
      "not",
      "'A'",
      '"',
      "sqrt(-1)",
      "(((",
      ")))",
      "inv",
      "square(",
      "max(1,",
      "9".repeat(400),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 4 }) },
)
const texts = fc.array(words, { maxLength: 12 }).map((list) => list.join(""))

describe("any text", () => {
  it("is a formula that reads back, or an error that names the place (100,000 cases)", () => {
    let read = 0
    fc.assert(
      fc.property(texts, (text) => {
        const found = parse(text)
        if (Result.isSuccess(found)) {
          read++
          const again = parse(infix(found.success))
          expect(Result.isSuccess(again) && Term.equals(again.success, found.success)).toBe(true)
          return
        }
        const { message, position } = found.failure
        if (position < 0 || position > text.length || !/^expected .+ at column \d+: "/s.test(message))
          expect.fail(`${JSON.stringify(text)}: ${message}`)
      }),
      { numRuns: 100_000 },
    )
    expect(read).toBeGreaterThan(1000)
  })

  it("is a definition that reads back, or an error of one sentence (10,000 cases)", () =>
    fc.assert(
      fc.property(
        fc.constantFrom("f(x)=", "f(x, y) = ", "", "g(", "constructor(x)="),
        texts,
        (head, text) => {
          const found = definition(`${head}${text}`)
          if (Result.isFailure(found))
            expect(found.failure.message).toMatch(
              /^(an operator|the operator|the formula|there is no|.* is (an operator|a number))/s,
            )
          else
            expect(Result.map(definition(definitionText(found.success)), ({ term }) => term)).toEqual(
              Result.succeed(found.success.term),
            )
        },
      ),
      { numRuns: 10_000 },
    ))

  it("is a condition or a column, or a complaint (10,000 cases)", () =>
    fc.assert(
      fc.property(texts, fc.constantFrom("x > ", "not (", "z=", "", "'a' == "), (text, head) => {
        for (const effect of [Condition.parse(`${head}${text}`, []), Derived.parse(`${head}${text}`, [])]) {
          const found = Effect.runSync(Effect.result(Effect.asVoid<unknown, Complaint, never>(effect)))
          if (found._tag === "Failure")
            expect(found.failure.message).toMatch(/^--(where|column) "[^]*": expected /)
        }
      }),
      { numRuns: 10_000 },
    ))
})

// `npm run fuzz` does this for an hour.
describe("a second reader of formulas, which shares nothing with the first,", () => {
  it("reads the same numbers from the same texts (10,000 cases)", () => {
    const random = Rng.generator(Rng.fold(Rng.key(1), "formulas"))
    let read = 0
    for (let texts = 0; texts < runs(10_000).numRuns!; texts++) {
      const text = Texts.next(random, Texts.seeds)
      const verdict = Verdict.of(text)
      if (verdict.read) read++
      if (verdict.wrong !== undefined) expect.fail(`${JSON.stringify(text)}: ${verdict.wrong}`)
    }
    expect(read).toBeGreaterThan(1000)
  })

  it("knows what binds how strongly", () => {
    const value = (text: string) => {
      const reading = calculate(text)
      return reading._tag === "value" ? reading.value : reading._tag
    }
    expect(
      ["-2^2", "2^-1^2", "2^3^2", "8/4/2", "1-2-3", "-2*-3", "min(1, -2)-inv(4)", "2 ** 2 * 3"].map(value),
    ).toEqual([-4, 0.5, 512, 1, -4, 6, -2.25, 12])
    expect(
      ["", "1 2", "2x", "sin", "sin()", "sin(1,2)", "min(1)", "(1", "1)", "f(1)", "1,2", "1e999", "+"].map(
        value,
      ),
    ).toEqual(Array.from({ length: 13 }, () => "refused"))
    // Infinity, or minus Infinity: a written 0 has no sign.
    expect(value("1/-0")).toBe("unclear")
  })
})

describe("found once", () => {
  it.each(["1e999", "-1e999", "x+1e400", "9".repeat(400)])("%s is no number that a term may have", (text) => {
    const found = parse(text)
    expect(Result.isFailure(found) && found.failure.message).toMatch(/^expected .* at column \d+/)
  })

  it.each([
    "(".repeat(100_000),
    "-".repeat(100_000),
    "sin(".repeat(50_000),
    `x${"^x".repeat(50_000)}`,
    `x${"+x".repeat(50_000)}`,
  ])("a formula that nests or chains beyond all measure is an error", (text) => {
    const found = parse(text)
    expect(Result.isFailure(found) && found.failure.message).toMatch(
      /^expected a formula at most 1000 operations deep|^expected/,
    )
  })
})
