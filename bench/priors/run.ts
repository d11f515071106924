/**
 * Fits the default prior over forms on the named laws of laws.json, prints the numbers of src/models/FormPrior.ts, and
 * writes docs/reference/form-prior.md:
 *
 *     node bench/priors/run.ts
 */
import { writeFileSync } from "node:fs"
import { format, resolveConfig } from "prettier"
import { laws } from "./corpus.ts"
import { fit, smoothed } from "./fit.ts"
import { page } from "./page.ts"

const file = new URL("../../docs/reference/form-prior.md", import.meta.url).pathname
writeFileSync(file, await format(page(), { ...(await resolveConfig(file)), parser: "markdown" }))
console.log(smoothed(fit(laws).prior))
