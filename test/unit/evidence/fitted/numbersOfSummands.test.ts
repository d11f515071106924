import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { numbersOfSummands } from "../../../../src/evidence/fitted/numbersOfSummands.ts"
import { parse } from "../../../../src/expr/text/parse.ts"

const groups = (text: string, names: string): ReadonlyArray<string> =>
  numbersOfSummands(Result.getOrThrow(parse(text)), names.split("")).map((group) => group.toSorted().join(""))

describe("the numbers of a formula by its summands", () => {
  it.each([
    ["a*exp(-b*x) + c*exp(-(x - d)^2/f^2)", "bdf", ["b", "df"]],
    ["a*(exp(-b*x) - exp(-c*x))", "bc", ["b", "c"]],
    ["1/(exp(-b*x) - sqrt(c + x))", "bc", ["b", "c"]],
    ["exp(-b*x) + exp(-c*x) + x^(b*d)", "bcd", ["c", "bd"]],
    ["a*exp(-b*x)/(c + x)", "bc", ["bc"]],
    ["a*x", "", []],
  ] as const)("%s by %s", (text, names, expected) => {
    expect(groups(text, names).toSorted()).toEqual(expected.toSorted())
  })
})
