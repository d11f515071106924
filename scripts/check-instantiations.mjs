// Holds what the public types cost a user's compiler: the instantiations and types of programs that use them, counted by tsc
// against the built declarations. A slip in a conditional type multiplies them, long before anybody waits for it.
// `npm run instantiations` compares with the record; with `--write` it writes a new one.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { ROOT } from "./sources.mjs"

/** The folder of the programs, each a project of its own with its record. */
const PROGRAMS = "scripts/fixtures/types"

/** By how many per cent a count may rise above the record: a new version of effect or TypeScript moves it by some per cent. */
const ROOM = 15

/** @typedef {{ readonly instantiations: number, readonly types: number }} Counts */

/**
 * The counts in the output of `tsc --extendedDiagnostics`.
 * @param {string} output @returns {Counts}
 */
export const countsOf = (output) => {
  const error = output.split("\n").find((line) => /error TS\d+/.test(line))
  if (error !== undefined) throw new Error(`${error}\nbuild first: npm run build`)
  /** @param {string} name */
  const count = (name) => {
    const found = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(output)?.[1]
    if (found === undefined) throw new Error(`tsc says nothing of ${name}`)
    return Number(found)
  }
  return { instantiations: count("Instantiations"), types: count("Types") }
}

/**
 * What is above its ceiling, in sentences.
 * @param {Counts} record @param {Counts} found @returns {ReadonlyArray<string>}
 */
export const above = (record, found) =>
  /** @type {const} */ (["instantiations", "types"]).flatMap((name) => {
    const ceiling = Math.floor((record[name] * (100 + ROOM)) / 100)
    return found[name] > ceiling
      ? [
          `${found[name]} ${name}, ${record[name]} on record, ${ceiling} at most: see which type grew, or --write`,
        ]
      : []
  })

/**
 * What is above the record of a program, in sentences that are printed, too.
 * @param {string} program
 */
const checked = (program) => {
  const project = `${PROGRAMS}/${program}`
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc")
  // One thread: the count of types depends on how many share the work.
  const { stdout } = spawnSync(
    process.execPath,
    [tsc, "-p", project, "--extendedDiagnostics", "--singleThreaded"],
    { cwd: ROOT, encoding: "utf8" },
  )
  const found = countsOf(stdout)
  const record = `${project}/counts.json`
  const file = path.join(ROOT, record)
  if (process.argv.includes("--write")) fs.writeFileSync(file, `${JSON.stringify(found, undefined, 2)}\n`)
  const violations = above(JSON.parse(fs.readFileSync(file, "utf8")), found)
  for (const message of violations) console.error(`${record}: ${message}`)
  console.log(
    `${program}: ${found.instantiations} instantiations, ${found.types} types, ${violations.length} violations`,
  )
  return violations
}

const run = () => {
  const programs = fs.readdirSync(path.join(ROOT, PROGRAMS)).toSorted()
  if (programs.flatMap(checked).length > 0) process.exitCode = 1
}
if (import.meta.url === `file://${process.argv[1]}`) run()
