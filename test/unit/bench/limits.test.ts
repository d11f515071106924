import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import * as Tables from "../../../bench/limits/tables.ts"
import * as MemoryTable from "../../../bench/limits/memoryTable.ts"
import * as SoakTable from "../../../bench/limits/soakTable.ts"
import { verdict } from "../../../bench/limits/timesTable.ts"

describe("the page of limits", () => {
  it("is that of the records", () => {
    const { status, stderr } = spawnSync(process.execPath, ["bench/limits/page.ts", "--check"], {
      encoding: "utf8",
    })
    expect([status, stderr]).toEqual([0, ""])
  })
})

describe("a limit of time", () => {
  it("is kept up to 5 %", () => {
    expect(verdict({ limit: 20, seconds: 21 })).toBe("kept")
    expect(verdict({ limit: 20, seconds: 21.3 })).toBe("+1.3 s")
  })
})

describe("a limit of memory", () => {
  it("is kept up to 10 %", () => {
    expect(MemoryTable.verdict({ limit: 200e6, peak: 220e6, seen: 219e6 })).toBe("kept")
    expect(MemoryTable.verdict({ limit: 200e6, peak: 230e6, seen: 0 })).toBe("+30 MB")
    expect(MemoryTable.verdict({ limit: 200e6, peak: 210e6, seen: 230e6 })).toBe("+30 MB")
  })
})

describe("tables that are hard", () => {
  it("are the same at every run, and others with another seed", () => {
    const all = (seed?: number) => [...Tables.text(Tables.plain(30, 4), seed)].join("")
    expect(all()).toBe(all())
    expect(all()).not.toBe(all(2))
    const lines = all().trimEnd().split("\n")
    expect(lines[0]).toBe("x0,x1,x2,x3,y")
    expect(lines).toHaveLength(31)
    const [x0, x1, x2, , y] = lines[7]!.split(",").map(Number)
    expect(Math.abs(y! - (3 * x0! * x1!) / x2!)).toBeLessThan(0.1)
  })
})

describe("the section of hours in one process", () => {
  const soaked = {
    minutes: 14,
    rounds: 20,
    tasks: ["a fit"],
    growths: [{ name: "heap", median: 47.04, grown: 0.26, hourly: 1.31 }],
    time: { runs: 40, kept: 38, most: 1.212 },
    memory: { runs: 20, kept: 20, most: 1.034 },
    load: 7,
    by: "vasst",
  }

  it("has the figures of its records, and what is not flat", () => {
    const [, , rows, usual, interpreted] = SoakTable.section([
      { ...soaked, interpreted: true, complaints: [] },
      { ...soaked, interpreted: false, complaints: ["rss has grown"] },
    ])
    expect(rows).toMatch(
      /heap after garbage collection, without code\s*\|\s*yes\s*\|\s*47\.0\s*\|\s*0\.3\s*\|\s*1\.3/,
    )
    expect(usual).toContain("38 of 40 runs")
    expect(usual).toContain("after 121 % of it. 20 of 20 processes")
    expect(usual).toContain("with 103 % of it. Not flat: rss has grown.")
    expect(interpreted).toMatch(/^Without V8's compilers.*14 minutes, 20 rounds.*Flat, and nothing is left\./)
  })

  it("is not there without a record", () => {
    expect(SoakTable.section([])).toEqual([])
  })
})
