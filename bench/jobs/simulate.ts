/**
 * What saturates first with a thousand workers and a million jobs, by the times of bench/results/jobs.json:
 *
 *     npm run ts -- bench/jobs/simulate.ts [--jobs 1000000] [--out FILE.json]
 *
 * First the rates of one and two workers whose jobs take no time, beside those that were measured, with workers and server on the same two
 * cores. Then a server with four cores of its own, half a millisecond away, and jobs of 1 s to 1,000 s; of jobs of 1,000 s
 * a tenth of `--jobs` is simulated (100,000 of a million): they give four hundred signs of life each.
 */
import { readFileSync, writeFileSync } from "node:fs"
import * as Rng from "../../src/random/Rng.ts"
import { options } from "../harness/options.ts"
import type { Measured } from "./model.ts"
import { simulate } from "./simulation.ts"
import { checks, far } from "./networks.ts"

const { values } = options(import.meta.url, {
  options: { jobs: { type: "string", default: "1000000" }, out: { type: "string" } },
})
const file = new URL("../results/jobs.json", import.meta.url)
// Written by measure.ts.
const measured = JSON.parse(readFileSync(file, "utf8")) as Measured
const random = (name: string) => {
  const generator = Rng.generator(Rng.fold(Rng.key(1), name))
  return () => generator.next()
}

const checked = checks(measured, random("checks"))
for (const { workers, measured: rate, simulated } of checked)
  console.log(
    `${workers} workers without work: ${rate.toFixed(0)} jobs a second measured, ${simulated.toFixed(0)} simulated`,
  )

const rows = [
  [1000, 1],
  [1000, 3],
  [1000, 10],
  [1000, 100],
  [1000, 1000],
  [10_000, 100],
].map(([workers = 0, work = 0]) => {
  const jobs = Math.max(20 * workers, Number(values.jobs) / (work > 100 ? 10 : 1))
  const found = simulate(far(measured, { workers, jobs, work, random: random(`${workers} ${work}`) }))
  const row = { workers, work, jobs, ideal: workers / work, ...found }
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
  console.log(
    `${workers} workers, jobs of ${work} s: ${found.rate.toFixed(1)} of ${row.ideal.toFixed(1)} jobs a second, processors ${percent(found.cpu)}, disk ${percent(found.disk)}, ${(1000 * found.pause).toFixed(1)} ms between two jobs`,
  )
  return row
})
if (values.out !== undefined)
  writeFileSync(values.out, `${JSON.stringify({ checks: checked, rows }, null, 2)}\n`)
