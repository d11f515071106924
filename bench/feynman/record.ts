import { type CaseFile, caseFile } from "../harness/caseFile.ts"
import type { Benchmark } from "./equations.ts"

/** One finished run, as one line of a file of results. */
export interface Run {
  readonly set: Benchmark["name"]
  /** `vasst`, or the name of another system */
  readonly solver: string
  readonly equation: string
  readonly noise: number
  readonly seed: number
  /** seconds that the search was given */
  readonly budget: number
  /** as text that SymPy parses; empty if there was none */
  readonly expression: string
  /** on the noise-free test rows; null where the expression is not a number on them */
  readonly r2: number | null
  /** as the solver counts; the judge counts nodes for all alike */
  readonly complexity: number | null
  /** wall-clock seconds of the search, start of the process excluded */
  readonly seconds: number
  /** CPU seconds of the whole process */
  readonly cpu: number | null
  /**
   * Seconds until the search scored what it gave in the end, or reported it, where the solver says when that was.
   * Otherwise until it reported a formula with 1 - R2 < 1e-9 on the noise-free test rows and kept to such, at noise 0; or, with noise or
   * without such a formula, until it reported the expression that it gave in the end.
   */
  readonly secondsToHit: number | null
  /** why the search ended; "killed" if it did not end in time and the best so far is taken */
  readonly stop: string
  /** the probability of the expression that the solver states; absent where it states none, and in runs from before that was recorded */
  readonly probability?: number
  /** what went wrong, if anything did */
  readonly error?: string
  /** what it was run with (`provenance`); absent in runs from before that was recorded */
  readonly by?: string
}

/** What identifies a run within a file. */
export type Case = Pick<Run, "set" | "solver" | "equation" | "noise" | "seed">

/** Cases are equal when their keys are. */
export const keyOf = ({ set, solver, equation, noise, seed }: Case): string =>
  [set, solver, equation, noise, seed].join(" ")

/** The runs in a file. */
export const runsIn = (file: string): CaseFile<Case, Run> =>
  caseFile<Case, Run>(file, { ofCase: keyOf, ofLine: keyOf })

/** An improvement as a solver's process reports it: seconds since its search began, and its R2 if it was worked out. */
export interface Improvement {
  readonly seconds: number
  readonly expression: string
  readonly r2?: number | null
}

/** What a solver's process says at its end. */
export interface Ending {
  readonly expression: string
  readonly r2: number | null
  readonly complexity: number | null
  readonly seconds: number
  readonly cpu: number
  readonly stop: string
  /** when the search came upon the answer, if it knows */
  readonly found?: number | null
  /** as of a run */
  readonly probability?: number | undefined
}

/** A line of a solver's process. Lines that do not begin with a brace are not for us. */
export type Message = { readonly improvement: Improvement } | { readonly ending: Ending }

/** The threshold of `secondsToHit`. */
const exact = 1 - 1e-9

const good = ({ r2 }: Improvement): boolean => typeof r2 === "number" && r2 > exact

/** When the search found what it was after: see `Run.secondsToHit`. */
export const secondsToHit = (
  improvements: ReadonlyArray<Improvement>,
  expression: string,
  noise: number,
): number | null => {
  const lastMiss = improvements.findLastIndex((one) => !good(one))
  const hit = noise === 0 ? improvements[lastMiss + 1] : undefined
  return (hit ?? improvements.find((one) => one.expression === expression))?.seconds ?? null
}
