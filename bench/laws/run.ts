/**
 * Laws to be found by the command `vasst fit` with no options but target and time, each in a process of its own:
 *
 *     npm run laws -- --set srsd-easy|measured|... [--noise 0,0.01] [--seeds 1] [--time 30] [--jobs 1] [--cores 1]
 *                     [--groups 10] [--only NAME,...] [--solver vasst] [--out file.jsonl] [--again]
 *
 * Every run is one line of the file (`Run` of record.ts), bench/results/laws/SET-SOLVER.jsonl by default, with the ten best
 * laws and the judge's verdict on each: bench/judge/laws.py, which needs Python with SymPy and NumPy (PEERS_HOME/venv, or
 * python3). Runs that are there are not repeated; `--again` judges those in the file again, and runs none. `--cores` is the
 * number of processors that each process has, `--groups` that of the groups in a set with groups (class-sr). Other systems (gplearn, pyoperon_mdl, bms, rils) need PEERS_HOME and
 * PEERS_SCRIPTS: see bench/peers/laws.py.
 */
import { renameSync, rmSync } from "node:fs"
import { each } from "../harness/jobs.ts"
import { append } from "../harness/lines.ts"
import { complain, named, numbers, options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import { attempt } from "./attempt.ts"
import { judge } from "./judge.ts"
import { placeOf, type Run, runsIn, type Task } from "./record.ts"
import { caseOf, isMeasured, perGroupOf, setOf } from "./sets.ts"
import { solvers } from "./solvers.ts"
import { beside, summary } from "./summary.ts"

const { values } = options(import.meta.url, {
  options: {
    set: { type: "string", default: "measured" },
    noise: { type: "string", default: "0" },
    seeds: { type: "string", default: "1" },
    time: { type: "string", default: "30" },
    jobs: { type: "string", default: "1" },
    cores: { type: "string", default: "1" },
    groups: { type: "string", default: "10" },
    only: { type: "string" },
    solver: { type: "string", default: "vasst" },
    out: { type: "string" },
    again: { type: "boolean", default: false },
  },
})

const set = named(() => setOf(values.set))
const chosen = values.only?.split(",").map((name) => named(() => caseOf(set, name))) ?? set.cases
const solver = solvers[values.solver]
if (solver === undefined)
  complain(`there is no solver ${values.solver}; there are ${Object.keys(solvers).join(", ")}`)
const noises = numbers("noise", values.noise)
const seeds = numbers("seeds", values.seeds)
const [budget = 30] = numbers("time", values.time)
const [jobs = 1] = numbers("jobs", values.jobs)
const [cores = 1] = numbers("cores", values.cores)
const counts = numbers("groups", values.groups)
const out =
  values.out ?? new URL(`../results/laws/${set.name}-${values.solver}.jsonl`, import.meta.url).pathname

const runs = runsIn(out)
const judges = Array.from({ length: Math.max(1, jobs) }, (_, slot) => judge(slot * cores))

/** Judges all runs of the file again; the file is there as a whole or not at all. */
const again = async (): Promise<void> => {
  const part = `${out}.part`
  rmSync(part, { force: true })
  await each(runs.lines(), { jobs: 1, title: "", say: console.error }, async (run) => {
    const one = await judges[0]!.judged(set, caseOf(set, run.case), run)
    append(part, one)
    return told(one)
  })
  renameSync(part, out)
}

const shown = (text: string): string => {
  const plain = text
    .replaceAll(/Symbol\('([^']*)'\)/g, "$1")
    .replaceAll(/\d+\.\d+(e[+-]?\d+)?/g, (digits) => String(Number(Number(digits).toPrecision(5))))
  return plain.length > 110 ? `${plain.slice(0, 107)}...` : plain
}

const told = (run: Run): string => {
  const [best] = run.answers
  const place = placeOf(run)
  const probability = best?.probability === null ? "" : ` (${best?.probability.toFixed(3)})`
  return (
    `${run.case}${run.noise === 0 ? "" : ` noise ${run.noise}`}: ${place === undefined ? "no law" : `law at ${place}`}` +
    `${place === 1 ? "" : ` [${best?.verdict?.kind ?? "-"}]`}, ${run.wall.toFixed(1)} s, ${run.error ?? run.stop}: ` +
    `${shown(best?.expression ?? "-")}${probability}`
  )
}

const fresh = async (): Promise<void> => {
  const other = runs.lines().find((run) => run.budget !== budget)
  if (other !== undefined)
    complain(`${out} holds runs of ${other.budget} s; give another file for runs of ${budget} s`)
  const tasks = chosen.flatMap((one) => {
    // Noise and seeds of the data mean nothing to measured rows.
    const levels = isMeasured(one) ? [0] : noises
    return levels.flatMap((noise) =>
      seeds.flatMap((seed) => {
        const task: Task = { set: set.name, solver: values.solver, case: one.name, noise, seed, cores }
        return perGroupOf(one) === undefined ? [task] : counts.map((groups): Task => ({ ...task, groups }))
      }),
    )
  })
  const open = runs.open(tasks)
  if (open.length < tasks.length) console.error(`${tasks.length - open.length} of ${tasks.length} are there`)
  const by = provenance(["src", "bench/laws", "bench/harness", "bench/peers"])
  await each(open, { jobs, title: "", say: console.error }, async (task, slot) => {
    const one = caseOf(set, task.case)
    const run = await judges[slot]!.judged(
      set,
      one,
      await attempt(solver, task, set, one, { budget, by, slot }),
    )
    runs.add(run)
    return told(run)
  })
}

await (values.again ? again() : fresh())
for (const { end } of judges) end()
const own = runs.lines().filter((run) => run.set === set.name)
console.log(summary(own))
if (set.published !== undefined) console.log(beside(set.published, own))
