import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "./child.ts"
import { sample } from "./data.ts"
import { type Benchmark, equation } from "./equations.ts"
import { grammar } from "./solve.ts"
import { variants } from "./variants.ts"

/** One problem and its budget. */
export interface Task {
  readonly benchmark: Benchmark
  readonly equation: string
  readonly noise: number
  readonly seed: number
  readonly seconds: number
}

/** How a solver's process is started on a task. */
export type Solver = (task: Task) => Command

const ours =
  (variant?: string): Solver =>
  ({ benchmark, equation, noise, seed, seconds }) => ({
    program: process.execPath,
    parameters: [
      "--disable-warning=ExperimentalWarning",
      new URL("one.ts", import.meta.url).pathname,
      ...[benchmark.name, equation, noise, seed, seconds].map(String),
      ...(variant === undefined ? [] : [variant]),
    ],
  })

/** The other systems: the virtual environment under PEERS_HOME that each is installed in. */
const environments: Readonly<Record<string, string>> = {
  pyoperon: "venv",
  pyoperon_mdl: "venv",
  gplearn: "venv",
  bms: "venv_autora",
  bsr: "venv_autora",
}

const variable = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: see bench/peers/solve.py`)
  return value
}

const peer =
  (name: string, environment: string): Solver =>
  (task) => {
    const program = join(variable("PEERS_HOME"), environment, "bin", "python")
    if (!existsSync(program)) throw new Error(`PEERS_HOME/${environment} has no Python`)
    variable("PEERS_SCRIPTS")
    const { train, test } = sample(
      task.benchmark,
      equation(task.benchmark, task.equation),
      task.noise,
      task.seed,
    )
    const columns = (table: ReadonlyArray<Float64Array>): ReadonlyArray<ReadonlyArray<number>> =>
      table.map((column) => [...column])
    return {
      program,
      parameters: ["-W", "ignore", new URL("../peers/solve.py", import.meta.url).pathname, name],
      input: JSON.stringify({
        features: train.features,
        operators: grammar.operators,
        train: columns(train.columns),
        y: [...train.y],
        test: columns(test.columns),
        truth: [...test.y],
        noise: task.noise,
        seed: task.seed,
        seconds: task.seconds,
      }),
    }
  }

export const solvers: Readonly<Record<string, Solver>> = {
  vasst: ours(),
  ...Object.fromEntries(Object.keys(variants).map((name) => [`vasst-${name}`, ours(name)])),
  ...Object.fromEntries(
    Object.entries(environments).map(([name, environment]) => [name, peer(name, environment)]),
  ),
}
