// Writes src/report/html/katexAssets.ts: the style sheet of KaTeX without its fonts, and the fonts that laws are set in. A page has both
// inside, and asks for no file.
//
//     node scripts/katex-assets.mjs              writes the module
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { ROOT } from "./sources.mjs"

/** Fonts of formulas: upright text, letters of variables, and large brackets and roots. */
const FONTS = [
  "Main-Regular",
  "Math-Italic",
  "Size1-Regular",
  "Size2-Regular",
  "Size3-Regular",
  "Size4-Regular",
]

export const FILE = path.join(ROOT, "src/report/html/katexAssets.ts")

/** @returns {string} the text of the module */
export const text = () => {
  const require = createRequire(import.meta.url)
  const style = readFileSync(require.resolve("katex/dist/katex.min.css"), "utf8")
  const { version } = JSON.parse(readFileSync(require.resolve("katex/package.json"), "utf8"))
  const rules = style.replaceAll(/@font-face\{[^}]*\}/g, "").trim()
  const fonts = FONTS.map((name) => {
    const bytes = readFileSync(require.resolve(`katex/dist/fonts/KaTeX_${name}.woff2`))
    return `  "${name}":\n    "${bytes.toString("base64")}",\n`
  })
  return `/* Written by scripts/katex-assets.mjs from KaTeX ${version}, MIT licence, Khan Academy and other contributors. */

/** The style sheet of KaTeX without its fonts. */
export const style =
  ${JSON.stringify(rules)}

/** Fonts of KaTeX by name, woff2 in base64. */
export const fonts = {
${fonts.join("")}} as const
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(FILE, text())
