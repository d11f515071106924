import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { whole } from "../../../src/internal/whole.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as RationalFunctions from "../../../src/search/RationalFunctions.ts"

const line = (low: number, high: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1))
const ones = (u: Float64Array): Float64Array => new Float64Array(u.length).fill(1)
const valueOf = (coefficients: ArrayLike<number>, at: number): number =>
  Array.from(coefficients).reduceRight((sum, by) => sum * at + by, 0)
const close = (values: ReadonlyArray<number>): ReadonlyArray<unknown> =>
  values.map((value) => expect.closeTo(value, 7))

const found = (...given: Parameters<typeof RationalFunctions.of>) => whole(RationalFunctions.of(...given))

describe("rational functions by linear problems", () => {
  it.each([
    [[1, 3, 3, 1], [1, -1, 1], 1],
    [[1, 0, 0, -3, 0, 1], [1, 0, 1], 1],
    [[0, 0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 1], 10],
  ])("are %j over %j where these leave nothing", (numerator, denominator, reach) => {
    const u = line(-reach, reach, 20)
    const z = u.map((at) => valueOf(numerator, at) / valueOf(denominator, at))
    const [best] = found(u, z, ones(u))
    expect([...best!.numerator]).toEqual(close(numerator))
    expect([...best!.denominator]).toEqual(close(denominator))
  })

  it.each([
    [
      [0, 0, 0, 0, 1],
      [1, 0, -1.91, 0, 1],
    ],
    [[1], [1, 0, -0.11]],
    [
      [1, 0.3],
      [1, -0.3],
    ],
  ])("of the degrees that laws mostly have are %j over %j, too", (numerator, denominator) => {
    const u = line(0.1, 3, 60)
    const z = u.map((at) => valueOf(numerator, at) / valueOf(denominator, at))
    const [best] = found(u, z, ones(u), RationalFunctions.small)
    expect([...best!.numerator]).toEqual(close(numerator))
    expect([...best!.denominator]).toEqual(close(denominator))
  })

  it("fit thermal expansion as well as the law with its own numbers", () => {
    // NIST StRD, Hahn1: the certified numbers, rounded.
    const law = [
      [1.0776, -0.12269, 4.0864e-3, -1.4263e-6],
      [1, -5.761e-3, 2.4054e-4, -1.2314e-7],
    ] as const
    const u = line(15, 850, 236)
    const errors = Rng.normal(Rng.key(4), new Float64Array(236))
    const z = u.map((at, i) => valueOf(law[0], at) / valueOf(law[1], at) + 0.08 * errors[i]!)
    const left = z.reduce(
      (sum, value, i) => sum + (value - valueOf(law[0], u[i]!) / valueOf(law[1], u[i]!)) ** 2,
      0,
    )
    const own = found(u, z, ones(u))
    const rss = ({ numerator, denominator }: RationalFunctions.RationalFunction): number =>
      z.reduce(
        (sum, value, i) => sum + (value - valueOf(numerator, u[i]!) / valueOf(denominator, u[i]!)) ** 2,
        0,
      )
    expect(Math.min(...own.map(rss))).toBeLessThan(1.05 * left)
  })

  it("have no pole among the rows", () => {
    const u = line(-1, 1, 40)
    const z = u.map((at) => 1 / (at - 0.013))
    for (const { denominator } of found(u, z, ones(u))) {
      const signs = new Set(line(-1, 1, 500).map((at) => Math.sign(valueOf(denominator, at))))
      expect(signs.size).toBe(1)
    }
  })

  it("are none of a column that does not vary, and of too few rows", () => {
    const u = ones(line(0, 1, 30))
    expect(found(u, line(0, 1, 30), u)).toEqual([])
    expect(found(line(0, 1, 2), line(1, 3, 2), ones(line(0, 1, 2)))).toEqual([])
  })
})

describe("division of a numerator", () => {
  it("leaves a remainder of lower degree, and is the same function", () => {
    const coefficients = (length: number) =>
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: length, maxLength: 6 })
    fc.assert(
      fc.property(coefficients(1), coefficients(1), fc.integer({ min: -3, max: 3 }), (above, below, at) => {
        const numerator = Float64Array.from(above)
        const denominator = Float64Array.from([1, ...below, 2])
        const { quotient, remainder } = RationalFunctions.divided({ numerator, denominator })
        expect(remainder.length).toBeLessThan(denominator.length)
        expect(valueOf(quotient, at) * valueOf(denominator, at) + valueOf(remainder, at)).toBeCloseTo(
          valueOf(numerator, at),
          6,
        )
      }),
      { seed: 3, numRuns: 200 },
    )
  })
})
