import { type Command, node } from "../harness/process.ts"

/** What a solver is given: a file of the rows, and its budget. */
export interface Given {
  readonly file: string
  readonly target: string
  readonly seconds: number
  readonly seed: number
}

/** How a solver's process is started. */
export type Solver = (given: Given) => Command

/** By name. `vasst` is the command with no options but target, time and seed. */
export const solvers: Readonly<Record<string, Solver>> = {
  vasst: ({ file, target, seconds, seed }) =>
    node(new URL("one.ts", import.meta.url).pathname, file, target, String(seconds), String(seed)),
}
