/**
 * Equations to be found, several at a time, each in a process of its own on one processor:
 *
 *     node bench/feynman/run.ts [--set feynman|paper] [--noise 0,0.001] [--seeds 1] [--time 60] [--jobs 2]
 *                               [--only I.6.2,...] [--solver vasst] [--out file.jsonl]
 *
 * Every run is one line of the file (`Run` of record.ts), bench/results/SET-SOLVER.jsonl by default; runs that are there
 * are not repeated. A search has `--time` seconds and should end by itself; its process, start and all, is killed 15 s
 * after that. Other solvers need PEERS_HOME and PEERS_SCRIPTS: see bench/peers/solve.py.
 */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { complain, options } from "../options.ts"
import { append, lines } from "../lines.ts"
import { run as runChild } from "./child.ts"
import { benchmark, equation, Unknown } from "./equations.ts"
import { provenance } from "../provenance.ts"
import { type Case, type Run, sameCase, secondsToHit } from "./record.ts"
import { solvers, type Task } from "./solvers.ts"

const grace = 15

const { values } = options(import.meta.url, {
  options: {
    set: { type: "string", default: "feynman" },
    noise: { type: "string" },
    seeds: { type: "string" },
    time: { type: "string", default: "60" },
    jobs: { type: "string", default: "2" },
    only: { type: "string" },
    solver: { type: "string", default: "vasst" },
    out: { type: "string" },
  },
})

const numbers = (option: string, list: string): ReadonlyArray<number> =>
  list.split(",").map((text) => {
    const value = Number(text)
    if (text.trim() === "" || !(value >= 0)) complain(`--${option}: ${text} is not a number from 0 on`)
    return value
  })

/** What the command line names; what there is not ends the program. */
const named = <A>(find: () => A): A => {
  try {
    return find()
  } catch (error) {
    if (error instanceof Unknown) complain(error.message)
    throw error
  }
}

const chosen = named(() => benchmark(values.set))
const names = values.only?.split(",") ?? chosen.equations.map(({ name }) => name)
for (const name of names) named(() => equation(chosen, name))
const solver = solvers[values.solver]
if (solver === undefined)
  complain(`there is no solver ${values.solver}; there are ${Object.keys(solvers).join(", ")}`)
const paper = chosen.name === "paper"
const noises = numbers("noise", values.noise ?? (paper ? "0,0.1,0.2" : "0,0.001,0.01,0.1"))
const seeds = numbers("seeds", values.seeds ?? (paper ? "1,2,3,4,5,6,7,8,9,10" : "1"))
const [budget = 60] = numbers("time", values.time)
const [jobs = 1] = numbers("jobs", values.jobs)
const out =
  values.out ?? new URL(`../results/${chosen.name}-${values.solver}.jsonl`, import.meta.url).pathname
mkdirSync(dirname(out), { recursive: true })

const done = lines<Run>(out)
const other = done.find((run) => run.solver === values.solver && run.budget !== budget)
if (other !== undefined)
  complain(`${out} holds runs of ${other.budget} s; give another file for runs of ${budget} s`)
const cases = noises.flatMap((noise) =>
  seeds.flatMap((seed) =>
    names.map((name): Case => ({ set: chosen.name, solver: values.solver, equation: name, noise, seed })),
  ),
)
const open = cases.filter((one) => !done.some((run) => sameCase(run, one)))
if (open.length < cases.length) console.error(`${cases.length - open.length} of ${cases.length} are there`)

const by = provenance(["src", "bench/feynman", "bench/peers"])

const runCase = async (one: Case, slot: number): Promise<Run> => {
  const task: Task = { ...one, benchmark: chosen, seconds: budget }
  const { improvements, ending, killed, error, wall } = await runChild(solver(task), slot, budget + grace)
  const last = improvements.at(-1)
  const expression = ending?.expression ?? last?.expression ?? ""
  return {
    ...one,
    budget,
    expression,
    r2: ending === undefined ? (last?.r2 ?? null) : ending.r2,
    complexity: ending?.complexity ?? null,
    seconds: ending?.seconds ?? wall,
    cpu: ending?.cpu ?? null,
    secondsToHit: ending?.found ?? secondsToHit(improvements, expression, one.noise),
    stop: ending?.stop ?? (killed ? "killed" : "failed"),
    ...(error === undefined ? {} : { error }),
    by,
  }
}

const brief = (text: string): string => (text.length > 100 ? `${text.slice(0, 97)}...` : text)

const started = performance.now()
let next = 0
let finished = 0
const worker = async (_: unknown, slot: number): Promise<void> => {
  for (let one = open[next++]; one !== undefined; one = open[next++]) {
    const run = await runCase(one, slot)
    append(out, run)
    finished += 1
    const left = (((performance.now() - started) / finished) * (open.length - finished)) / 60_000
    console.error(
      `${finished}/${open.length} ${run.equation} noise ${run.noise} seed ${run.seed}: ` +
        `R2 ${run.r2?.toPrecision(6) ?? "-"}, ${run.seconds.toFixed(1)} s, found at ` +
        `${run.secondsToHit?.toFixed(1) ?? "-"} s, ${run.error ?? run.stop}: ${brief(run.expression)}` +
        ` (${left.toFixed(0)} min left)`,
    )
  }
}
await Promise.all(Array.from({ length: jobs }, worker))
