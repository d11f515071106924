import { describe, expect, it } from "vitest"
import { limit } from "../../../../src/wasm/math/circular.ts"
import * as Tanh from "../../../../src/wasm/math/tanh.ts"
import * as Lanes from "../../../support/lanes.ts"

// The functions that only values inside of trees take: sine and cosine of rounded arguments, and the clip of values that
// are small beside it.

const grid = (bound: number, count = 200_001): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => bound * ((2 * i) / (count - 1) - 1))

const ulp = 2 ** -23

describe.each(Lanes.targets)("with $name", ({ target }) => {
  const functions = Lanes.compile(target, {
    sin: (lane) => lane.bounded(limit).sin,
    cos: (lane) => lane.bounded(limit).cos,
    near: Lanes.squashed(200, false, "near"),
    clip: Lanes.squashed(200, false, "any"),
    tiny: Lanes.squashed(1e-6, false, "near"),
  })

  it.each([Math.PI / 2, 10, 200, limit])(
    "sine and cosine up to %f are those of an argument within its rounding",
    (bound) => {
      const x = grid(bound)
      for (const name of ["sin", "cos"] as const) {
        const found = functions[name](x)
        // A unit of the argument, as large as it gets, and that of values near 1.
        const worst = x.reduce(
          (most, a, i) => Math.max(most, Math.abs(found[i]! - Math[name](a)) - Math.abs(a) * ulp),
          -Infinity,
        )
        expect(worst).toBeLessThan(1.1 * ulp)
      }
    },
  )

  it("the sine near 0 is exact to three units in the last place", () => {
    const x = [1, 1e-3, 1e-10, 1e-30].flatMap((bound) => [...grid(bound, 2001)])
    const found = functions.sin(Float32Array.from(x))
    const worst = x.reduce(
      (most, _, i) => Math.max(most, Lanes.ulps(found[i]!, Math.sin(Math.fround(x[i]!)))),
      0,
    )
    expect(worst).toBeLessThan(3)
  })

  it("makes NaN of NaN and of infinities", () => {
    const x = Float32Array.of(Number.NaN, Infinity, -Infinity)
    expect([...functions.sin(x), ...functions.cos(x)].every(Number.isNaN)).toBe(true)
    expect(functions.near(x)[0]).toBeNaN()
  })

  it("clips small values as all values are clipped", () => {
    const x = grid(200 * Tanh.near)
    const [near, any] = [functions.near(x), functions.clip(x)]
    const worst = x.reduce((most, a, i) => Math.max(most, Lanes.ulps(near[i]!, 200 * Math.tanh(a / 200))), 0)
    expect(worst).toBeLessThan(3)
    expect(near.every((value, i) => Math.abs(value - any[i]!) <= 3 * ulp * Math.abs(value))).toBe(true)
  })

  it("clips to limits whose powers leave float32", () => {
    const x = grid(1e-6 * Tanh.near, 2001)
    const found = functions.tiny(x)
    const worst = x.reduce(
      (most, a, i) => Math.max(most, Lanes.ulps(found[i]!, 1e-6 * Math.tanh(a / 1e-6))),
      0,
    )
    expect(worst).toBeLessThan(3)
  })
})
