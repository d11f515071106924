// How many runs a property test over models takes: `VASST_RUNS=100 npm exec -- vitest run test/property` explores, a
// hundred times the runs from a random seed (seed.ts).
import type { Parameters } from "fast-check"

const factor = Number(process.env["VASST_RUNS"] ?? 1)

export const runs = (numRuns: number): Pick<Parameters<unknown>, "numRuns"> => ({
  numRuns: Math.ceil(numRuns * factor),
})
