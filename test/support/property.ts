// How many runs a property test over models takes. The seed is fixed, so that a change that breaks nothing passes
// every time; `VASST_RUNS=100 npx vitest run test/property` explores: a hundred times the runs, from a random seed.
import type { Parameters } from "fast-check"

const factor = Number(process.env["VASST_RUNS"] ?? 1)

export const runs = (numRuns: number): Pick<Parameters<unknown>, "numRuns" | "seed"> =>
  factor === 1 ? { numRuns, seed: 20261101 } : { numRuns: Math.ceil(numRuns * factor) }
