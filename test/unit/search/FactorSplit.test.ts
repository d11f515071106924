import { describe, expect, it } from "vitest"
import * as FactorSplit from "../../../src/search/FactorSplit.ts"
import * as Spaces from "../../support/spaces.ts"

describe("a tree without its factors that are functions of one feature", () => {
  const spaces = Spaces.make(([a, b]) => a! * b!, { depth: 7 })
  const { space } = spaces
  const [a, b, one] = [0, 1, 2]
  const apply = (name: string, left: number, right?: number): number =>
    Spaces.apply(spaces, name, left, right)
  const beside = (id: number, feature: number): number | undefined => {
    space.attributes.update()
    return FactorSplit.besideFunctionsOf({ space, apply, constants: [one] }, id, feature)
  }
  const sum = apply("add", a, b)
  const wave = apply("sin", b)

  it("has the others, of a product and of a quotient", () => {
    expect(beside(apply("mul", apply("mul", a, wave), sum), b)).toBe(apply("mul", a, sum))
    expect(beside(apply("div", apply("mul", sum, a), apply("square", b)), b)).toBe(apply("mul", sum, a))
    expect(beside(apply("div", wave, sum), b)).toBe(apply("div", one, sum))
    expect(beside(apply("mul", apply("mul", a, wave), sum), a)).toBe(apply("mul", wave, sum))
  })

  it("is none where nothing is left, or nothing goes", () => {
    expect(beside(apply("mul", wave, b), b)).toBeUndefined()
    expect(beside(apply("mul", sum, apply("sin", sum)), b)).toBeUndefined()
    expect(beside(a, b)).toBeUndefined()
  })
})
