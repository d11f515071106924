import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import type * as Term from "../../../src/expr/Term.ts"
import * as FittedNumbers from "../../../src/rank/FittedNumbers.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { dataset } from "../../support/selected.ts"

const random = Rng.generator(Rng.key(4))
const n = 80
const x = Float64Array.from({ length: n }, () => 0.2 + 3 * random.next())
const sizes = x.map((value) => 0.1 + 0.05 * value)
const data = dataset({ x }, x)
const law = (text: string): Term.Term => Result.getOrThrow(parse(text))
const of = (text: string, deviations = sizes) =>
  FittedNumbers.of(law(text), data, deviations, new Set([9.81]))

/** The inverse of the information of two numbers, from central differences of the law. */
const reference = (f: (x: number, p: readonly [number, number]) => number, p: readonly [number, number]) => {
  const slope = (value: number, k: 0 | 1): number => {
    const h = 1e-5 * p[k]
    const at = (by: number) => f(value, k === 0 ? [p[0] + by, p[1]] : [p[0], p[1] + by])
    return (at(h) - at(-h)) / (2 * h)
  }
  let [a, b, c] = [0, 0, 0]
  x.forEach((value, i) => {
    const [s, t] = [slope(value, 0) / sizes[i]!, slope(value, 1) / sizes[i]!]
    a += s * s
    b += s * t
    c += t * t
  })
  const determinant = a * c - b * b
  return [Math.sqrt(c / determinant), Math.sqrt(a / determinant), Math.sqrt(a / n), Math.sqrt(c / n)]
}

describe("the fitted numbers of a law", () => {
  it.each([
    ["0.73 + 2.41*x", (at: number, [p, q]: readonly [number, number]) => p + q * at, [0.73, 2.41]],
    [
      "3.7*exp(-0.46*x)",
      (at: number, [p, q]: readonly [number, number]) => p * Math.exp(-q * at),
      [3.7, 0.46],
    ],
    [
      "1.37*x/(x + 0.21)",
      (at: number, [p, q]: readonly [number, number]) => (p * at) / (at + q),
      [1.37, 0.21],
    ],
  ] as const)("have the errors of least squares: %s", (text, f, p) => {
    const [first, second] = of(text)
    const [a, b, own, other] = reference(f, [p[0], p[1]])
    expect(new Set([first!.value, second!.value])).toEqual(new Set(p))
    const [one, two] = first!.value === p[0] ? [first!, second!] : [second!, first!]
    expect(one.error / a!).toBeCloseTo(1, 6)
    expect(two.error / b!).toBeCloseTo(1, 6)
    expect(one.effect / own!).toBeCloseTo(1, 6)
    expect(two.effect / other!).toBeCloseTo(1, 6)
  })

  it("are neither fractions nor numbers of the prior of constants or the grammar, and a number and its negative are one", () => {
    expect(of("3*pi*x^1.5/4 - 9.81*x + x^(1/3) + 0.25 + 700*x^2")).toEqual([])
    expect(of(`${Math.PI / 3}*x + ${Math.SQRT2}*x^2 + ${3 * Math.SQRT2}`)).toEqual([])
    const tied = of("2.39 - 2.39*exp(-x/2)")
    expect(tied.map(({ value }) => value)).toEqual([2.39])
    let information = 0
    x.forEach((value, i) => (information += ((1 - Math.exp(-value / 2)) / sizes[i]!) ** 2))
    expect(tied[0]!.error).toBeCloseTo(1 / Math.sqrt(information), 9)
  })

  it("are not determined where another number does the same, nor by rows that are wrong", () => {
    expect(of("0.31*(1.7*x)").map(({ error }) => error)).toEqual([Infinity, Infinity])
    const half = of(
      "0.73 + 2.41*x",
      sizes.map((size, i) => (i % 2 === 0 ? size : Infinity)),
    )
    const all = of("0.73 + 2.41*x")
    expect(half[1]!.error / all[1]!.error).toBeGreaterThan(1.2)
    expect(half[1]!.error / all[1]!.error).toBeLessThan(1.7)
  })

  it("have no slope at the end of a domain", () => {
    const touching = { ...data, columns: [x.with(0, 0)] }
    const [one] = FittedNumbers.of(law("sqrt(2.3*x)"), touching, sizes, new Set())
    expect(one!.error).toBeLessThan(1)
    expect(scalarFunction(law("sqrt(2.3*x)"), ["x"])([0])).toBe(0)
  })
})
