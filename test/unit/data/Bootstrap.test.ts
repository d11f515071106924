import { describe, expect, it } from "vitest"
import * as Bootstrap from "../../../src/data/Bootstrap.ts"

const rows = 2000
const x = Float64Array.from({ length: rows }, (_, i) => i)
const data = { features: ["x"], columns: [x], target: "y", y: x.map((value) => 3 * value), rows }
const rowsOfReplica = (replica: number, seed = 5): ReadonlyArray<number> => [
  ...Bootstrap.resample(data, { seed, replica }).columns[0]!,
]

describe("a bootstrap replica", () => {
  it("has whole rows of the table, with their numbers, as many as the table", () => {
    const { columns, y, numbers, rows: drawn } = Bootstrap.resample(data, { seed: 5, replica: 1 })
    expect(drawn).toBe(rows)
    expect([...y]).toEqual([...columns[0]!].map((value) => 3 * value))
    expect([...numbers!]).toEqual([...columns[0]!].map((value) => value + 1))
  })

  it("draws with replacement: each row n times with probability e^-1 / n!", () => {
    const counts = new Int32Array(rows)
    for (const row of rowsOfReplica(1)) counts[row]!++
    const share = (times: number): number => counts.filter((count) => count === times).length / rows
    // Four standard errors of a share near 1/3 of 2,000 rows are 0.042.
    expect(Math.abs(share(0) - Math.exp(-1))).toBeLessThan(0.042)
    expect(Math.abs(share(1) - Math.exp(-1))).toBeLessThan(0.042)
    expect(Math.abs(share(2) - Math.exp(-1) / 2)).toBeLessThan(0.042)
  })

  it("is given by its seed and its number", () => {
    expect(rowsOfReplica(1)).toEqual(rowsOfReplica(1))
    expect(rowsOfReplica(1)).not.toEqual(rowsOfReplica(2))
    expect(rowsOfReplica(1)).not.toEqual(rowsOfReplica(1, 6))
  })
})
