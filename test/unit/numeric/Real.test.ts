import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Real from "../../../src/numeric/Real.ts"
import { witnesses } from "../../../src/numeric/real/witnesses.ts"
import * as Rng from "../../../src/random/Rng.ts"
import fixture from "../../fixtures/real.json" with { type: "json" }

const { own } = Real

/** Functions of one argument, and the largest error in units of the last place. */
const bounds = {
  exp: 0.85,
  expm1: 0.85,
  log: 0.85,
  log1p: 0.85,
  log2: 0.65,
  log10: 1.3,
  sin: 0.8,
  cos: 0.8,
  tan: 0.8,
  asin: 0.8,
  acos: 0.85,
  atan: 0.8,
  sinh: 1.6,
  cosh: 1.3,
  tanh: 2.1,
  asinh: 1.6,
}
type Name = keyof typeof bounds
// The keys of a literal object are its own.
const names = Object.keys(bounds) as ReadonlyArray<Name>

/** Those without a step back where two of their parts meet; asinh has one of a last bit at 2^28. */
const rising = ["exp", "expm1", "log", "log1p", "log2", "log10", "atan", "sinh", "tanh"] as const

const bits = new Float64Array(1)
const whole = new BigInt64Array(bits.buffer)
/** The next double away from 0. */
const next = (x: number, steps = 1): number => {
  bits[0] = x
  whole[0]! += BigInt(steps)
  return bits[0]
}
const ulp = (x: number): number => next(Math.abs(x)) - Math.abs(x)

