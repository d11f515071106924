import { describe, expect, it } from "vitest"
import * as Complete from "../../../src/data/Complete.ts"
import type * as Frame from "../../../src/data/Frame.ts"

const frame = (columns: Readonly<Record<string, Frame.Column>>): Frame.Frame => ({
  columns: Object.keys(columns),
  values: Object.values(columns),
  rows: Object.values(columns)[0]!.length,
  units: {},
})

const of = (columns: Readonly<Record<string, Frame.Column>>, features?: ReadonlyArray<string>) =>
  Complete.of(frame(columns), {
    target: "y",
    features,
    all: Object.keys(columns).filter((name) => name !== "y"),
    besides: [],
  })

const y = Float64Array.of(1, 2, 3, 4)

describe("columns that are no features", () => {
  it.each([
    ["dates", ["2024-02-27", "2024-02-28", "", "2024-03-01"], "2024-02-27"],
    ["names", ["n/a", "north", "south", "north"], "north"],
    ["a few numbers of many rows", ["", "", "7", ""], "7"],
    ["nothing", ["", "", "", ""], ""],
  ])("%s", (_, values, text) => {
    const { columns, features, frame, rows } = of({ x: y, values, y })
    expect([columns, features, rows, frame.rows]).toEqual([[{ name: "values", text }], ["x"], 0, 4])
  })

  it.each([
    ["a mistake among numbers", ["1", "2", "1O", "4"]],
    ["decimal commas", ["1,5", "2,5", "3", "4,25"]],
    ["only decimal commas", ["1,5", "2,5", "3,5", "4,25"]],
    ["thousands with commas", ["1,500", "2,500", "3,500", "14,250.5"]],
    ["numbers and missing values", ["1", "", "", "2"]],
  ])("but not %s", (_, values) => {
    expect(of({ x: y, values, y }).columns).toEqual([])
  })

  it("but not those that were listed", () => {
    expect(of({ name: ["a", "b", "c", "d"], y }, ["name"])).toMatchObject({ columns: [], features: ["name"] })
  })
})

describe("rows that lack a value", () => {
  it("are left out, with the columns that lack it", () => {
    const found = of({ a: ["1", "", "3", "4"], b: ["1", "?", "3", "NA"], y })
    expect(found).toMatchObject({
      rows: 2,
      lacking: [
        { name: "a", rows: 1 },
        { name: "b", rows: 2 },
      ],
    })
    expect(found.frame.values).toEqual([["1", "3"], ["1", "3"], Float64Array.of(1, 3)])
    expect([...found.frame.numbers!]).toEqual([1, 3])
    expect([...found.placesOf(Int32Array.of(1, 2))]).toEqual([1])
  })

  it("stay where more than half would go, for the reader to complain", () => {
    expect(of({ a: ["1", "", "3", "4"], b: ["", "2", "", "4"], y })).toMatchObject({ rows: 0, lacking: [] })
  })

  it("do not count where the column is not read", () => {
    expect(of({ a: ["1", "", "3", "4"], b: y, y }, ["b"]).rows).toBe(0)
  })
})
