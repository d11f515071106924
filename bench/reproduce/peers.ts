/** Other systems, by bench/reproduce/peer.py, and the judge that compares formulas of all. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { problems } from "../problems.ts"
import * as Arms from "./arms.ts"
import type { FitCase, FitResult, PeerCase, PeerResult } from "./case.ts"
import { sampleOf } from "./data.ts"
import { tuned } from "./experiments.ts"
import * as Store from "./store.ts"
import { type Program, type Worker, worker } from "./workers.ts"

/** A system that is compared. */
export interface Peer {
  readonly name: string
  readonly title: string
  /** of the virtual environments under PEERS_HOME */
  readonly environment: string
  /** repetitions: fewer where a fit takes minutes */
  readonly repetitions: number
  /** how it is configured */
  readonly about: string
}

export const peers: ReadonlyArray<Peer> = [
  {
    name: "deap",
    title: "DEAP",
    environment: "venv",
    repetitions: 10,
    about:
      "the paper's configuration; initial trees, selection and bloat limit, which it does not state, as in DEAP's example",
  },
  {
    name: "gplearn",
    title: "gplearn",
    environment: "venv",
    repetitions: 3,
    about: "the paper's configuration",
  },
  {
    name: "pyoperon",
    title: "Operon",
    environment: "venv",
    repetitions: 3,
    about:
      "the paper's configuration; the package ends after a million evaluations and does not fit constants by default",
  },
  {
    name: "pyoperon_mdl",
    title: "Operon at its best",
    environment: "venv",
    repetitions: 3,
    about:
      "two objectives, constants by least squares, the formula of least description length; not the paper's",
  },
  {
    name: "rils",
    title: "RILS-ROLS",
    environment: "venv_x",
    repetitions: 3,
    about: "100,000 fits at most, its own operators; not in the paper",
  },
  {
    name: "bsr",
    title: "BSR",
    environment: "venv_autora",
    repetitions: 3,
    about:
      "the paper's configuration but 25 restarts in place of 2,000, of which the package uses one whatever their number: times 80 for its CPU seconds",
  },
  {
    name: "bms",
    title: "BMS",
    environment: "venv_autora",
    repetitions: 1,
    about: "the paper's configuration",
  },
  {
    name: "vasst_torch",
    title: "VaSST in PyTorch",
    environment: "venv",
    repetitions: 2,
    about: "the published settings in another implementation",
  },
]

export const peerOf = (name: string): Peer => {
  const found = peers.find((peer) => peer.name === name)
  if (found === undefined)
    throw new Error(`there is no system ${name}; there are ${peers.map((peer) => peer.name).join(", ")}`)
  return found
}

export const casesOf = ({ name, repetitions }: Peer): ReadonlyArray<PeerCase> =>
  Arms.seeds.slice(0, repetitions).flatMap((seed) =>
    problems.flatMap((problem) =>
      Arms.noises.map((noise): PeerCase => ({
        kind: "peer",
        peer: name,
        problem: problem.name,
        features: "reduced",
        noise,
        seed,
      })),
    ),
  )

/** The systems of Figure runtime_boxplot beside VaSST: run time against rows, fewer times than the paper. */
export const scaling = (rows: ReadonlyArray<number>): ReadonlyArray<PeerCase> =>
  ["bms", "bsr"].flatMap((peer) =>
    rows.map((n): PeerCase => ({
      kind: "peer",
      peer,
      problem: "sim1",
      features: "reduced",
      noise: 0,
      seed: 1,
      rows: n,
    })),
  )

/** CPU seconds after which a system is asked to end, where it listens. */
const cap = 600

/** Why no system can run here; undefined where some can. */
export const missing = (): string | undefined =>
  process.env["PEERS_HOME"] === undefined || process.env["PEERS_SCRIPTS"] === undefined
    ? "PEERS_HOME (virtual environments) and PEERS_SCRIPTS (the folder of run_peer.py) are not both set"
    : undefined

/** A script of this folder on the Python of an environment; undefined where there is none. */
const python = (environment: string, script: string, ...rest: ReadonlyArray<string>): Program | undefined => {
  const program = join(process.env["PEERS_HOME"] ?? "", environment, "bin", "python")
  return existsSync(program)
    ? { program, parameters: ["-W", "ignore", new URL(script, import.meta.url).pathname, ...rest] }
    : undefined
}

/** Whether the environment of a system is there. */
export const installed = (peer: Peer): boolean => python(peer.environment, "peer.py") !== undefined

const arrays = (columns: ReadonlyArray<Float64Array>): ReadonlyArray<ReadonlyArray<number>> =>
  columns.map((column) => [...column])

/** Runs a system on a case, in a process of its own on the processor of `slot`. */
export const runPeer = async (one: PeerCase, slot: number): ReturnType<Worker["ask"]> => {
  const { name, environment } = peerOf(one.peer)
  const program = python(environment, "peer.py", name)
  if (program === undefined) return { error: `PEERS_HOME/${environment} has no Python` }
  const { train, test, truth, operators, clean } = sampleOf(one)
  const process = worker(program, slot)
  const answer = await process.ask(
    {
      name: one.problem,
      operators,
      noise: one.noise,
      seed: one.seed,
      cap,
      X_train: arrays(train.columns),
      y_train: [...train.y],
      f_train: [...clean],
      X_test: arrays(test.columns),
      y_test: [...test.y],
      f_test: [...truth],
    },
    2 * cap,
  )
  process.end()
  return answer
}

/** A formula that is judged. */
export interface Claim {
  readonly method: string
  readonly problem: string
  readonly noise: number
  readonly seed: number
  readonly expression: string
}

/** What judge.py says. */
export interface Verdict {
  readonly structural: boolean
  readonly nodes: number | null
  readonly note: string
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

/** A worker that judges; undefined where there is no Python for it. */
export const judge = (slot: number): Worker | undefined => {
  const program = python("venv", "judge.py")
  return program === undefined ? undefined : worker(program, slot)
}

/** What the judge is told. */
export const question = ({ problem, noise, seed, expression }: Claim): object => {
  const sample = sampleOf({ problem, features: "reduced", noise, seed })
  return {
    expression,
    law: sample.problem.formula,
    X_train: arrays(sample.train.columns).map((column) => column.slice(0, 400)),
    X_test: arrays(sample.test.columns),
    f_test: [...sample.truth],
  }
}
