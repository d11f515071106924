import { describe, expect, it } from "vitest"
import { differenceVariance } from "../../../src/numeric/differenceVariance.ts"
import * as Rng from "../../../src/random/Rng.ts"

const ones = (n: number): Float64Array => new Float64Array(n).fill(1)

describe("the variance of noise by differences of neighbours", () => {
  it("is that of second differences at equal distances, whatever the order of the rows", () => {
    const z = Float64Array.of(1, 4, 2, 2, 7)
    const u = Float64Array.of(0, 1, 2, 3, 4)
    // ((1 - 8 + 2)^2 + (4 - 4 + 2)^2 + (2 - 4 + 7)^2) / 6 / 3
    expect(differenceVariance(u)(z, ones(5))).toBeCloseTo(54 / 18, 12)
    const order = [3, 0, 4, 2, 1]
    const some = (column: Float64Array): Float64Array => Float64Array.from(order, (i) => column[i]!)
    expect(differenceVariance(some(u))(some(z), ones(5))).toBeCloseTo(54 / 18, 12)
  })

  it("is nothing on a line, at any distances", () => {
    const u = Float64Array.of(5, -1, 0.3, 9, 2)
    expect(
      differenceVariance(u)(
        u.map((x) => 3 - 2 * x),
        ones(5),
      ),
    ).toBeLessThan(1e-28)
  })

  it("is that around the middle of neighbours at one place", () => {
    expect(differenceVariance(new Float64Array(3))(Float64Array.of(1, 4, 1), ones(3))).toBeCloseTo(
      9 / 1.5,
      12,
    )
  })

  it("is not worked out where it is more than what is asked for", () => {
    const variance = differenceVariance(Float64Array.of(0, 1, 2, 3, 4))
    const z = Float64Array.of(1, 4, 2, 2, 7)
    expect(variance(z, ones(5), 3.01)).toBeCloseTo(3, 12)
    expect(variance(z, ones(5), 2.99)).toBe(Infinity)
  })

  it("is not known of two values", () => {
    expect(differenceVariance(Float64Array.of(1, 2))(Float64Array.of(1, 2), ones(2))).toBe(Infinity)
  })

  it("is unbiased around a wave, with errors of different sizes", () => {
    // The mean of 300 estimates, each with a standard deviation of 2 / sqrt(n), is within four of its own: fails once in 16,000 seeds.
    const [n, runs, sigma] = [200, 300, 0.1]
    const random = Rng.generator(Rng.key(5))
    let sum = 0
    for (let run = 0; run < runs; run++) {
      const u = Float64Array.from({ length: n }, () => random.next())
      const spread = u.map(() => 0.2 + 3 * random.next())
      const z = u.map((x, i) => Math.sin(4 * x) + sigma * Math.sqrt(spread[i]!) * random.normal())
      sum += differenceVariance(u)(z, spread) / sigma ** 2
    }
    expect(Math.abs(sum / runs - 1)).toBeLessThan((4 * 2) / Math.sqrt(n * runs))
  })
})
