/** Other systems, by bench/peers/paper.py. */
import * as Python from "../harness/python.ts"
import { type Answer, worker } from "../harness/worker.ts"
import { problems } from "../problems.ts"
import * as Arms from "./arms.ts"
import type { PeerCase } from "./case.ts"
import { sampleOf } from "./data.ts"

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
      "the paper's configuration; initial trees, selection and bloat limit, which the paper does not state, are those of DEAP's example",
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
      "two objectives, constants by least squares, the formula of least description length; not the paper's configuration",
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
      "the paper's configuration but 25 restarts in place of 2,000, of which the package uses only one; multiply its CPU seconds by 80",
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

/** The program of a system, or why it cannot run here. */
export const programOf = ({ name, environment }: Peer): Python.Available =>
  Python.peer(environment, Python.peerScript("paper.py"), name)

/** Columns as JSON has them. */
export const arrays = (columns: ReadonlyArray<Float64Array>): ReadonlyArray<ReadonlyArray<number>> =>
  columns.map((column) => [...column])

/** Runs a system on a case, in a process of its own on the processor of `slot`. */
export const runPeer = async (one: PeerCase, slot: number): Promise<Answer> => {
  const found = programOf(peerOf(one.peer))
  if ("missing" in found) return { error: found.missing }
  const { train, test, truth, operators, clean } = sampleOf(one)
  const process = worker(found.command, slot)
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
