import { expect, it } from "vitest"
import * as Result from "effect/Result"
import * as FittedLaw from "../../../../src/evidence/fitted/FittedLaw.ts"
import * as Noise from "../../../../src/evidence/Noise.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import { dataset } from "../../../support/selected.ts"

const term = (text: string) => Result.getOrThrow(parse(text))
const x = Float64Array.of(1, 2, 3, 4, 5, 6)
const y = Float64Array.of(2.1, 3.9, 6.2, 7.8, 10.1, 12.2)

it("names fitted numbers, not exact ones, and a number and its negative once", () => {
  const { formula, names, values } = FittedLaw.numbered(term("2.137*x^2/2 + pi*x - 2.137*sin(0.1234567*x)"), [
    "x",
    "a",
  ])
  expect(names).toEqual(["b", "c"])
  expect([...values]).toEqual([2.137, 0.1234567])
  expect(infix(formula)).toBe("b*x^2/2 + pi*x - b*sin(c*x)")
})

it("has the covariance of a straight line in closed form", () => {
  const data = dataset({ x }, y)
  const n = 6
  const mean = 3.5
  const sxx = x.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const slope = x.reduce((sum, value, i) => sum + (value - mean) * y[i]!, 0) / sxx
  const intercept = y.reduce((sum, value) => sum + value, 0) / n - slope * mean
  const rss = y.reduce((sum, value, i) => sum + (value - intercept - slope * x[i]!) ** 2, 0)
  const s2 = rss / (n - 2)
  const law = FittedLaw.make(
    { formula: term("a + b*x"), names: ["a", "b"], values: Float64Array.of(intercept, slope) },
    data,
    { noise: Noise.additive },
  )
  expect(law.freedom).toBe(4)
  expect(law.sigma ** 2).toBeCloseTo(s2, 12)
  const [aa, ab, ba, bb] = law.covariance
  expect(aa).toBeCloseTo(s2 * (1 / n + mean ** 2 / sxx), 10)
  expect(ab).toBeCloseTo((-s2 * mean) / sxx, 10)
  expect(ba).toBeCloseTo(ab!, 12)
  expect(bb).toBeCloseTo(s2 / sxx, 12)
  expect(FittedLaw.errors(law)[1]).toBeCloseTo(Math.sqrt(s2 / sxx), 12)
})

it("has derivatives that central differences have, and 0 for x^c at x = 0", () => {
  const law = { formula: term("a*x^c"), names: ["a", "c"], values: Float64Array.of(2, 1.5) }
  const { mean, slopes } = FittedLaw.rows(law, ["x"], [Float64Array.of(0, 3)], 2)
  expect([...mean]).toEqual([0, 2 * 3 ** 1.5])
  expect(slopes[1]![0]).toBe(0)
  expect(slopes[1]![1]).toBeCloseTo(2 * 3 ** 1.5 * Math.log(3), 10)
})

it.each([1, 1e-12, 1e12])(
  "steps by the unit of a number that is 0 where no formula says the derivative: %d",
  (unit) => {
    const formula = term(`2 + sqrt((x + c/${unit})^4) + 3*c/${unit}`)
    const law = { formula, names: ["c"], values: Float64Array.of(0) }
    const { slopes } = FittedLaw.rows(law, ["x"], [Float64Array.of(0, 1)], 2)
    // At x = 0 the formula's derivative is 0 / 0 beside 3.
    expect(slopes[0]![0]! * unit).toBeCloseTo(3, 6)
    expect(slopes[0]![1]! * unit).toBeCloseTo(5, 6)
  },
)

it("leaves rows without weight out", () => {
  const wild = FittedLaw.make(
    { formula: term("a*x"), names: ["a"], values: Float64Array.of(2) },
    dataset({ x: Float64Array.of(...x, 7) }, Float64Array.of(...y, -9999)),
    { noise: Noise.additive, by: Float64Array.of(1, 1, 1, 1, 1, 1, 0) },
  )
  const rss = y.reduce((sum, value, i) => sum + (value - 2 * x[i]!) ** 2, 0)
  expect(wild.sigma).toBeCloseTo(Math.sqrt(rss / 5), 12)
})
