/**
 * The paper's seven problems through `vasst fit`, with the published learning rate, with a larger one, and with no
 * training at all. Every run is one line of bench/results/reproduction.jsonl; runs that are there are not repeated.
 *
 *     node bench/reproduce.ts [--seeds 1,2,3] [--noise 0,0.1] [--rates 5e-5,1e-2,0] [--problems sim1,...] [--jobs 2]
 *
 * A rate of 0 means zero steps: the untrained control.
 */
import { spawn } from "node:child_process"
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Dataset } from "../src/runtime/Data.ts"
import { make, type Problem, problems } from "./problems.ts"
import { exactForm } from "./recovery.ts"

/** One finished run. */
export interface Run {
  readonly problem: string
  readonly noise: number
  readonly seed: number
  readonly rate: number
  readonly backend: string
  readonly expression: string
  readonly terms: ReadonlyArray<string>
  readonly exact: boolean
  readonly lmpse: number
  readonly complexity: number
  readonly rmseTrain: number
  readonly rmseTest: number
  /** CPU seconds of the whole process, start included, over all of its threads */
  readonly cpu: number
}

const results = new URL("results/reproduction.jsonl", import.meta.url).pathname

/** The runs so far. */
export const load = (): ReadonlyArray<Run> =>
  existsSync(results)
    ? readFileSync(results, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line): Run => JSON.parse(line))
    : []

const csv = ({ features, columns, y, rows }: Dataset): string =>
  [
    [...features, "y"].join(),
    ...Array.from({ length: rows }, (_, i) => [...columns.map((column) => column[i]!), y[i]!].join()),
  ].join("\n")

interface Job {
  readonly problem: Problem
  readonly noise: number
  readonly seed: number
  readonly rate: number
}

/** Reports what the process has used when it ends, on standard error. */
const meter =
  "data:text/javascript,process.on('exit',()=>{const u=process.cpuUsage();" +
  "process.stderr.write('cpu '+(u.user+u.system)/1e6+'\\n')})"

/** Runs one command and gives its standard output and the CPU seconds that it took. */
const output = (
  command: string,
  parameters: ReadonlyArray<string>,
): Promise<{ readonly text: string; readonly cpu: number }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"] })
    let out = ""
    let err = ""
    child.stdout.on("data", (chunk) => (out += String(chunk)))
    child.stderr.on("data", (chunk) => (err += String(chunk)))
    child.on("close", (code) =>
      code === 0
        ? resolve({ text: out, cpu: Number(/cpu ([\d.]+)/.exec(err)?.[1]) })
        : reject(new Error(`${command} ended with ${code}: ${err}`)),
    )
  })

const runJob = async ({ problem, noise, seed, rate }: Job): Promise<Run> => {
  const folder = mkdtempSync(join(tmpdir(), "vasst-"))
  try {
    const file = join(folder, "data.csv")
    writeFileSync(file, csv(make(problem, noise, seed).data))
    const training = rate === 0 ? ["--steps", "0"] : ["--learning-rate", String(rate)]
    const { text, cpu } = await output(process.execPath, [
      "--import",
      meter,
      new URL("../bin/vasst.mjs", import.meta.url).pathname,
      "fit",
      file,
      "--target=y",
      "--objective=elbo",
      `--operators=${problem.operators.join()}`,
      `--seed=${seed}`,
      ...training,
      "--json",
    ])
    const { best, backend } = JSON.parse(text)
    return {
      problem: problem.name,
      noise,
      seed,
      rate,
      backend,
      expression: best.expression,
      terms: best.terms,
      exact: exactForm(problem, best.terms),
      lmpse: best.lmpse,
      complexity: best.complexity,
      rmseTrain: best.rmseTrain,
      rmseTest: best.rmseTest,
      cpu,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "1,2,3" },
      noise: { type: "string", default: "0,0.1" },
      rates: { type: "string", default: "5e-5,0" },
      problems: { type: "string", default: problems.map(({ name }) => name).join() },
      jobs: { type: "string", default: "2" },
    },
  })
  const numbers = (list: string): ReadonlyArray<number> => list.split(",").map(Number)
  const done = load()
  const jobs = numbers(values.rates).flatMap((rate) =>
    numbers(values.seeds).flatMap((seed) =>
      numbers(values.noise).flatMap((noise) =>
        problems
          .filter(({ name }) => values.problems.split(",").includes(name))
          .filter(
            ({ name }) =>
              !done.some(
                (run) =>
                  run.problem === name && run.noise === noise && run.seed === seed && run.rate === rate,
              ),
          )
          .map((problem): Job => ({ problem, noise, seed, rate })),
      ),
    ),
  )
  mkdirSync(new URL("results", import.meta.url), { recursive: true })
  let next = 0
  const worker = async (): Promise<void> => {
    for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) {
      const run = await runJob(job)
      appendFileSync(results, `${JSON.stringify(run)}\n`)
      console.error(
        `${next}/${jobs.length} ${run.problem} noise ${run.noise} seed ${run.seed} rate ${run.rate}: ` +
          `${run.exact ? "exact" : "not exact"}, ${run.cpu.toFixed(1)} s of CPU, ${run.expression}`,
      )
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker))
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main()
