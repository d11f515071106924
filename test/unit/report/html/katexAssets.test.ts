import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { FILE, text } from "../../../../scripts/katex-assets.mjs"

it("the fonts and the style of formulas are those of the KaTeX that is installed", () => {
  expect(readFileSync(FILE, "utf8")).toBe(text())
})
