// docs/architecture.md is what its sources say: the picture what the imports of src, the table what the how-to pages.
import fs from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { ROOMS, sourcesIn } from "../../../scripts/sources.mjs"
import * as Architecture from "../../../scripts/figures/architecture.ts"

const root = path.join(import.meta.dirname, "..", "..", "..")
/** The mend in words when two texts differ: a diff of pictures says nothing. */
const equalOr = (mend: string, written: string, drawn: string): string => (written === drawn ? "" : mend)
const mend = "run npm run ts -- scripts/figures/architecture.ts"

describe("the picture", () => {
  it("is that of the imports", () => {
    const drawn = Architecture.picture(sourcesIn(["src"]))
    expect(equalOr(mend, fs.readFileSync(Architecture.files.picture, "utf8"), drawn)).toBe("")
  })

  it("has a box for each room, and arrows down only", () => {
    const svg = Architecture.picture({
      "src/models/law.ts": 'import "../rank/Rank.ts"\nimport "../prob/Model.ts"',
      "src/rank/Rank.ts": 'import "../prob/Model.ts"\nimport "../models/law.ts"',
      "src/prob/Model.ts": 'import "./Plan.ts"',
    })
    expect([...svg.matchAll(/font-weight="600"[^>]*>(\w+)</g)].map(([, name]) => name)).toEqual([
      "prob",
      "rank",
      "models",
    ])
    // models -> prob follows from models -> rank -> prob, and rank -> models is for the linter to reject.
    expect(svg.match(/marker-end/g)).toHaveLength(2)
  })

  it("leaves implied arrows out and no other", () => {
    const graph = new Map([
      ["a", new Set(["b", "c", "d"])],
      ["b", new Set(["c"])],
      ["c", new Set<string>()],
      ["d", new Set<string>()],
    ])
    const kept = Architecture.withoutImplied(graph)
    expect([...kept.get("a")!]).toEqual(["b", "d"])
    expect([...kept.get("b")!]).toEqual(["c"])
  })
})

describe("the table of extension points", () => {
  it("counts lines of code: no imports, comments, blank lines, other blocks", () => {
    const page = [
      "```ts",
      'import * as A from "a"',
      "",
      "// why",
      "/** what",
      " * it is */",
      "const a = {",
      "  b: 1, // one",
      "}",
      "```",
      "```text",
      "no code",
      "```",
      "```ts",
      "const c = 2",
      "```",
      "",
    ].join("\n")
    expect(Architecture.codeLines(page)).toBe(4)
  })

  it("is that of the how-to pages, each of which it knows", () => {
    const page = fs.readFileSync(Architecture.files.page, "utf8")
    const table = Architecture.table(Architecture.howTos())
    expect(equalOr(mend, page, Architecture.withTable(page, table))).toBe("")
    expect(() => Architecture.table({ "unheard-of.md": "" })).toThrow(/unheard-of\.md is not in/)
  })

  it("has fewer than 40 lines for a move of the search", () => {
    const lines = Architecture.codeLines(Architecture.howTos()["move.md"]!)
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThan(40)
  })
})

describe("the table of rooms in CONTRIBUTING.md", () => {
  it("has the rooms of src in the order of the lint", () => {
    const page = fs.readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8")
    const listed = [...page.matchAll(/^\| `(\w+)\/`/gm)].map(([, room]) => room)
    expect(listed).toEqual(ROOMS)
  })
})
