// The glossary is true: its terms have a meaning, a source and a module that exists; and so does every module that another page names.
import fs from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { pages } from "../../../scripts/check-words.mjs"
import { ROOMS } from "../../../scripts/sources.mjs"

const root = path.join(import.meta.dirname, "..", "..", "..")

/** The cells of each row of the tables of a page, heads and rules left out. */
const rowsOf = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| term ") && !line.startsWith("| --"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    )

/** Modules named in code: `room/Module`, or `room/folder/Module` and the like; a folder of src counts. */
const modulesOf = (text: string): ReadonlyArray<string> => {
  const named = new RegExp(String.raw`\`(?:src/)?((?:${ROOMS.join("|")})/[\w./-]*\w)\``, "g")
  return [...text.matchAll(named)].map(([, name]) => name ?? "")
}

const exists = (name: string): boolean =>
  ["", ".ts"].some((ending) => fs.existsSync(path.join(root, "src", name + ending)))

const glossary = fs.readFileSync(path.join(root, "docs", "reference", "glossary.md"), "utf8")

describe("the glossary", () => {
  it("has a meaning, a source and modules for each term, and no term twice", () => {
    const rows = rowsOf(glossary)
    expect(rows.length).toBeGreaterThan(40)
    const complete = (row: ReadonlyArray<string>): boolean =>
      row.length === 4 && row.every((cell) => cell !== "") && /^`[^`]+`(?:, `[^`]+`)*$/.test(row[3] ?? "")
    expect(rows.filter((row) => !complete(row))).toEqual([])
    const terms = rows.map(([term]) => term)
    expect(terms).toEqual([...new Set(terms)])
  })

  it("names modules of src that exist", () => {
    const cells = rowsOf(glossary).flatMap(([term, , , modules = ""]) =>
      modules.split(", ").map((name) => ({ term, name: name.replaceAll("`", "") })),
    )
    expect(cells.filter(({ name }) => !fs.existsSync(path.join(root, "src", `${name}.ts`)))).toEqual([])
  })
})

describe("the pages", () => {
  it("name modules of src that exist", () => {
    expect(exists("expr/Term")).toBe(true)
    expect(modulesOf("see `expr/Nothing` and `src/expr/Term.ts`")).toEqual(["expr/Nothing", "expr/Term.ts"])
    const wrong = Object.entries(pages())
      // The changelog names modules of the past, too.
      .filter(([page]) => page.endsWith(".md") && page !== "CHANGELOG.md")
      .flatMap(([page, text]) =>
        modulesOf(text)
          .filter((name) => !exists(name))
          .map((name) => `${page}: ${name}`),
      )
    expect(wrong).toEqual([])
  })
})
