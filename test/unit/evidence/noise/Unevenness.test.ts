import { describe, expect, it } from "vitest"
import * as Unevenness from "../../../../src/evidence/noise/Unevenness.ts"

const exponential = (rate: number): Float64Array =>
  Float64Array.from({ length: 101 }, (_, i) => Math.exp((rate * i) / 100))

describe("the unevenness of y", () => {
  it("is log sd(y) - mean log |y| over values other than 0, in any unit", () => {
    // Values 1 and 3: a standard deviation of 1 and a mean logarithm of log(3) / 2.
    expect(Unevenness.of(Float64Array.of(1, 3))).toBeCloseTo(-Math.log(3) / 2, 12)
    expect(Unevenness.of(Float64Array.of(-1e-30, 3e-30))).toBeCloseTo(Math.log(2) - Math.log(3) / 2, 12)
    expect(Unevenness.of(Float64Array.of(0, 2))).toBeCloseTo(-Math.log(2), 12)
  })

  it("spans decades where laws of the largest values say nothing of most", () => {
    // The standard deviation of exp(r u) is about exp(r) / sqrt(2 r), and the mean logarithm r / 2.
    for (const rate of [5, 20]) expect(Unevenness.spansDecades(exponential(rate))).toBe(rate > 10)
    expect(Unevenness.spansDecades(Float64Array.from({ length: 101 }, (_, i) => 5 + i / 100))).toBe(false)
    // In other units all is the same.
    expect(Unevenness.spansDecades(exponential(20).map((value) => 1e-30 * value))).toBe(true)
  })
})
