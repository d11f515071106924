import * as Result from "effect/Result"
import { expect, it } from "vitest"
import type * as Data from "../../../src/data/Data.ts"
import * as FittedLaw from "../../../src/evidence/fitted/FittedLaw.ts"
import * as Noise from "../../../src/evidence/Noise.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Student from "../../../src/numeric/Student.ts"
import * as LeaveFutureOut from "../../../src/rank/LeaveFutureOut.ts"
import * as Rng from "../../../src/random/Rng.ts"

const random = Rng.generator(Rng.key(4))
const rows = 12
// Rows in another order than that of the column.
const x = Float64Array.from({ length: rows }, (_, i) => (5 * i) % rows)
const data: Data.Dataset = {
  features: ["x"],
  columns: [x],
  target: "y",
  y: x.map((at) => 1 + 0.5 * at + 0.2 * random.normal()),
  rows,
}
const line = FittedLaw.make(
  {
    formula: Result.getOrThrow(parse("a + b*x")),
    names: ["a", "b"],
    values: Float64Array.of(1, 0.5),
  },
  data,
  { noise: Noise.additive },
)

/** Prediction of the row with x = m from those with smaller x, in closed form. */
const closed = (m: number) => {
  const past = Array.from({ length: m }, (_, at) => [at, data.y[x.indexOf(at)]!] as const)
  const mean = (m - 1) / 2
  const level = past.reduce((sum, [, y]) => sum + y, 0) / m
  const square = past.reduce((sum, [at]) => sum + (at - mean) ** 2, 0)
  const slope = past.reduce((sum, [at, y]) => sum + (at - mean) * (y - level), 0) / square
  const rss = past.reduce((sum, [at, y]) => sum + (y - level - slope * (at - mean)) ** 2, 0)
  const scale = Math.sqrt((rss / (m - 2)) * (1 + 1 / m + (m - mean) ** 2 / square))
  const residual = data.y[x.indexOf(m)]! - level - slope * (m - mean)
  return { residual, logDensity: Student.logDensity(residual / scale, m - 2) - Math.log(scale) }
}

it("predicts each later row from the rows before it, as the closed form of a straight line does", () => {
  const found = LeaveFutureOut.of(line, data, x)
  const expected = Array.from({ length: 6 }, (_, k) => closed(6 + k))
  expect(found?.rows).toBe(6)
  expect(found?.fits).toBe(6)
  expect(found?.rmse).toBeCloseTo(
    Math.sqrt(expected.reduce((sum, { residual }) => sum + residual ** 2, 0) / 6),
    6,
  )
  expect(found?.logDensity).toBeCloseTo(expected.reduce((sum, one) => sum + one.logDensity, 0) / 6, 5)
})

it("predicts rows of one time together", () => {
  const days = x.map((at) => Math.floor(at / 4))
  const found = LeaveFutureOut.of(line, data, days)
  expect(found).toMatchObject({ rows: 4, fits: 1 })
})

it("leaves wrong rows out", () => {
  const wrong = { ...data, y: data.y.with(x.indexOf(9), 1e6) }
  const by = x.map((at) => (at === 9 ? 0 : 1))
  const found = LeaveFutureOut.of(line, wrong, x, { by })
  expect(found?.rows).toBe(5)
  expect(found?.rmse).toBeLessThan(1)
})

it("says nothing where too few rows come first, or all have one time", () => {
  expect(LeaveFutureOut.of(line, data, new Float64Array(rows))).toBeUndefined()
  const few = { ...data, columns: [x.slice(0, 4)], y: data.y.slice(0, 4), rows: 4 }
  expect(LeaveFutureOut.of(line, few, x.slice(0, 4))).toBeUndefined()
})
