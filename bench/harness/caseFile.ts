import { statSync } from "node:fs"
import { append, lines } from "./lines.ts"

/** A case and the line that has its result. */
export interface Done<Case, Line> {
  readonly case: Case
  readonly line: Line
}

/**
 * Results in a file of JSON lines, one for a case. It only grows: a program that was stopped goes on with the cases that have
 * no result yet.
 */
export interface CaseFile<Case, Line> {
  /** all lines, those without a result and those that were run again included */
  readonly lines: () => ReadonlyArray<Line>
  /** The cases whose last line has a result, each with that line. */
  readonly done: <C extends Case>(cases: ReadonlyArray<C>) => ReadonlyArray<Done<C, Line>>
  /** The cases that have none, in their order. */
  readonly open: <C extends Case>(cases: ReadonlyArray<C>) => ReadonlyArray<C>
  readonly add: (line: Line) => void
}

/** What tells a case from another. */
export interface Keys<Case, Line> {
  readonly ofCase: (one: Case) => string
  readonly ofLine: (line: Line) => string
  /** whether a line has a result; if left out, every line has */
  readonly complete?: (line: Line) => boolean
}

/** The results in a file, which need not exist. */
export const caseFile = <Case, Line extends object>(
  file: string,
  { ofCase, ofLine, complete = () => true }: Keys<Case, Line>,
): CaseFile<Case, Line> => {
  let seen: { readonly size: number; readonly lines: ReadonlyArray<Line> } | undefined
  const all = (): ReadonlyArray<Line> => {
    // The pages look at the same lines again and again, and files only grow.
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (seen?.size !== size) seen = { size, lines: lines<Line>(file) }
    return seen.lines
  }
  const known = (): ReadonlyMap<string, Line> => new Map(all().map((line) => [ofLine(line), line]))
  const done = <C extends Case>(cases: ReadonlyArray<C>): ReadonlyArray<Done<C, Line>> => {
    const found = known()
    return cases.flatMap((one) => {
      const line = found.get(ofCase(one))
      return line === undefined || !complete(line) ? [] : [{ case: one, line }]
    })
  }
  return {
    lines: all,
    done,
    open: (cases) => {
      const finished = new Set(done(cases).map((one) => ofCase(one.case)))
      return cases.filter((one) => !finished.has(ofCase(one)))
    },
    add: (line) => append(file, line),
  }
}
