import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Dataset } from "../../../src/data/Data.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { totalEffect } from "../../../src/rank/totalEffect.ts"

const rows = 400
const random = Rng.generator(Rng.key(11))
const uniform = (): Float64Array => Float64Array.from({ length: rows }, () => random.next())
const tableOf = (columns: Readonly<Record<string, Float64Array>>): Dataset => ({
  features: Object.keys(columns),
  columns: Object.values(columns),
  target: "y",
  y: new Float64Array(rows),
  rows,
})
const law = (text: string) => Result.getOrThrow(parse(text))

describe("the total effect of columns", () => {
  const table = tableOf({ x: uniform(), t: uniform(), u: uniform().map((value) => 10 ** (40 * value - 20)) })
  const share = (text: string, some: ReadonlyArray<string>): number =>
    totalEffect(law(text), table)(some) / rows

  it("is the variance that columns leave open, Sobol's", () => {
    // The variance of a uniform column is 1/12; a mean square of 400 halved squares differs from it by 7 %: 4 standard deviations.
    expect(Math.abs(12 * share("2*x + 3*t", ["x"]) - 9)).toBeLessThan(9 * 0.27)
    expect(Math.abs(12 * share("2*x + 3*t", ["t"]) - 4)).toBeLessThan(4 * 0.27)
    // Of x t the columns beside x leave open E x^2 / 12 = 1/36.
    expect(Math.abs(36 * share("x*t", ["x"]) - 1)).toBeLessThan(0.4)
  })

  it("is 0 of columns that the law has not, whatever their magnitude", () => {
    expect(share("sin(9*x)*t", ["x", "t"])).toBe(0)
    expect(share("exp(x)", ["x"])).toBe(0)
    expect(share("log(u)", ["u"])).toBe(0)
  })

  it("is small of a column that the others tell", () => {
    const x = uniform()
    const both = tableOf({ x, t: x.map((value) => value * value) })
    expect(totalEffect(law("x + t"), both)(["x"]) / rows).toBeLessThan(1e-4)
  })

  it("counts rows where the law has no value as 0", () => {
    expect(share("log(x - 2) + t", ["x"])).toBe(0)
  })
})
