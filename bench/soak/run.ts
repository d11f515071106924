/**
 * One process does fits of every kind for an hour, and must be as large at its end as after its first minutes:
 *
 *     npm run soak -- [--minutes 60] [--allowed 0.05] [--out FILE.jsonl]
 *
 * A round does all tasks of work.ts one after another; after it resident memory, heap, threads, open files, handles, tensors and temporary
 * files are read. It ends with code 1 where one of them has grown (verdict.ts): memory by
 * more than a share of it (--allowed) in the time after the warm-up.
 */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { options } from "../harness/options.ts"
import * as Residency from "./residency.ts"
import * as Verdict from "./verdict.ts"
import { tasks } from "./work.ts"

const { values } = options(import.meta.url, {
  options: {
    minutes: { type: "string", default: "60" },
    allowed: { type: "string", default: "0.05" },
    out: { type: "string" },
  },
})
const limit = 60 * Number(values.minutes)

// Whatever is left among the temporary files is found here.
const folder = mkdtempSync(path.join(tmpdir(), "vasst-soak-"))
process.env["TMPDIR"] = folder

const seconds = (): number => performance.now() / 1000
const readings: Array<Residency.Reading> = []
// Fewer rounds have no slope.
const least = 4
for (let round = 0; round < least || seconds() < limit; round++) {
  for (const task of Object.values(tasks)) await task(round)
  // What has ended is told to the loop a little later.
  await new Promise((resolve) => setTimeout(resolve, 200))
  const reading = Residency.read(seconds(), folder)
  readings.push(reading)
  const line = JSON.stringify({ round, ...reading })
  console.log(line)
  if (values.out !== undefined) appendFileSync(values.out, `${line}\n`)
}
rmSync(folder, { recursive: true })

const { growths, complaints } = Verdict.of(readings, Number(values.allowed))
for (const { name, median, grown, hourly, allowed } of growths)
  console.log(
    `${name}: median ${median.toFixed(0)} MB, growth ${grown.toFixed(1)} MB (${hourly.toFixed(1)} MB an hour), allowed ${allowed.toFixed(1)} MB`,
  )
for (const complaint of complaints) console.log(complaint)
console.log(
  `${readings.length} rounds of ${Object.keys(tasks).length} tasks: ${complaints.length === 0 ? "flat, nothing is left" : "not flat"}`,
)
process.exitCode = complaints.length === 0 ? 0 : 1
