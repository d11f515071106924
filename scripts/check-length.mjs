// Holds that a file has at most 300 lines: a longer one has more than one noun. Run by `npm run lint`.
import { main, sourcesIn } from "./sources.mjs"

/** @typedef {import("./sources.mjs").Sources} Sources */
/** @typedef {import("./sources.mjs").Violation} Violation */

/** The largest number of lines of a file. */
export const LIMIT = 300

/** @param {Sources} sources @returns {ReadonlyArray<Violation>} */
export const check = (sources) =>
  Object.entries(sources).flatMap(([file, source]) => {
    const lines = source.replace(/\n$/, "").split("\n").length
    return lines > LIMIT
      ? [{ file, line: lines, message: `has ${lines} lines, ${LIMIT} at most: split it by noun` }]
      : []
  })

main(import.meta.url, "length", () => {
  const sources = sourcesIn(["src", "bench", "scripts", "examples", "playground/src"], /\.(ts|mjs)$/)
  return { files: Object.keys(sources).length, violations: check(sources) }
})
