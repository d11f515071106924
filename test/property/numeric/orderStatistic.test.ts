import * as fc from "fast-check"
import { expect, it } from "vitest"
import { orderStatistic } from "../../../src/numeric/orderStatistic.ts"

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double(),
  fc.constantFrom(Infinity, -Infinity, Number.NaN),
)

it("an order statistic is the entry of a sorted copy, with ties, infinities and NaN", () =>
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(10_000),
      (few, times, place) => {
        const values = Float64Array.from({ length: few.length * times }, (_, i) => few[(i * 7) % few.length]!)
        const k = place % values.length
        const before = values.slice()
        // 0 and -0 are equal.
        expect(orderStatistic(values, k) + 0).toBe(values.toSorted()[k]! + 0)
        expect(values).toEqual(before)
      },
    ),
    { numRuns: 400 },
  ))
