/**
 * Fits the default prior over forms on the named laws of laws.json, prints the numbers of src/models/FormPrior.ts, and
 * writes docs/reference/form-prior.md, src/models/FormUses.ts and src/models/NamedForms.ts:
 *
 *     node bench/priors/run.ts
 */
import { writeFileSync } from "node:fs"
import { format, resolveConfig } from "prettier"
import { laws } from "./corpus.ts"
import { fit, smoothed } from "./fit.ts"
import { heldOut } from "./heldOut.ts"
import * as Known from "./known.ts"
import { page } from "./page.ts"

const write = async (path: string, parser: "markdown" | "typescript", text: string): Promise<void> => {
  const file = new URL(`../../${path}`, import.meta.url).pathname
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser }))
}

const { uses, ...defaults } = smoothed(fit(Known.distinct(laws)).prior)
await write("docs/reference/form-prior.md", "markdown", page(heldOut(laws)))
await write(
  "src/models/FormUses.ts",
  "typescript",
  `import type { Uses } from "../prob/tree/Nesting.ts"

/**
 * How often operators and leaves stand at each place in named laws of science (docs/adr/0041). Written by \`bench/priors/run.ts\`; a
 * test checks that these are its numbers.
 */
export const uses: Uses = ${JSON.stringify(uses)}
`,
)
await write("src/models/NamedForms.ts", "typescript", Known.source(Known.known(laws)))
console.log(defaults)
