import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus } from "node:os"
import { append, lines } from "../lines.ts"
import { type Case, keyOf, type Line } from "./case.ts"
import type { Verdict } from "./peers.ts"

const folder = new URL("../results/reproduction/", import.meta.url).pathname

const fileOf = (experiment: string): string => `${folder}${experiment}.jsonl`

/** The lines of an experiment; those without a result are there to be looked at, and are run again. */
export const read = <C extends Case, R>(experiment: string): ReadonlyArray<Line<C, R>> =>
  lines<Line<C, R>>(fileOf(experiment))

export const write = (experiment: string, line: Line): void => append(fileOf(experiment), line)

/** A line of an experiment that has a result. */
export interface Done<C extends Case, R> {
  readonly case: C
  readonly result: R
}

/** What is there of some cases: of a case that was run twice, the last. */
export const results = <C extends Case, R>(
  experiment: string,
  cases: ReadonlyArray<C>,
): ReadonlyArray<Done<C, R>> => {
  const known = new Map(read<C, R>(experiment).map((line) => [keyOf(line.case), line]))
  return cases.flatMap((one) => {
    const result = known.get(keyOf(one))?.result
    return result === undefined ? [] : [{ case: one, result }]
  })
}

const git = (): string => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()
  } catch {
    return "?"
  }
}

/** What this process runs cases with, in a line: version, commit, Node, processor. */
export const provenance = (): string => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  return `vasst ${version} (${git()}), Node ${process.versions.node}, ${cpus()[0]?.model ?? "unknown processor"}`
}

/** What the judge said of a formula. */
export interface Judged {
  /** problem and expression: `keyOf` of peers.ts */
  readonly key: string
  readonly verdict: Verdict
}

export const verdicts = (): ReadonlyArray<Judged> => lines<Judged>(fileOf("verdicts"))

export const judge = (line: Judged): void => append(fileOf("verdicts"), line)
