import { describe, expect, it } from "vitest"
import * as Budget from "../../../../src/cli/memory/Budget.ts"
import * as Plan from "../../../../src/cli/memory/Plan.ts"
import * as Size from "../../../../src/cli/memory/Size.ts"

const small: Plan.Table = { size: 10_000, rows: 200, columns: 3, reading: "numbers" }
const large: Plan.Table = { size: 45_000_000, rows: 1_000_000, columns: 5, reading: "numbers" }

describe("an amount of memory", () => {
  it("is read in powers of ten and of two", () => {
    expect(["500MB", "2 gb", "1.5GiB", "64MiB", ".5kB"].map(Size.parse)).toEqual([
      500_000_000,
      2_000_000_000,
      1.5 * 2 ** 30,
      2 ** 26,
      500,
    ])
  })

  it("needs its unit, is above 0, and nothing else", () => {
    expect(["500", "MB", "-1GB", "0MB", "1e3MB", "5 MB x", "1PB", ""].map(Size.parse)).toEqual(
      Array.from({ length: 8 }, () => undefined),
    )
  })

  it("is written so that it can be given", () => {
    expect(Size.format(312_000_001)).toBe("313MB")
    expect(Size.parse(Size.format(312_000_001))).toBeGreaterThanOrEqual(312_000_001)
  })
})

describe("the plan of a fit within a limit", () => {
  const plan = (limit: number, table: Plan.Table | undefined, more: Partial<Plan.Asked> = {}) =>
    Plan.make({ limit, table, ways: "either", workers: 8, ...more })

  it("has as many threads as there is memory for, at least one", () => {
    const threads = [200e6, 300e6, 500e6, 2e9].map((limit) => {
      const made = plan(limit, small)
      return typeof made === "string" ? made : made.workers
    })
    expect(threads).toEqual([1, 2, 4, 8])
  })

  it("reads a table in parts where it cannot be held, and only there", () => {
    expect(plan(300e6, large)).toMatchObject({ inParts: true })
    expect(plan(2e9, large)).toMatchObject({ inParts: false })
    expect(plan(2e9, large, { ways: "parts" })).toMatchObject({ inParts: true })
  })

  it("leaves more for a ranking of more rows, and the same for one in parts", () => {
    const reserve = (table: Plan.Table, ways: "whole" | "parts") => {
      const made = plan(1e10, table, { ways })
      return typeof made === "string" ? Number.NaN : made.reserve
    }
    expect(reserve(large, "whole")).toBeGreaterThan(reserve(small, "whole"))
    expect(reserve(large, "parts")).toBe(reserve(small, "parts"))
  })

  it("says the least that is needed, with which it can be made", () => {
    for (const [table, ways] of [
      [small, "either"],
      [large, "either"],
      [large, "whole"],
      [{ ...large, reading: "cells" }, "whole"],
      [undefined, "whole"],
    ] as const) {
      const refused = plan(100e6, table, { ways })
      expect(refused).toMatch(
        /^this needs about \d+MB of memory, and --memory gives it 100MB; give --memory \d+MB(, or fewer rows or columns)?$/,
      )
      const least = Size.parse(
        /--memory (\d+MB)[^-]*$/.exec(typeof refused === "string" ? refused : "")![1]!,
      )!
      expect(plan(least, table, { ways })).toMatchObject({ workers: 1 })
      expect(typeof plan(least - 1e6, table, { ways })).toBe("string")
    }
  })
})

describe("the jobs at a time", () => {
  it("are as many as there is memory for, and as many as are asked for", () => {
    const least = Size.parse("250MB")!
    expect(Plan.jobsAtATime(least, 8)).toBe(1)
    expect(Plan.jobsAtATime(least + 140e6, 8)).toBe(2)
    expect(Plan.jobsAtATime(8e9, 8)).toBe(8)
    expect(Plan.jobsAtATime(least - 1, 8)).toContain("give --memory 250MB")
  })
})

describe("what the beginning of a file says", () => {
  const about = (text: string, size = 1e6, flags: Partial<Parameters<typeof Budget.about>[2]> = {}) =>
    Budget.about(new TextEncoder().encode(text), size, {
      data: "a.csv",
      inputFormat: undefined,
      decimal: undefined,
      column: [],
      ...flags,
    })

  it("are the columns and about the rows of a text", () => {
    const { table, divisible } = about(`a,b,y\n${"1.25,2,3\n".repeat(100)}`, 9_000_006)
    expect(divisible).toBe(true)
    expect(table).toMatchObject({ reading: "numbers", columns: 2 })
    expect(Math.abs(table.rows / 1e6 - 1)).toBeLessThan(0.02)
  })

  it("is whether cells are more than numbers", () => {
    expect(about("a,y\nred,1\n").table.reading).toBe("cells")
    expect(about("a,y\n1,1\n", 1e6, { where: "a > 0" }).table.reading).toBe("cells")
    expect(about("a;y\n1,5;1\n", 1e6, { decimal: "comma" })).toMatchObject({
      table: { reading: "cells" },
      divisible: false,
    })
  })

  it("is whether it can be read in parts", () => {
    expect(about('{"a":1,"y":2}\n').divisible).toBe(false)
    expect(about("PAR1....")).toMatchObject({ table: { reading: "packed" }, divisible: true })
    expect(about("ARROW1..")).toMatchObject({ table: { reading: "binary" }, divisible: false })
    expect(
      Budget.about(Uint8Array.of(0x1f, 0x8b, 8), 10, {
        data: "a.gz",
        inputFormat: undefined,
        decimal: undefined,
        column: [],
      }),
    ).toMatchObject({
      table: { reading: "packed" },
      divisible: false,
    })
  })
})
