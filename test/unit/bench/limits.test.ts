import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import * as Tables from "../../../bench/limits/tables.ts"
import * as MemoryTable from "../../../bench/limits/memoryTable.ts"
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
    expect(MemoryTable.verdict({ limit: 200e6, peak: 220e6 })).toBe("kept")
    expect(MemoryTable.verdict({ limit: 200e6, peak: 230e6 })).toBe("+30 MB")
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
