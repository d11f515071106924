import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scalarFunction } from "../../../../src/expr/evaluate.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import * as Exact from "../../../../src/evidence/exact/Exact.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { runs } from "../../../support/property.ts"

const exact = fc
  .tuple(
    fc.integer({ min: -40, max: 40 }).filter((p) => p !== 0),
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom(1, 2, 3, 6),
    fc.integer({ min: -4, max: 4 }),
  )
  .map(([p, q, root, halfPi]) => Exact.make(p, q, root, halfPi))

const close = (value: number, expected: number): void => {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-14 * Math.abs(expected))
}

/** What a text says to the parser of formulas. */
const spoken = (text: string): number => scalarFunction(Result.getOrThrow(parse(text)), [])([])

describe("exact numbers", () => {
  it("have values that multiply and invert", () => {
    fc.assert(
      fc.property(exact, exact, (a, b) => {
        close(Exact.value(Exact.multiply(a, b)), Exact.value(a) * Exact.value(b))
        close(Exact.value(Exact.invert(a)), 1 / Exact.value(a))
        expect(Exact.key(Exact.multiply(a, Exact.invert(a)))).toBe(Exact.key(Exact.one))
        expect(Exact.value(Exact.negate(a))).toBe(-Exact.value(a))
      }),
      runs(200),
    )
  })

  it("say in words what they are", () => {
    fc.assert(
      fc.property(exact, (a) => {
        close(spoken(Exact.text(a)), Exact.value(a))
      }),
      runs(200),
    )
    expect(Exact.text(Exact.make(-3, 2))).toBe("-3/2")
    expect(Exact.text(Exact.make(1, 2, 2, -1))).toBe("1/sqrt(2*pi)")
    expect(Exact.text(Exact.make(4, 3, 1, 2))).toBe("4*pi/3")
    expect(Exact.text(Exact.make(1, 4, 1, -2))).toBe("1/(4*pi)")
    expect(Exact.text(Exact.zero)).toBe("0")
  })

  it("multiply terms", () => {
    const x = Term.variable("x")
    fc.assert(
      fc.property(exact, (a) => {
        for (const term of [Exact.times(a, x), Term.simplify(Exact.times(a, x))])
          close(scalarFunction(term, ["x"])([1.7]), 1.7 * Exact.value(a))
      }),
      runs(200),
    )
    expect(infix(Term.simplify(Exact.times(Exact.make(1, 2), Term.square(x))))).toBe("x^2/2")
    expect(infix(Term.simplify(Exact.times(Exact.make(-2, 3), x)))).toBe("-2*x/3")
    expect(infix(Term.simplify(Exact.times(Exact.zero, x)))).toBe("0")
  })
})

