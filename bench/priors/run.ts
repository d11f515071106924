/**
 * Fits the default prior over forms on the named laws of laws.json, prints the frequencies of src/evidence/exact/Constants.ts, and
 * writes docs/reference/form-prior.md, src/models/LawForms.ts, src/models/CurveForms.ts and src/models/NamedForms.ts:
 *
 *     node bench/priors/run.ts
 */
import { writeFileSync } from "node:fs"
import { format, resolveConfig } from "prettier"
import { laws } from "./corpus.ts"
import { constantsOf } from "./constants.ts"
import { both, forms } from "./fit.ts"
import { heldOut } from "./heldOut.ts"
import * as Known from "./known.ts"
import { page } from "./page.ts"

const write = async (path: string, parser: "markdown" | "typescript", text: string): Promise<void> => {
  const file = new URL(`../../${path}`, import.meta.url).pathname
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser }))
}

const fitted = both(Known.distinct(laws))
const defaults = forms(fitted)
await write("docs/reference/form-prior.md", "markdown", page(fitted, heldOut(laws)))
const table = (
  name: string,
  comment: string,
  value: unknown,
): string => `import type { Forms } from "./Forms.ts"

/** ${comment}. Written by \`bench/priors/run.ts\`; a test checks that these are its numbers. */
export const ${name}: Forms = ${JSON.stringify(value)}
`
await write(
  "src/models/LawForms.ts",
  "typescript",
  table("laws", "The forms of named laws of any number of columns", defaults.laws),
)
await write(
  "src/models/CurveForms.ts",
  "typescript",
  table("curves", "The forms of named laws of one column (docs/adr/0059)", defaults.curves),
)
await write("src/models/NamedForms.ts", "typescript", Known.source(Known.known(laws)))
console.log(constantsOf(fitted.laws.represented))
