import { describe, expect, it } from "vitest"
import * as Table from "../../../src/report/Table.ts"

const columns = [
  { title: "rank", align: "right" },
  { title: "formula", align: "left", cut: true },
  { title: "error", align: "right" },
] as const

const rows = [
  ["1", "x", "0.5"],
  ["10", "sin(x) + cos(y)*2.5 - µ", "1.25e-7"],
]

describe("Table.render", () => {
  it("aligns numbers to the right and texts to the left, without blanks at the end", () => {
    expect(Table.render(columns, rows)).toEqual([
      "rank  formula                    error",
      "   1  x                            0.5",
      "  10  sin(x) + cos(y)*2.5 - µ  1.25e-7",
    ])
    expect(Table.render(columns.slice(0, 2), rows)).toEqual([
      "rank  formula",
      "   1  x",
      "  10  sin(x) + cos(y)*2.5 - µ",
    ])
  })

  it("cuts texts to the width, never numbers", () => {
    expect(Table.render(columns, rows, 34)).toEqual([
      "rank  formula                error",
      "   1  x                        0.5",
      "  10  sin(x) + cos(y)*2.…  1.25e-7",
    ])
  })

  it("runs over the edge where there is nothing left to cut", () => {
    const lines = Table.render(columns, rows, 10)
    expect(lines[2]).toBe("  10  sin(x) + cos(y)…  1.25e-7")
  })

  it("takes from the widest of several columns first", () => {
    const two = [
      { title: "a", align: "left", cut: true },
      { title: "b", align: "left", cut: true },
    ] as const
    expect(Table.render(two, [["a".repeat(40), "b".repeat(20)]], 42)[1]).toBe(
      `${"a".repeat(19)}…  ${"b".repeat(20)}`,
    )
  })

  it("is only titles without rows", () => {
    expect(Table.render(columns, [])).toEqual(["rank  formula  error"])
  })
})

describe("Table.significant", () => {
  it("is as short as the digits allow", () => {
    expect([0.0123456, 12.5, 1e-9, 1.23456e12, 0, -3].map((value) => Table.significant(value, 4))).toEqual([
      "0.01235",
      "12.5",
      "1e-9",
      "1235000000000",
      "0",
      "-3",
    ])
  })

  it("says nothing of what is no number", () => {
    expect([Number.NaN, Infinity].map((value) => Table.significant(value, 4))).toEqual(["-", "-"])
  })
})
