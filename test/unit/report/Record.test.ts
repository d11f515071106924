import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import type { Dataset } from "../../../src/data/Data.ts"
import * as Document from "../../../src/report/Document.ts"
import * as Record from "../../../src/report/Record.ts"
import { fitted, ranked } from "../../support/cli.ts"

const table = (rows: number, width: number): Dataset => ({
  features: Array.from({ length: width }, (_, j) => `c${j}`),
  columns: Array.from({ length: width }, (_, j) =>
    Float64Array.from({ length: rows }, (_, i) => i * (j + 1)),
  ),
  target: "y",
  y: Float64Array.from({ length: rows }, (_, i) => 2 * i),
  rows,
})

const circumstances = (data: Dataset): Record.Circumstances => ({
  program: "1.2.3",
  command: ["fit", "data.csv"],
  name: "data.csv",
  data,
  testFraction: 0,
  roles: [],
  group: undefined,
  units: {},
  trace: undefined,
})

const wrongAt = (row: number) => ({ row, value: 0, law: 1, sigmas: 9, probability: 1 })

const recordOf = (
  data: Dataset,
  changes: Partial<Record.Circumstances> = {},
  wrong: ReadonlyArray<number> = [],
) => {
  const noise = {
    kind: "additive",
    probability: 1,
    sigma: 1,
    wrongRows: wrong.map(wrongAt),
  }
  // The other fields of the noise are not read here.
  const model = ranked(data, { noise: noise as never })
  return Record.make(
    { ...circumstances(data), ...changes },
    Document.make(fitted(data, { models: [model] }), data.target)!,
  )
}

describe("the record of a fit", () => {
  it("has all rows of a small table", () => {
    const data = table(50, 2)
    const record = recordOf(data)
    expect(record.data.numbers).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
    expect(record.data.columns.map(({ name, role }) => [name, role])).toEqual([
      ["y", "target"],
      ["c0", "feature"],
      ["c1", "feature"],
    ])
    expect(record.data.columns[2]).toMatchObject({
      quantiles: [0, 24.5, 49, 73.5, 98],
      distinct: 50,
      values: Array.from(data.columns[1]!),
    })
  })

  it("has a sample of a large table, the same each time, with the wrong rows, and quantiles of all rows", () => {
    const data = table(50_000, 1)
    const wrong = [1, 7, 49_999]
    const record = recordOf(data, {}, wrong)
    const { numbers, columns } = record.data
    expect(numbers).toHaveLength(2000)
    expect(new Set(numbers).size).toBe(2000)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers).toEqual(expect.arrayContaining(wrong))
    expect(columns[0]!.values).toEqual(numbers.map((row) => 2 * (row - 1)))
    expect(columns[0]!.quantiles[4]).toBe(99_998)
    expect(recordOf(data, {}, wrong)).toEqual(record)
    // Uniform over the table: the mean number has a standard deviation of 323, and this fails once in 10^9 fair samples.
    expect(Math.abs(numbers.reduce((sum, row) => sum + row, 0) / 2000 - 25_000)).toBeLessThan(2000)
  })

  it("has the likeliest of many columns, those of noise and groups first", () => {
    const data = table(20, 300)
    const record = recordOf(data, { roles: [["c299", "error"]] })
    expect(record.data.width).toBe(301)
    expect(record.data.columns).toHaveLength(41)
    expect(record.data.columns[1]).toMatchObject({ name: "c299", role: "error" })
    // The law of `ranked` reads the first column.
    expect(record.data.columns[2]!.name).toBe("c0")
  })

  it("thins a long trace, and keeps its ends", () => {
    const points = Array.from({ length: 10_000 }, (_, i) => [i, -1 / (i + 1)] as const)
    const { trace } = recordOf(table(20, 1), {
      trace: { along: "steps", objective: "ELBO", points: [...points, [10_000, Number.NaN]] },
    })
    expect(trace!.points.length).toBeLessThanOrEqual(300)
    expect(trace!.points[0]).toEqual(points[0])
    expect(trace!.points.at(-1)).toEqual(points.at(-1))
  })

  it("is read back as it was written, and not by another version", () => {
    const record = recordOf(table(20, 1))
    const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Record.Record))
    expect(Result.getOrThrow(decode(JSON.stringify(record)))).toEqual(record)
    expect(Result.isFailure(decode(JSON.stringify({ ...record, version: 2 })))).toBe(true)
  })
})
