import { expect, it } from "vitest"
import { extremes } from "../../../src/numeric/extremes.ts"

it("finds the least and the largest finite values of all columns", () => {
  expect(extremes(Float64Array.of(3, Number.NaN, -2), Float64Array.of(Infinity, 7))).toEqual({
    low: -2,
    high: 7,
  })
})

it("has none where no value is finite", () => {
  expect(extremes()).toBeUndefined()
  expect(extremes(Float64Array.of(Number.NaN, -Infinity))).toBeUndefined()
})
