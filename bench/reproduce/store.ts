import { statSync } from "node:fs"
import { append, lines } from "../lines.ts"
import { type Case, keyOf, type Line } from "./case.ts"
import type { Verdict } from "./peers.ts"

const root = new URL("../../", import.meta.url).pathname
const folder = `${root}bench/results/reproduction/`

const fileOf = (experiment: string): string => `${folder}${experiment}.jsonl`

/** Files as they were when they were read: the pages look at the same lines again and again. */
const seen = new Map<string, { readonly size: number; readonly lines: ReadonlyArray<unknown> }>()

/** The lines of an experiment; those without a result are there to be looked at, and are run again. */
export const read = <C extends Case, R>(experiment: string): ReadonlyArray<Line<C, R>> => {
  const file = fileOf(experiment)
  // Files only grow.
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const before = seen.get(file)
  const found = before?.size === size ? before.lines : lines<Line<C, R>>(file)
  seen.set(file, { size, lines: found })
  // What `write` has put there for the experiment.
  return found as ReadonlyArray<Line<C, R>>
}

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

/** What the judge said of a formula. */
export interface Judged {
  /** problem and expression: `keyOf` of peers.ts */
  readonly key: string
  readonly verdict: Verdict
}

export const verdicts = (): ReadonlyArray<Judged> => lines<Judged>(fileOf("verdicts"))

export const judge = (line: Judged): void => append(fileOf("verdicts"), line)