describe("the prior of constants", () => {
  const units = [{ root: 1, halfPi: 0, mass: 1 }]

  it("has masses that sum to one over all rationals", () => {
    // Sum over coprime p, q with p q <= N, both signs; the tail falls as log(N) / N.
    const sum = (largest: number): number =>
      Constants.table(Constants.make({ units, largest }))
        .near(0, 1e9, 1e9)
        .reduce((total, { logMass }) => total + Math.exp(logMass), 0)
    const all = 2 * sum(2000)
    expect(all).toBeLessThan(1)
    expect(all).toBeGreaterThan(0.99)
  })

  it("finds the numbers near another, the likeliest first", () => {
    const table = Constants.table(Constants.defaults)
    expect(table.near(0.4999999, 1e-6, 3).map(({ exact }) => Exact.text(exact))).toEqual(["1/2"])
    expect(table.near(-3.1416, 1e-4, 1).map(({ exact }) => Exact.text(exact))).toEqual(["-pi"])
    expect(table.near(1.37, 1e-5, 5)).toEqual([])
    const some = table.near(0.7, 0.05, 4)
    const weight = ({ value, logMass }: Constants.Candidate): number =>
      logMass - ((value - 0.7) / 0.05) ** 2 / 2
    const all = table.near(0.7, 0.05, 1000)
    expect(some.map(({ value }) => value)).toEqual(
      all
        .toSorted((a, b) => weight(b) - weight(a))
        .slice(0, 4)
        .map(({ value }) => value),
    )
  })

  it("finds the likeliest of any number in reach, be they few or all", () => {
    const table = Constants.table(Constants.defaults)
    const everything = table.near(0, 1e9, 1e9).toSorted((a, b) => a.value - b.value)
    const size = fc.double({ min: -3, max: 3, noNaN: true }).map((power) => 10 ** power)
    const relative = fc.double({ min: -15, max: 2, noNaN: true }).map((power) => 10 ** power)
    fc.assert(
      fc.property(fc.oneof(size, fc.constantFrom(1, 0.5, Math.PI)), relative, (value, share) => {
        const deviation = value * share
        const weight = (one: Constants.Candidate): number =>
          one.logMass - ((one.value - value) / deviation) ** 2 / 2
        const expected = everything
          .filter((one) => Math.abs(one.value - value) <= Constants.reach * deviation)
          .toSorted((a, b) => weight(b) - weight(a))
          .slice(0, 4)
        const found = table.near(value, deviation, 4)
        expect(found.map(({ value }) => value)).toEqual(expected.map(({ value }) => value))
      }),
      runs(300),
    )
  })

  // 1 / (2 zeta(2.2) / zeta(3.2) - 1), by mpmath.
  const share = 0.643093710757904

  it("has the masses 0.643 / max(p, q)^3.2 of p/q, either sign", () => {
    const { near } = Constants.table(Constants.make({ units }))
    for (const [value, mass] of [
      [1, share],
      [2, share / 2 ** 3.2],
      [-0.5, share / 2 ** 3.2],
      [1.5, share / 3 ** 3.2],
    ] as const)
      close(2 * Math.exp(near(value, 1e-9, 1)[0]!.logMass), mass)
  })

  it("adds the masses of a number that two units make: 2 pi", () => {
    const twice = Constants.make({
      units: [
        { root: 1, halfPi: 2, mass: 0.25 },
        { root: 1, halfPi: 2, mass: 0.5, factor: [2, 1] },
      ],
    })
    const [found, ...others] = Constants.table(twice).near(2 * Math.PI, 1e-9, 4)
    close(2 * Math.exp(found!.logMass), share * (0.25 / 2 ** 3.2 + 0.5))
    expect(others).toEqual([])
  })

  it("has probabilities by the number of columns of a law, and those of exponentials of a sum", () => {
    const prior = Constants.make({ exact: [0.2, 0.5], zero: 0.7, factorless: [0.1, 0.3] })
    const of = (columns: number, logarithmic: boolean) => {
      const { exact, zero } = Constants.ofLaw(prior, columns, logarithmic)
      return [exact, zero]
    }
    expect([0, 1, 2, 5].map((columns) => of(columns, false))).toEqual([
      [0.2, 0.7],
      [0.2, 0.7],
      [0.5, 0.7],
      [0.5, 0.7],
    ])
    expect([1, 2, 3].map((columns) => of(columns, true)[1])).toEqual([0.1, 0.3, 0.3])
    // Without one of its own that of exponentials is that of other laws.
    expect(Constants.ofLaw(Constants.make({ zero: 0.7 }), 1, true).zero).toBe(0.7)
  })

  it("says what is out of range", () => {
    expect(() => Constants.make({ range: 1 })).toThrow(/range/)
    expect(() => Constants.make({ odds: 0.5 })).toThrow(/odds/)
    expect(() => Constants.make({ exact: 1 })).toThrow(/between 0 and 1/)
    expect(() => Constants.make({ exact: [0.5, 0] })).toThrow(/is 0.5, 0/)
    expect(() => Constants.make({ zero: -0.1 })).toThrow(/zero intercept/)
    expect(() => Constants.make({ factorless: 1 })).toThrow(/factor of 1/)
    expect(() => Constants.make({ largest: 0 })).toThrow(/largest/)
    expect(() => Constants.make({ units: [...units, ...units] })).toThrow(/sum to 2/)
  })
})
