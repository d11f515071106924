// The seed of every property test, set before each test file. It is fixed, so that a change that breaks nothing passes every
// time: a rare counterexample stops whoever looks for one (VASST_RUNS, property.ts), not an unrelated change.
import * as fc from "fast-check"

if (process.env["VASST_RUNS"] === undefined) fc.configureGlobal({ seed: 20_261_101 })
