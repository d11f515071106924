import { describe, expect, it } from "vitest"
import * as ConstantExpressions from "../../../src/search/ConstantExpressions.ts"
import * as Spaces from "../../support/spaces.ts"

const spaces = Spaces.make(([a, b]) => a! * b!)
const { space } = spaces

describe("numbers made of constants", () => {
  it("come once, without zero and the constants themselves", () => {
    const found = ConstantExpressions.of(space).map((id) =>
      Number(Spaces.column(spaces, id)[0]!.toPrecision(12)),
    )
    // Of 1 alone: 1 + 1, but neither 1 - 1, 1 * 1, 1 / 1 and 1^2, nor sin 1, which no law has.
    expect(found).toEqual([2])
    expect(ConstantExpressions.constantsOf(space)).toEqual([2])
  })
})
