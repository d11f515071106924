import { describe, expect, it } from "vitest"
import { exponentials } from "../../../src/wasm/exponentials.ts"
import * as Shared from "../../../src/vi/engines/tape/exponentials.ts"
import { exp } from "../../../src/numeric/Elementary.ts"
import * as Rng from "../../../src/random/Rng.ts"

const spread = (bound: number, count: number): ReadonlyArray<number> =>
  Array.from(Rng.uniform(Rng.key(count), new Float64Array(count)), (u) => bound * (2 * u - 1))

const extremes = [
  [0, -0, 1, -1, Number.MIN_VALUE, 709.782712893384, 709.79, 710, 1e300, Infinity],
  [-708.4, -720.5, -745.13, -745.14, -746, -1e300, -Infinity, Number.NaN],
]
const arguments_ = [...extremes.flat(), ...[800, 40, 1, 1e-9].flatMap((bound) => spread(bound, 5001))]

describe("exponentials of many numbers", () => {
  it.each([arguments_.length, 1, 7])("%i at a time have the bits of one at a time", (step) => {
    const kernel = exponentials(step)
    expect(kernel).toBeDefined()
    const { values, apply } = kernel!
    for (let from = 0; from < arguments_.length; from += step) {
      const part = arguments_.slice(from, from + step)
      values.set(part)
      apply(part.length)
      part.forEach((x, i) => expect(values[i], `exp(${x})`).toBe(exp(x)))
    }
  })

  it("has room for rows of any length, and keeps it", () => {
    const long = Shared.exponentials(5000)
    expect(long.values.length).toBeGreaterThanOrEqual(5000)
    expect(Shared.exponentials(10)).toBe(long)
    long.values[4999] = 1
    long.apply(5000)
    expect(long.values[4999]).toBe(exp(1))
  })
})
