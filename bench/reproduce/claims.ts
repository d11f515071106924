/** The formulas of all methods, and the judge that compares them. */
import { type CaseFile, caseFile } from "../harness/caseFile.ts"
import * as Python from "../harness/python.ts"
import * as Arms from "./arms.ts"
import type { FitCase, FitResult, PeerCase, PeerResult } from "./case.ts"
import { sampleOf } from "./data.ts"
import { tuned } from "./experiments.ts"
import { arrays, casesOf, peers } from "./peers.ts"
import * as Store from "./store.ts"

/** A formula that is judged. */
export interface Claim {
  readonly method: string
  readonly problem: string
  readonly noise: number
  readonly seed: number
  readonly expression: string
}

/** What the judge says of the terms of a formula. */
export interface Verdict {
  readonly structural: boolean
  readonly nodes: number | null
  readonly note: string
}

/** The verdict on a formula, as a line of the file of verdicts. */
export interface Judged {
  /** `keyOf` of the claim */
  readonly key: string
  readonly verdict: Verdict
}

/** Seeds of which VaSST's formulas are judged: those that most systems have. */
const judged = 3

/** All formulas of the comparison. */
export const claims = (): ReadonlyArray<Claim> => {
  const best = tuned()
  const arms = [
    Arms.untrained,
    Arms.asPublished,
    ...(best === undefined ? [] : [best]),
    Arms.collapsed,
    Arms.law,
  ]
  const ours = arms.flatMap((arm) =>
    Store.results<FitCase, FitResult>(arm.name, Arms.casesOf(arm))
      .filter(({ case: { features, seed } }) => features === "reduced" && seed <= judged)
      .map(({ case: { problem, noise, seed }, result }): Claim => ({
        method: arm.title,
        problem,
        noise,
        seed,
        expression: result.best.expression,
      })),
  )
  const theirs = peers.flatMap((peer) =>
    Store.results<PeerCase, PeerResult>("peers", casesOf(peer)).map(
      ({ case: { problem, noise, seed }, result }): Claim => ({
        method: peer.title,
        problem,
        noise,
        seed,
        expression: result.expression,
      }),
    ),
  )
  return [...ours, ...theirs]
}

/** What a verdict is about; the same formula is judged once. */
export const keyOf = ({ problem, expression }: Claim): string => `${problem} ${expression}`

/** The verdicts so far. */
export const verdicts = (): CaseFile<Claim, Judged> =>
  caseFile<Claim, Judged>(Store.fileOf("verdicts"), { ofCase: keyOf, ofLine: ({ key }) => key })

/** The judge's program, or why there is none. */
export const judge = (): Python.Available =>
  Python.python("venv", new URL("../judge/judge.py", import.meta.url).pathname, "--terms")

/** What the judge is told: the formula, the law, and rows on which it sees what is negligible. */
export const question = ({ problem, noise, seed, expression }: Claim): object => {
  const sample = sampleOf({ problem, features: "reduced", noise, seed })
  return {
    expression,
    law: sample.problem.formula,
    columns: arrays(sample.train.columns).map((column) => column.slice(0, 400)),
  }
}
