import { type CaseFile, caseFile } from "../harness/caseFile.ts"
import { type Case, keyOf, type Line } from "./case.ts"

const folder = new URL("../results/reproduction/", import.meta.url).pathname

/** The file of an experiment, or of verdicts. */
export const fileOf = (name: string): string => `${folder}${name}.jsonl`

const files = new Map<string, CaseFile<Case, Line>>()

const of = (experiment: string): CaseFile<Case, Line> => {
  const known = files.get(experiment)
  if (known !== undefined) return known
  const file = caseFile<Case, Line>(fileOf(experiment), {
    ofCase: keyOf,
    ofLine: (line) => keyOf(line.case),
    complete: ({ result }) => result !== undefined,
  })
  files.set(experiment, file)
  return file
}

/** The lines of an experiment; those without a result are there to be looked at, and are run again. */
export const read = (experiment: string): ReadonlyArray<Line> => of(experiment).lines()

export const write = (experiment: string, line: Line): void => of(experiment).add(line)

/** The cases of an experiment that have no result yet. */
export const open = (experiment: string, cases: ReadonlyArray<Case>): ReadonlyArray<Case> =>
  of(experiment).open(cases)

/** A case that has a result. */
export interface Done<C extends Case, R> {
  readonly case: C
  readonly result: R
}

/** The results of some cases, those that there are; of a case that was run twice, the last. */
export const results = <C extends Case, R>(
  experiment: string,
  cases: ReadonlyArray<C>,
): ReadonlyArray<Done<C, R>> =>
  of(experiment)
    .done(cases)
    // What `write` has put there for the experiment.
    .map(({ case: one, line }) => ({ case: one, result: line.result as R }))
