import { expect, it } from "vitest"
import * as Residuals from "../../../src/rank/Residuals.ts"

it("names the farthest rows by their numbers in the table, in standard deviations", () => {
  const data = { y: Float64Array.of(1, 5, 3, 100), numbers: Int32Array.of(2, 4, 7, 9) }
  const mean = Float64Array.of(1, 2, 4, 4)
  const found = Residuals.farthest(data, mean, 0.5, 2, Float64Array.of(1, 1, 4, 0))
  expect(found).toEqual([
    { row: 7, value: 3, law: 4, sigmas: -8 },
    { row: 4, value: 5, law: 2, sigmas: 6 },
  ])
})

it("counts runs of one sign in the order of each column, the least probable first", () => {
  const x = Float64Array.from({ length: 40 }, (_, i) => i)
  const shuffled = x.map((value) => (value * 17) % 40)
  const y = x.map((value) => (value < 10 || value >= 30 ? 1 : -1))
  const found = Residuals.runs(
    { features: ["shuffled", "x", "two"], columns: [shuffled, x, x.map((value) => value % 2)], y },
    new Float64Array(40),
  )
  expect(found.map(({ column }) => column)).toEqual(["x", "shuffled"])
  const [first] = found
  expect(first!.runs).toBe(3)
  expect(first!.expected).toBe(21)
  // 20 of each sign: 2 orders have two runs, and 2 * 19 have three.
  const orders = 137_846_528_820
  expect(first!.probability).toBeCloseTo(40 / orders, 18)
  expect(found[1]!.probability).toBeGreaterThan(0.01)
})
