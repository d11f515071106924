import { type Command, node } from "../harness/process.ts"
import * as Python from "../harness/python.ts"
import { sample } from "./data.ts"
import { type Benchmark, equation } from "./equations.ts"
import { variants } from "../library/law.ts"
import { grammar } from "./grammar.ts"

/** One problem and its budget. */
export interface Task {
  readonly benchmark: Benchmark
  readonly equation: string
  readonly noise: number
  readonly seed: number
  readonly seconds: number
}

/** A solver's process on a task, and what it reads. */
export interface Call {
  readonly command: Command
  readonly input: string
}

/** How a solver's process is started on a task. */
export type Solver = (task: Task) => Call

const ours =
  (variant = "", measured = ""): Solver =>
  ({ benchmark, equation, noise, seed, seconds }) => ({
    command: node(
      new URL("one.ts", import.meta.url).pathname,
      ...[benchmark.name, equation, noise, seed, seconds].map(String),
      variant,
      measured,
    ),
    input: "",
  })

/** The other systems: the virtual environment under PEERS_HOME that each is installed in. */
const environments: Readonly<Record<string, string>> = {
  pyoperon: "venv",
  pyoperon_mdl: "venv",
  gplearn: "venv",
  bms: "venv_autora",
  bsr: "venv_autora",
}

const peer =
  (name: string, environment: string): Solver =>
  (task) => {
    const found = Python.peer(environment, Python.peerScript("feynman.py"), name)
    if ("missing" in found) throw new Error(`${found.missing}: see bench/peers/feynman.py`)
    const { train, test } = sample(
      task.benchmark,
      equation(task.benchmark, task.equation),
      task.noise,
      task.seed,
    )
    const columns = (table: ReadonlyArray<Float64Array>): ReadonlyArray<ReadonlyArray<number>> =>
      table.map((column) => [...column])
    return {
      command: found.command,
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
  "vasst-units": ours("", "units"),
  ...Object.fromEntries(Object.keys(variants).map((name) => [`vasst-${name}`, ours(name)])),
  ...Object.fromEntries(
    Object.entries(environments).map(([name, environment]) => [name, peer(name, environment)]),
  ),
}
