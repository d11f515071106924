/**
 * Fits the default prior over forms on the named laws of laws.json, prints the frequencies of src/evidence/exact/Constants.ts, and
 * writes docs/reference/form-prior.md, src/models/Forms.ts and src/models/NamedForms.ts:
 *
 *     node bench/priors/run.ts
 */
import { writeFileSync } from "node:fs"
import { format, resolveConfig } from "prettier"
import { laws } from "./corpus.ts"
import { constantsOf } from "./constants.ts"
import { fit, forms } from "./fit.ts"
import { heldOut } from "./heldOut.ts"
import * as Known from "./known.ts"
import { page } from "./page.ts"

const write = async (path: string, parser: "markdown" | "typescript", text: string): Promise<void> => {
  const file = new URL(`../../${path}`, import.meta.url).pathname
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser }))
}

const shown = Known.distinct(laws)
const fitted = forms(shown)
await write("docs/reference/form-prior.md", "markdown", page(heldOut(laws)))
await write(
  "src/models/Forms.ts",
  "typescript",
  `import type { Uses } from "../prob/tree/Nesting.ts"

/** What forms of named laws of science are made of. Written by \`bench/priors/run.ts\`; a test checks that these are its numbers. */
export interface Forms {
  /** Dirichlet concentrations of operator weights */
  readonly operators: Readonly<Record<string, number>>
  /** Dirichlet concentrations of the constants 1, 2 and pi, and of a fitted constant; a feature has 2 */
  readonly terminals: Readonly<Record<string, number>>
  /** the probability of an operator at depth 0, 1, ...; the last holds for all deeper nodes */
  readonly split: ReadonlyArray<number>
  /** the prior inclusion probability of a term */
  readonly inclusion: number
  /** relative weights of links */
  readonly links: Readonly<Record<string, number>>
  /** how often operators and leaves stand at each place (docs/adr/0041) */
  readonly uses: Uses
}

/** The forms of laws of any number of columns. */
export const laws: Forms = ${JSON.stringify(fitted.laws)}

/** The forms of laws of one column (docs/adr/0059). */
export const curves: Forms = ${JSON.stringify(fitted.curves)}
`,
)
await write("src/models/NamedForms.ts", "typescript", Known.source(Known.known(laws)))
console.log(constantsOf(fit(shown).represented))
