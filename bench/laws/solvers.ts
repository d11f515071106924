import { type Command, node } from "../harness/process.ts"
import * as Python from "../harness/python.ts"

/** What a solver is given: a file of the rows, and its budget. */
export interface Given {
  readonly file: string
  readonly target: string
  readonly seconds: number
  readonly seed: number
  /** the column of groups, where there are groups */
  readonly group?: string
}

/** How a solver's process is started. */
export type Solver = (given: Given) => Command

/** The other systems: the virtual environment under PEERS_HOME that each is installed in. */
const environments: Readonly<Record<string, string>> = {
  gplearn: "venv",
  pyoperon_mdl: "venv",
  bms: "venv_autora",
  rils: "venv_x",
}

const peer =
  (name: string, environment: string): Solver =>
  ({ file, target, seconds, seed }) => {
    const found = Python.peer(
      environment,
      Python.peerScript("laws.py"),
      name,
      file,
      target,
      String(seconds),
      String(seed),
    )
    if ("missing" in found) throw new Error(`${found.missing}: see bench/peers/laws.py`)
    return found.command
  }

/** By name. `vasst` is the command with no options but target, time and seed. */
export const solvers: Readonly<Record<string, Solver>> = {
  vasst: ({ file, target, seconds, seed, group }) =>
    node(
      new URL("one.ts", import.meta.url).pathname,
      file,
      target,
      String(seconds),
      String(seed),
      ...(group === undefined ? [] : [group]),
    ),
  ...Object.fromEntries(
    Object.entries(environments).map(([name, environment]) => [name, peer(name, environment)]),
  ),
}