describe("an elementary function", () => {
  for (const name of names)
    it(`${name} is right to ${bounds[name]} units in the last place`, () => {
      let worst = 0
      for (const [x, nearest, above] of fixture[name]) {
        const error = Math.abs((own[name](x!) - nearest!) / ulp(nearest!) - above!)
        expect([x, error <= bounds[name]]).toEqual([x, true])
        worst = Math.max(worst, error)
      }
      expect(fixture[name].length).toBeGreaterThan(45)
      // Half a unit is what rounding takes.
      expect(worst).toBeGreaterThan(0.45)
    })

  it("has the special values of ECMAScript", () => {
    const tiny = Number.MIN_VALUE
    const values: Readonly<Record<Name, ReadonlyArray<readonly [number, number]>>> = {
      exp: [
        [0, 1],
        [-0, 1],
        [Infinity, Infinity],
        [-Infinity, 0],
        [1, Math.E],
        [710, Infinity],
        [-746, 0],
        [tiny, 1],
      ],
      expm1: [
        [0, 0],
        [-0, -0],
        [Infinity, Infinity],
        [-Infinity, -1],
        [710, Infinity],
        [-50, -1],
        [-tiny, -tiny],
      ],
      log: [
        [1, 0],
        [0, -Infinity],
        [-0, -Infinity],
        [-1, Number.NaN],
        [Infinity, Infinity],
        [tiny, -744.4400719213812],
      ],
      log1p: [
        [0, 0],
        [-0, -0],
        [-1, -Infinity],
        [-2, Number.NaN],
        [Infinity, Infinity],
        [-tiny, -tiny],
      ],
      log2: [
        [1, 0],
        [0, -Infinity],
        [-1, Number.NaN],
        [Infinity, Infinity],
        [tiny, -1074],
        [0.125, -3],
      ],
      log10: [
        [1, 0],
        [0, -Infinity],
        [-1, Number.NaN],
        [Infinity, Infinity],
        [1e22, 22],
      ],
      sin: [
        [0, 0],
        [-0, -0],
        [Infinity, Number.NaN],
        [-Infinity, Number.NaN],
        [-tiny, -tiny],
      ],
      cos: [
        [0, 1],
        [-0, 1],
        [Infinity, Number.NaN],
        [-Infinity, Number.NaN],
        [tiny, 1],
      ],
      tan: [
        [0, 0],
        [-0, -0],
        [Infinity, Number.NaN],
        [-Infinity, Number.NaN],
        [-tiny, -tiny],
      ],
      asin: [
        [0, 0],
        [-0, -0],
        [1, Math.PI / 2],
        [-1, -Math.PI / 2],
        [1.5, Number.NaN],
        [-Infinity, Number.NaN],
      ],
      acos: [
        [1, 0],
        [-1, Math.PI],
        [0, Math.PI / 2],
        [-1.5, Number.NaN],
        [Infinity, Number.NaN],
      ],
      atan: [
        [0, 0],
        [-0, -0],
        [Infinity, Math.PI / 2],
        [-Infinity, -Math.PI / 2],
        [1, Math.PI / 4],
      ],
      sinh: [
        [0, 0],
        [-0, -0],
        [Infinity, Infinity],
        [-Infinity, -Infinity],
        [-711, -Infinity],
        [-tiny, -tiny],
      ],
      cosh: [
        [0, 1],
        [-0, 1],
        [Infinity, Infinity],
        [-Infinity, Infinity],
        [711, Infinity],
      ],
      tanh: [
        [0, 0],
        [-0, -0],
        [Infinity, 1],
        [-Infinity, -1],
        [23, 1],
        [-tiny, -tiny],
      ],
      asinh: [
        [0, 0],
        [-0, -0],
        [Infinity, Infinity],
        [-Infinity, -Infinity],
        [-tiny, -tiny],
      ],
    }
    for (const name of names)
      for (const [x, value] of [...values[name], [Number.NaN, Number.NaN] as const])
        expect([name, x, own[name](x)]).toEqual([name, x, value])
  })

  it("is exact where it can be", () => {
    for (let k = -1074; k < 1024; k++) expect(own.log2(2 ** k)).toBe(k)
    for (let k = 0; k <= 22; k++) expect(own.log10(Number(`1e${k}`))).toBe(k)
    for (const size of [1, 1e-300, 1e300]) {
      expect(Real.hypot(3 * size, -4 * size)).toBeCloseTo(5 * size, 14)
      expect(Real.hypot(3 * size, -4 * size) / size).toBeCloseTo(5, 14)
    }
    expect(Real.hypot(0, -0)).toBe(0)
    expect(Real.hypot(-Infinity, Number.NaN)).toBe(Infinity)
    expect(Real.hypot(Number.NaN, 1)).toBe(Number.NaN)
  })

  it("is odd or even in every bit where it is in truth", () => {
    const random = Rng.generator(Rng.key(3))
    for (let i = 0; i < 2000; i++) {
      const x = 2 ** (random.integer(40) - 20) * random.next()
      for (const name of ["sin", "tan", "atan", "sinh", "tanh"] as const)
        expect(own[name](-x)).toBe(-own[name](x))
      for (const name of ["cos", "cosh"] as const) expect(own[name](-x)).toBe(own[name](x))
    }
  })

  it("rises where it rises in truth, at the borders of its parts, too", () => {
    for (const name of rising)
      for (const [border] of fixture[name].filter(([x]) => Math.abs(x!) > 1e-300))
        for (let step = -20; step < 20; step++) {
          const [x, y] = [next(border!, step), next(border!, step + 1)].sort((a, b) => a - b)
          expect([name, x, own[name](x!) <= own[name](y!)]).toEqual([name, x, true])
        }
  })

  it("has the same bits on every engine", () => {
    // Of the generator and of arithmetic alone, so that the numbers are the same everywhere, too.
    const generator = Rng.generator(Rng.key(21))
    const hash = createHash("sha256")
    for (const name of names) {
      const inside = name === "asin" || name === "acos"
      hash.update(
        Float64Array.from({ length: 20_000 }, (_, i) => {
          const wide = 2 ** (generator.integer(i % 4 === 0 ? 600 : 8) - (i % 4 === 0 ? 300 : 4))
          const x = (generator.next() - 0.5) * (inside ? 2 : wide)
          const y = own[name](name.startsWith("log") ? Math.abs(x) : x)
          // The sign of NaN is not fixed.
          return Number.isNaN(y) ? 0.125 : y
        }),
      )
    }
    expect(hash.digest("hex").slice(0, 16)).toBe("78af6c245119ed6f")
  })
})

describe("the functions of the engine", () => {
  // V8 has had fdlibm's until version 13.
  const isAfterFdlibm = Number(process.versions.v8.split(".")[0]) <= 13

  it("are taken where they have the same bits", () => {
    expect(Real.areOwn(own)).toBe(true)
    expect(Real.areOwn(Math)).toBe(isAfterFdlibm)
    expect(Real.exp).toBe(isAfterFdlibm ? Math.exp : own.exp)
  })

  it("are not taken where one of them has other last bits at one argument in ten", () => {
    const random = Rng.generator(Rng.key(12))
    // That no witness of 24 is one of them has a probability of 0.08: most of the functions are told apart.
    const told = names.filter((name) => {
      const other = (x: number): number => next(own[name](x), random.next() < 0.1 ? 1 : 0)
      return !Real.areOwn({ ...own, [name]: other })
    })
    expect(told.length).toBeGreaterThan(11)
    // One that rounds to nearest is told apart for certain.
    for (const name of names) {
      const other = (x: number): number => (x === witnesses[name].at(-1) ? next(own[name](x)) : own[name](x))
      expect([name, Real.areOwn({ ...own, [name]: other })]).toEqual([name, false])
    }
  })
})
