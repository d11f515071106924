import { type CaseFile, caseFile } from "../harness/caseFile.ts"

/** What the judge says of an expression (docs/adr/0026). */
export interface Verdict {
  readonly law: boolean
  /** `more`: the law's functions are among those of the expression; `special`: the expression is a special case of the law */
  readonly kind: "law" | "more" | "special" | "other"
  /** of the best answer only */
  readonly reason?: string
}

/** One of the ten best laws of a run. */
export interface Answer {
  /** as text that SymPy parses */
  readonly expression: string
  /** by name the numbers of each group in a law over groups */
  readonly numbers?: Readonly<Record<string, ReadonlyArray<number>>>
  /** the posterior probability that the solver states; null of a solver that states none */
  readonly probability: number | null
  /** absent before the judge has seen it */
  readonly verdict?: Verdict
}

/** What identifies a run within a file. */
export interface Task {
  readonly set: string
  readonly solver: string
  readonly case: string
  /** of a generated case in proportion to its target; 0 of a measured one */
  readonly noise: number
  readonly seed: number
  /** how many processors the process has */
  readonly cores: number
  /** the number of groups of a case with groups */
  readonly groups?: number
}

/** One finished run, as one line of a file of results. */
export interface Run extends Task {
  /** seconds that the search was given */
  readonly budget: number
  /** the ten best, best first */
  readonly answers: ReadonlyArray<Answer>
  /** wall-clock seconds from the start of the process to its end */
  readonly wall: number
  /** wall-clock seconds of the search, as the solver says */
  readonly seconds: number | null
  /** CPU seconds of the whole process, all threads */
  readonly cpu: number | null
  /** seconds until the form of the answer, its numbers aside, was first reported as the best: at the end at the latest */
  readonly hit: number | null
  readonly stop: string
  /** what the command says of the search and of the fit: the number of scored ensembles, and signs that the answer is not the law */
  readonly says?: ReadonlyArray<string>
  readonly error?: string
  readonly by: string
}

export const keyOf = ({ set, solver, case: name, noise, seed, cores, groups }: Task): string =>
  [set, solver, name, noise, seed, cores, ...(groups === undefined ? [] : [groups])].join(" ")

/** The runs in a file. */
export const runsIn = (file: string): CaseFile<Task, Run> =>
  caseFile<Task, Run>(file, { ofCase: keyOf, ofLine: keyOf })

/** The place of the law among the answers, from 1; undefined where it is not among them. */
export const placeOf = ({ answers }: Pick<Run, "answers">): number | undefined => {
  const index = answers.findIndex(({ verdict }) => verdict?.law === true)
  return index < 0 ? undefined : index + 1
}

/** What a solver's process says, in lines of JSON. Lines that do not begin with a brace are not for us. */
export type Message =
  | { readonly improvement: { readonly seconds: number; readonly law: string } }
  | {
      readonly ending: {
        readonly answers: ReadonlyArray<Answer>
        readonly seconds: number
        readonly cpu: number
        readonly hit?: number | null
        readonly stop: string
        readonly says?: ReadonlyArray<string>
        /** name and version of another system */
        readonly version?: string
      }
    }

/** The law at the end of a text of progress (`report/Progress`); undefined where there is none yet. */
export const lawIn = (text: string, target: string): string | undefined =>
  text.split(` ${target} = `)[1]?.trim()

/** A formula's form: its text with every number replaced. */
export const formOf = (law: string): string => law.replaceAll(/\d+(\.\d+)?(e[+-]?\d+)?/gi, "#")

/** When the form of the answer first was the best. */
export const hitOf = (
  improvements: ReadonlyArray<{ readonly seconds: number; readonly law: string }>,
  answer: string,
): number | null => improvements.find(({ law }) => formOf(law) === formOf(answer))?.seconds ?? null
