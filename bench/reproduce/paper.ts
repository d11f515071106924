/** The paper's figures, copied from its LaTeX; `table` is the label of the table that a figure stands in. */
import { readFileSync } from "node:fs"

const load = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`paper/${name}.json`, import.meta.url), "utf8"))

interface Cell {
  readonly table: string
  readonly problem: string
  readonly noise: number
}

/** Out-of-sample RMSE over ten repetitions; of the two simulations only. */
export interface Rmse extends Cell {
  readonly method: string
  readonly mean: number
  readonly sd: number
}

/** What a method learned in the one run that is printed; LaTeX. */
export interface Learned extends Cell {
  readonly method: string
  readonly expression: string
  readonly rmse: number
}

/** One of the ten best of a run; LaTeX. */
export interface Ranked extends Cell {
  readonly rank: number
  readonly expression: string
  readonly lmpse: number
  readonly rmse: number
}

/** Seconds of a run on the paper's machine. */
export interface Seconds extends Cell {
  readonly method: string
  readonly seconds: number
}

export interface Ablated {
  readonly table: string
  readonly problem: string
  readonly trees: number
  readonly depth: number
  readonly seconds: number
  readonly rmse: number
}

interface Recovery {
  readonly source: string
  readonly frequencies: ReadonlyArray<{
    readonly method: string
    readonly problems: ReadonlyArray<string>
    readonly noises: ReadonlyArray<number>
    readonly says: string
  }>
}

// The files are this folder's own; the types say what they hold.
export const rmse = load("rmse") as ReadonlyArray<Rmse>
export const expressions = load("expressions") as ReadonlyArray<Learned>
export const topTen = load("topTen") as ReadonlyArray<Ranked>
export const seconds = load("seconds") as ReadonlyArray<Seconds>
export const ablation = load("ablation") as ReadonlyArray<Ablated>
/** The formula of VaSST that each noise-free table of expressions prints, in the variables. */
export const printed = load("printed") as ReadonlyArray<{
  readonly problem: string
  readonly formula: string
}>
const recoveries = load("recovery") as Recovery

/** Table relaxed-logit-scaling: the length of phi for K = 3, three operators and three features. */
export const parameters: ReadonlyArray<{ readonly depth: number; readonly count: number }> = [
  { depth: 2, count: 153 },
  { depth: 3, count: 321 },
  { depth: 4, count: 657 },
  { depth: 5, count: 1329 },
]

/** What the text says of recovery; undefined where it is silent. */
export const recovery = (method: string, problem: string, noise: number): string | undefined =>
  recoveries.frequencies.find(
    (one) => one.method === method && one.problems.includes(problem) && one.noises.includes(noise),
  )?.says
