import { judging } from "../harness/python.ts"
import { type Worker, worker } from "../harness/worker.ts"
import { numbersOf, rowsOf } from "./data.ts"
import type { Answer, Run, Verdict } from "./record.ts"
import { type Case, type Generated, isMeasured, type Judging, perGroupOf, type ProblemSet } from "./sets.ts"

/** One question to bench/judge/laws.py. */
export interface Question {
  readonly judging: Judging
  readonly formula: string
  readonly parameters: Readonly<Record<string, number>>
  readonly noise: number
  /** of every feature its range and how it is drawn; `data` for measured columns */
  readonly variables: ReadonlyArray<{
    readonly name: string
    readonly low: number
    readonly high: number
    readonly kind: string
  }>
  readonly expression: string
}

/** Seconds for the first answer, and for each of the others. */
const limits = { first: 40, other: 15, start: 20 }

const questionOf = (
  set: ProblemSet,
  one: Case,
  noise: number,
  expression: string,
  own: Readonly<Record<string, number>> = {},
): Question => {
  const rows = rowsOf(set, one, 0, 1, 1)
  return {
    judging: set.judging,
    formula: one.formula,
    parameters: { ...one.parameters, ...own },
    noise,
    variables: isMeasured(one)
      ? Object.entries(rows.columns)
          .filter(([name]) => name !== rows.target)
          .map(([name, values]) => ({
            name,
            low: Math.min(...values),
            high: Math.max(...values),
            kind: "data",
          }))
      : one.variables,
    expression,
  }
}

/** Judges runs, one at a time. */
export interface Judge {
  /** The run with a verdict for each answer, and for the best with the reason. Throws where the judge does not run. */
  readonly judged: (set: ProblemSet, one: Case, run: Run) => Promise<Run>
  readonly end: () => void
}

export const judge = (slot: number): Judge => {
  const process: Worker = worker(judging(new URL("../judge/laws.py", import.meta.url).pathname), slot)
  const verdictOf = async (
    set: ProblemSet,
    one: Case,
    noise: number,
    expression: string,
    limit: number,
    own?: Readonly<Record<string, number>>,
  ): Promise<Verdict> => {
    const answer = await process.ask(
      { ...questionOf(set, one, noise, expression, own), limit },
      limit + limits.start,
    )
    if ("error" in answer) throw new Error(`bench/judge/laws.py: ${answer.error}`)
    // The worker answers with the verdict that its page describes.
    return answer.result as Verdict
  }
  /**
   * A law over groups is the law if it has as many numbers of each group, and is the law in the first and in the last group: its
   * numbers are free, but those that groups share are the same in both.
   */
  const overGroups = async (set: ProblemSet, one: Generated, run: Run, answer: Answer, limit: number) => {
    const numbers = answer.numbers ?? {}
    const expected = one.perGroup?.length ?? 0
    const count = Object.keys(numbers).length
    if (count !== expected)
      return { law: false, kind: "other", reason: `${count} numbers of each group, not ${expected}` } as const
    const groups = run.groups ?? 1
    const verdicts: Array<Verdict> = []
    const truth = numbersOf(set, one, run.seed, groups)
    for (const group of new Set([0, groups - 1])) {
      const expression = answer.expression.replaceAll(
        /Symbol\('([^']*)'\)|\bk\d+\b/g,
        (text, name?: string) => {
          const value = numbers[name ?? text]?.[group]
          return value === undefined ? text : `(${value})`
        },
      )
      verdicts.push(await verdictOf(set, one, run.noise, expression, limit, truth[group]))
    }
    return verdicts.find(({ law }) => !law) ?? verdicts[0]!
  }
  return {
    judged: async (set, one, run) => {
      const answers: Array<Answer> = []
      for (const [index, answer] of run.answers.entries()) {
        const limit = index === 0 ? limits.first : limits.other
        const { reason, ...verdict } =
          perGroupOf(one) === undefined || isMeasured(one)
            ? await verdictOf(set, one, run.noise, answer.expression, limit)
            : await overGroups(set, one, run, answer, limit)
        const told = index === 0 && reason !== undefined ? { ...verdict, reason } : verdict
        answers.push({ ...answer, verdict: told })
      }
      return { ...run, answers }
    },
    end: () => process.end(),
  }
}
