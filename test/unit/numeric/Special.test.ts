import { describe, expect, it } from "vitest"
import fixture from "../../fixtures/scipy-special.json" with { type: "json" }
import * as Special from "../../../src/numeric/Special.ts"
import { exp, log, normalQuantile } from "../../../src/numeric/Elementary.ts"

/** The largest error over the pairs, relative where |expected| > floor and in units of floor below. */
const worst = (errors: ReadonlyArray<readonly [actual: number, expected: number]>, floor: number): number =>
  Math.max(
    ...errors.map(([actual, expected]) => Math.abs(actual - expected) / Math.max(Math.abs(expected), floor)),
  )

const pairs = (
  f: (x: number) => number,
  table: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyArray<readonly [number, number]> =>
  table.map(([x = Number.NaN, expected = Number.NaN]) => [f(x), expected])

describe("special functions against mpmath and SciPy", () => {
  // Near a root the error is absolute: 1e-13 times the floor.
  const cases = [
    { name: "lgamma", f: Special.lgamma, tolerance: 1e-13, floor: 0.1 },
    { name: "digamma", f: Special.digamma, tolerance: 1e-13, floor: 0.1 },
    { name: "trigamma", f: Special.trigamma, tolerance: 1e-13, floor: 0 },
    { name: "erf", f: Special.erf, tolerance: 1e-13, floor: 1e-300 },
    { name: "normalCdf", f: Special.normalCdf, tolerance: 1e-12, floor: 1e-300 },
    { name: "normalQuantile", f: normalQuantile, tolerance: 1e-14, floor: 1e-2 },
  ] as const
  for (const { name, f, floor, tolerance } of cases) {
    it(`${name} within ${tolerance}`, () => {
      expect(worst(pairs(f, fixture.unary[name]), floor)).toBeLessThan(tolerance)
    })
  }

  it("log Beta within 1e-13, also where log Gamma of the sum is 1e6 times larger", () => {
    const errors = fixture.logBeta.map(([args, expected]): readonly [number, number] => {
      const [a = 0, b = 0] = Array.isArray(args) ? args : []
      return [Special.logBeta(a, b), Number(expected)]
    })
    expect(worst(errors, 0.1)).toBeLessThan(1e-13)
  })

  it("multivariate log Beta within 1e-13", () => {
    const errors = fixture.logMultivariateBeta.map(([args, expected]): readonly [number, number] => [
      Special.logMultivariateBeta(Array.isArray(args) ? args : []),
      Number(expected),
    ])
    expect(worst(errors, 0.1)).toBeLessThan(1e-13)
  })

  it("regularised incomplete gamma functions within 1e-12", () => {
    const errors = fixture.gamma.flatMap(([args, p, q]): ReadonlyArray<readonly [number, number]> => {
      const [a = 0, x = 0] = Array.isArray(args) ? args : []
      return [
        [Special.gammaP(a, x), Number(p)],
        [Special.gammaQ(a, x), Number(q)],
      ]
    })
    expect(worst(errors, 1e-3)).toBeLessThan(1e-12)
  })

  it("regularised incomplete beta function within 1e-12", () => {
    const errors = fixture.betaI.map(([args, expected]): readonly [number, number] => {
      const [a = 0, b = 0, x = 0] = Array.isArray(args) ? args : []
      return [Special.betaI(a, b, x), Number(expected)]
    })
    expect(worst(errors, 1e-3)).toBeLessThan(1e-12)
  })

  it("are NaN outside of their domain", () => {
    for (const f of [Special.lgamma, Special.digamma, Special.trigamma]) {
      for (const x of [0, -1.5, Number.NaN]) expect(f(x)).toBeNaN()
    }
    expect(Special.logBeta(-1, 2)).toBeNaN()
    expect(Special.gammaP(0, 1)).toBeNaN()
    expect(Special.gammaQ(1, -1)).toBeNaN()
    expect(Special.betaI(1, 1, 2)).toBeNaN()
    expect(Special.logMultivariateBeta([])).toBeNaN()
  })

  it("have the right limits", () => {
    expect([Special.gammaP(2, 0), Special.gammaP(2, Infinity)]).toEqual([0, 1])
    expect([Special.gammaQ(2, 0), Special.gammaQ(2, Infinity)]).toEqual([1, 0])
    expect([Special.betaI(2, 3, 0), Special.betaI(2, 3, 1)]).toEqual([0, 1])
    expect(Special.logMultivariateBeta([3.5])).toBe(0)
  })
})

describe("elementary functions with the same bits everywhere", () => {
  // Math.log and Math.exp may round differently from one engine to the next, but not by more than an ulp or two.
  const ulps = 4 * Number.EPSILON

  it("log agrees with Math.log over the whole range, subnormals included", () => {
    for (let e = -323; e <= 308; e++) {
      for (const digit of [1, 1.9, 3.3, 7.77]) {
        const x = Number(`${digit}e${e}`)
        if (x > 0 && x < Infinity)
          expect(Math.abs(log(x) - Math.log(x))).toBeLessThanOrEqual(ulps * Math.abs(Math.log(x)))
      }
    }
    expect([log(1), log(0), log(Infinity)]).toEqual([0, -Infinity, Infinity])
    expect(log(-1)).toBeNaN()
    expect(log(Number.NaN)).toBeNaN()
  })

  it("exp agrees with Math.exp over the whole range", () => {
    for (let x = -708; x < 709.7; x += 0.37) {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThanOrEqual(ulps)
    }
    expect([exp(0), exp(-Infinity), exp(Infinity), exp(-746), exp(710)]).toEqual([
      1,
      0,
      Infinity,
      0,
      Infinity,
    ])
    // Subnormal results are multiples of 5e-324.
    expect(Math.abs(exp(-744) - Math.exp(-744))).toBeLessThanOrEqual(Number.MIN_VALUE)
    expect(exp(Number.NaN)).toBeNaN()
  })
})
