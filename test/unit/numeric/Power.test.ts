import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { pow } from "../../../src/numeric/Power.ts"
import * as Rng from "../../../src/random/Rng.ts"

const special = [
  ...[0, 1, 2, 3, 0.5, 1e10, 1e-310, Infinity, Number.NaN].flatMap((x) => [x, -x]),
  ...[1 + 2 ** -52, 1 - 2 ** -53, Number.MIN_VALUE, Number.MAX_VALUE].flatMap((x) => [x, -x]),
]
const exponents = [
  0,
  1,
  2,
  3,
  0.5,
  1.5,
  1e10,
  1e20,
  2 ** 31,
  2 ** 31 + 2,
  2 ** 53,
  1e300,
  1023,
  1074,
  Infinity,
]
  .flatMap((y) => [y, -y])
  .concat(Number.NaN)

/** Within the last bit, or the last bit of a subnormal number. */
const near = (value: number, other: number): boolean =>
  Object.is(value, other) || Math.abs(value - other) <= Math.max(2 ** -52 * Math.abs(other), Number.MIN_VALUE)

const random = Rng.generator(Rng.key(4))
const pairs = Array.from({ length: 20_000 }, (_, i) => {
  const spread = i % 3 === 0 ? 1400 : 8
  const x = 1.7 ** (spread * (random.next() - 0.5))
  const y = i % 5 === 0 ? random.integer(41) - 20 : (i % 2 === 0 ? 200 : 6) * (random.next() - 0.5)
  return [Math.fround(i % 5 === 0 && i % 2 === 0 ? -x : x), y] as const
})

describe("a power", () => {
  it("is that of ECMAScript but for the last bit", () => {
    for (const x of special)
      for (const y of exponents)
        expect([x, y, pow(x, y), near(pow(x, y), x ** y)]).toEqual([x, y, pow(x, y), true])
    for (const [x, y] of pairs) expect([x, y, near(pow(x, y), x ** y)]).toEqual([x, y, true])
  })

  it("of whole numbers is exact", () => {
    for (let x = -40; x <= 40; x++) {
      let [exact, y] = [1n, 0]
      for (; Number.isSafeInteger(Number(exact)) && y < 60; y++) {
        expect(pow(x, y)).toBe(Number(exact))
        exact *= BigInt(x)
      }
    }
    for (let k = 0; k <= 22; k++) expect(pow(10, k)).toBe(Number(`1e${k}`))
  })

  it("is nearly the next number to the exact one", () => {
    // Fifth powers of numbers of 21 bits have 105 bits, which BigInt knows.
    let worst = 0
    for (let i = 0; i < 5000; i++) {
      const x = 2 ** 20 + random.integer(2 ** 20)
      const exact = BigInt(x) ** 5n
      const bits = exact.toString(2).length
      const ulp = 2 ** (bits - 53)
      worst = Math.max(
        worst,
        Number(BigInt(pow(x, 5)) - exact) / ulp,
        Number(exact - BigInt(pow(x, 5))) / ulp,
      )
    }
    expect(worst).toBeGreaterThan(0.49)
    expect(worst).toBeLessThan(0.9)
  })

  it("has the same bits on every engine", () => {
    // Of the generator and of arithmetic alone, so that the numbers are the same everywhere, too.
    const generator = Rng.generator(Rng.key(9))
    const values = Float64Array.from({ length: 50_000 }, (_, i) => {
      const x = 1e-3 + (i % 2 === 0 ? 20 : 1e6) * generator.next()
      return pow(x, i % 5 === 0 ? generator.integer(21) - 10 : 12 * (generator.next() - 0.5))
    })
    expect(createHash("sha256").update(values).digest("hex").slice(0, 16)).toBe("43c547854249d0c5")
  })
})
