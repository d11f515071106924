// docs/adr/0060-the-size-of-src.md states about the lines that src has.
import fs from "node:fs"
import { describe, expect, it } from "vitest"
import { counts, PAGE, stated, table, withTable } from "../../../scripts/lines.mjs"
import { ROOMS } from "../../../scripts/sources.mjs"

/** The rooms whose stated lines are off by more than 10 % of the count, and by more than 100. */
const wrong = (
  said: Readonly<Record<string, number>>,
  real: Readonly<Record<string, number>>,
): ReadonlyArray<string> =>
  Object.entries(real).flatMap(([room, lines]) =>
    Math.abs((said[room] ?? 0) - lines) <= Math.max(0.1 * lines, 100)
      ? []
      : [`${room} has ${lines} lines, and the page says ${said[room]}: run node scripts/lines.mjs --write`],
  )

describe("the size of src", () => {
  const page = fs.readFileSync(PAGE, "utf8")
  const real = counts()

  it("is counted in every room", () => {
    expect(Object.keys(real)).toEqual([...ROOMS, "src"])
    for (const lines of Object.values(real)) expect(lines).toBeGreaterThan(0)
  })

  it("is stated within 10 %", () => {
    expect(Object.keys(stated(page))).toEqual([...ROOMS, "src"])
    expect(wrong(stated(page), real)).toEqual([])
  })

  it("is found to be wrong where a room has grown by more, or is not stated", () => {
    expect(wrong(stated(page), { ...real, search: real["search"]! * 1.3 })).toHaveLength(1)
    const { search, ...others } = stated(page)
    expect(search).toBeGreaterThan(0)
    expect(wrong(others, real)).toHaveLength(1)
  })

  it("is read from the table as it was written", () => {
    const written = withTable(page, table({ ...real, cli: 12_345 }))
    expect(stated(written)).toEqual({ ...real, cli: 12_345 })
    expect(() => withTable("no table", "")).toThrow(/has no place for the table/)
  })
})
