import { lines } from "../harness/lines.ts"
import { median } from "../harness/statistics.ts"
import { type Case, keyOf, type Run } from "./record.ts"

/** What the judge says of an expression (judge.py). */
export interface Verdict {
  readonly recovered: boolean
  /** the law, were its constants right */
  readonly form: boolean
  readonly rule: "symbolic" | "identity" | "parse" | "none"
  readonly reason: string
  /** nodes of the expression as SymPy reads it, constants and all; absent where it does not parse */
  readonly nodes?: number
  /** what the rule of SRBench's own program says; null where it raised or came to no end, absent where it was not asked */
  readonly srbench?: boolean | null
}

/** A run with its verdict. */
export type Judged = Run & { readonly verdict: Verdict }

/** Runs without their verdicts. */
export class NotJudged extends Error {}

/** The runs of a file of results with the verdicts beside it. Throws `NotJudged` where a run is not judged yet. */
export const judged = (file: string): ReadonlyArray<Judged> => {
  type Line = Case & { readonly expression: string; readonly verdict: Verdict }
  const verdicts = lines<Line>(file.replace(/\.jsonl$/, ".judged.jsonl"))
  return lines<Run>(file).map((run, index) => {
    // The judge keeps the order of the runs.
    const line = verdicts[index]
    if (line === undefined || keyOf(line) !== keyOf(run) || line.expression !== run.expression)
      throw new NotJudged(`${file}: ${run.equation} is not judged; run bench/judge/judge.py on it`)
    return { ...run, verdict: line.verdict }
  })
}

/** Figures of runs at one noise level. */
export interface Summary {
  readonly runs: number
  readonly recovered: number
  /** by the rule of SRBench's program; undefined where it was not asked of all */
  readonly srbench: number | undefined
  /** right but for the constants, and not recovered */
  readonly form: number
  /** runs with R2 > 0.999 on the noise-free test rows */
  readonly close: number
  readonly medianR2: number | undefined
  /** seconds until recovered laws were found, the median and the largest */
  readonly hit: { readonly median: number; readonly largest: number } | undefined
  readonly medianNodes: number | undefined
  readonly medianSeconds: number
}

const middle = (values: ReadonlyArray<number>): number | undefined =>
  values.length === 0 ? undefined : median(values)

const numbers = (values: ReadonlyArray<number | null | undefined>): ReadonlyArray<number> =>
  values.filter((value) => typeof value === "number")

export const summary = (runs: ReadonlyArray<Judged>): Summary => {
  const recovered = runs.filter(({ verdict }) => verdict.recovered)
  const hits = numbers(recovered.map((run) => run.secondsToHit))
  return {
    runs: runs.length,
    recovered: recovered.length,
    srbench: runs.every(({ verdict }) => verdict.srbench !== undefined)
      ? runs.filter(({ verdict }) => verdict.srbench === true).length
      : undefined,
    form: runs.filter(({ verdict }) => verdict.form && !verdict.recovered).length,
    close: runs.filter(({ r2 }) => r2 !== null && r2 > 0.999).length,
    // Where there is no number, the fit is worse than any.
    medianR2: middle(runs.map(({ r2 }) => r2 ?? Number.NEGATIVE_INFINITY)),
    hit: hits.length === 0 ? undefined : { median: median(hits), largest: Math.max(...hits) },
    medianNodes: middle(numbers(runs.map(({ verdict }) => verdict.nodes))),
    medianSeconds: median(runs.map(({ seconds }) => seconds)),
  }
}

/** The different values of a property, in the order of their first occurrence. */
export const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
