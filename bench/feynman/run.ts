/**
 * Equations to be found, several at a time, each in a process of its own on one processor:
 *
 *     node bench/feynman/run.ts [--set feynman|paper] [--noise 0,0.001] [--seeds 1] [--time 60] [--jobs 2]
 *                               [--only I.6.2,...] [--solver vasst] [--units] [--out file.jsonl]
 *
 * Every run is one line of the file (`Run` of record.ts), bench/results/SET-SOLVER.jsonl by default; runs that are there
 * are not repeated. A search has `--time` seconds and should end by itself; its process, start and all, is killed 15 s
 * after that. With `--units` the search knows the units of the columns: that is the solver vasst-units. Other solvers need PEERS_HOME and PEERS_SCRIPTS: see bench/peers/feynman.py.
 */
import { each } from "../harness/jobs.ts"
import { complain, named, numbers, options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import { attempt } from "./attempt.ts"
import { benchmark, equation } from "./equations.ts"
import { type Case, type Run, runsIn, secondsToHit } from "./record.ts"
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
    units: { type: "boolean", default: false },
    out: { type: "string" },
  },
})

const chosen = named(() => benchmark(values.set))
const names = values.only?.split(",") ?? chosen.equations.map(({ name }) => name)
for (const name of names) named(() => equation(chosen, name))
const solverName = values.units ? `${values.solver}-units` : values.solver
const solver = solvers[solverName]
if (solver === undefined)
  complain(`there is no solver ${solverName}; there are ${Object.keys(solvers).join(", ")}`)
const paper = chosen.name === "paper"
const noises = numbers("noise", values.noise ?? (paper ? "0,0.1,0.2" : "0,0.001,0.01,0.1"))
const seeds = numbers("seeds", values.seeds ?? (paper ? "1,2,3,4,5,6,7,8,9,10" : "1"))
const [budget = 60] = numbers("time", values.time)
const [jobs = 1] = numbers("jobs", values.jobs)
const out = values.out ?? new URL(`../results/${chosen.name}-${solverName}.jsonl`, import.meta.url).pathname

const runs = runsIn(out)
const other = runs.lines().find((run) => run.solver === solverName && run.budget !== budget)
if (other !== undefined)
  complain(`${out} holds runs of ${other.budget} s; give another file for runs of ${budget} s`)
const cases = noises.flatMap((noise) =>
  seeds.flatMap((seed) =>
    names.map((name): Case => ({ set: chosen.name, solver: solverName, equation: name, noise, seed })),
  ),
)
const open = runs.open(cases)
if (open.length < cases.length) console.error(`${cases.length - open.length} of ${cases.length} are there`)

const by = provenance(["src", "bench/feynman", "bench/harness", "bench/library", "bench/peers"])

const runCase = async (one: Case, slot: number): Promise<Run> => {
  const task: Task = { ...one, benchmark: chosen, seconds: budget }
  const { improvements, ending, killed, error, wall } = await attempt(solver(task), slot, budget + grace)
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
    ...(ending?.probability !== undefined && { probability: ending.probability }),
    ...(error === undefined ? {} : { error }),
    by,
  }
}

const brief = (text: string): string => (text.length > 100 ? `${text.slice(0, 97)}...` : text)

await each(open, { jobs, title: "", say: console.error }, async (one, slot) => {
  const run = await runCase(one, slot)
  runs.add(run)
  return (
    `${run.equation} noise ${run.noise} seed ${run.seed}: ` +
    `R2 ${run.r2?.toPrecision(6) ?? "-"}, ${run.seconds.toFixed(1)} s, found at ` +
    `${run.secondsToHit?.toFixed(1) ?? "-"} s, ${run.error ?? run.stop}: ${brief(run.expression)}`
  )
})
