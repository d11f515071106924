import { describe, expect, it } from "vitest"
import * as GroupNumbers from "../../../../src/report/html/GroupNumbers.ts"

/** A law of two numbers that vary over some groups. */
const groupsOf = (count: number): Parameters<typeof GroupNumbers.of>[1] => ({
  column: "star <b>",
  groups: Array.from({ length: count }, (_, k) => `star ${k}`),
  numbers: [2, 3].map((mean, j) => ({
    name: `k${j + 1}`,
    mean: { value: mean, error: 0.1 },
    spread: 0.5,
    values: Array.from({ length: count }, (_, k) => ({
      value: mean + k / 8,
      error: k === 1 ? null : 0.0125,
    })),
  })),
  noise: Array.from({ length: count }, (_, k) => (k === 0 ? null : 0.25)),
  laws: [],
})

// Pictures are not looked at here: a drawer of none will do, which the types of a run do not know.
const page = async (count: number): Promise<string> =>
  (await GroupNumbers.of({ draw: () => Promise.resolve(undefined) } as never, groupsOf(count))).text

/** The cells of the rows of the table of all numbers, as text. */
const rowsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const table = /<table>(?:(?!<\/table>)[\s\S])*noise<\/th>[\s\S]*?<\/table>/.exec(text)?.[0] ?? ""
  const body = table.slice(table.lastIndexOf("<tbody>"))
  return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]*>/g, "").trim(),
    ),
  )
}

describe("GroupNumbers", () => {
  it("has an open table of the numbers of each group with their errors and the group's noise", async () => {
    const text = await page(3)
    const rows = rowsIn(text)
    expect(rows).toEqual([
      ["star 0", "2 ± 0.013", "3 ± 0.013", "-"],
      ["star 1", "2.125", "3.125", "0.25"],
      ["star 2", "2.25 ± 0.013", "3.25 ± 0.013", "0.25"],
    ])
    expect(text).not.toMatch(/<details>\s*<summary>The numbers/)
    expect(text).not.toContain("<b>")
  })

  it("of more than 40 groups has it on request, and says where the numbers of all are", async () => {
    const text = await page(41)
    expect(rowsIn(text)).toHaveLength(41)
    expect(text).toMatch(/<details>\s*<summary>The numbers of all 41 groups as a table<\/summary>/)
    expect(text).toMatch(/The pictures show the first 40 of 41 groups[\s\S]*fit\.json/)
    const many = await page(1003)
    expect(rowsIn(many)).toHaveLength(1000)
    expect(many).toContain("The numbers of the first 1000 of 1003 groups as a table")
  })
})
