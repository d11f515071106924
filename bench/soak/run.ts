/**
 * One process does fits of every kind for an hour, and must be as large at its end as after its first minutes:
 *
 *     npm run soak -- [--minutes 60] [--allowed 0.05] [--interpreted] [--out FILE.jsonl] [--record]
 *
 * A round does all tasks of work.ts one after another; after it resident memory, heap, threads, open files, handles, tensors and temporary
 * files are read. It ends with code 1 where one of them has grown (verdict.ts): memory by
 * more than a share of it (--allowed) in the time after the warm-up. With --interpreted V8 compiles no JavaScript: what grows then is kept by the
 * program. --record puts the result into bench/results/limits/soak.jsonl, from which `limits:page` writes a section of docs/limits.md.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import path from "node:path"
import { setFlagsFromString } from "node:v8"
import { lines } from "../harness/lines.ts"
import { options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import { type Soaked, soakFile } from "../limits/records.ts"
import type { Meter } from "./work.ts"
import * as Residency from "./residency.ts"
import * as Verdict from "./verdict.ts"

const { values } = options(import.meta.url, {
  options: {
    minutes: { type: "string", default: "60" },
    allowed: { type: "string", default: "0.05" },
    interpreted: { type: "boolean", default: false },
    out: { type: "string" },
    record: { type: "boolean", default: false },
  },
})
const limit = 60 * Number(values.minutes)
if (values.interpreted)
  for (const compiler of ["sparkplug", "maglev", "turbofan"]) setFlagsFromString(`--no-${compiler}`)
// Modules that are loaded after the flags are not compiled.
const { tasks } = await import("./work.ts")

// Whatever is left among the temporary files is found here.
const folder = mkdtempSync(path.join(tmpdir(), "vasst-soak-"))
process.env["TMPDIR"] = folder

const seconds = (): number => performance.now() / 1000
const readings: Array<Residency.Reading> = []
const limited: Record<keyof typeof Verdict.more, Array<Verdict.Limited>> = { time: [], memory: [] }
const meter: Meter = {
  time: async (limit, run) => {
    const before = seconds()
    await run()
    limited.time.push({ limit, took: seconds() - before })
  },
  memory: (limit, took) => void limited.memory.push({ limit, took }),
}
// Fewer rounds have no slope.
const least = 4
for (let round = 0; round < least || seconds() < limit; round++) {
  const before = { time: limited.time.length, memory: limited.memory.length }
  for (const task of Object.values(tasks)) await task(round, meter)
  // The loop learns of a task's end a little later.
  await new Promise((resolve) => setTimeout(resolve, 200))
  const reading = Residency.read(seconds(), folder)
  readings.push(reading)
  const line = JSON.stringify({
    round,
    ...reading,
    time: limited.time.slice(before.time),
    memory: limited.memory.slice(before.memory),
  })
  console.log(line)
  if (values.out !== undefined) appendFileSync(values.out, `${line}\n`)
}
rmSync(folder, { recursive: true })

const { growths, complaints } = Verdict.of(readings, Number(values.allowed))
for (const { name, median, grown, hourly, allowed } of growths)
  console.log(
    `${name}: median ${median.toFixed(0)} MB, growth ${grown.toFixed(1)} MB (${hourly.toFixed(1)} MB an hour)${allowed < Infinity ? `, allowed ${allowed.toFixed(1)} MB` : ""}`,
  )
const kept = { time: Verdict.keptOf("time", limited.time), memory: Verdict.keptOf("memory", limited.memory) }
for (const [of, share] of Object.entries(Verdict.more))
  console.log(
    `${kept[of as keyof typeof kept].kept} of ${kept[of as keyof typeof kept].runs} runs with a limit of ${of} took at most ${100 * share} % more; the most is ${(100 * kept[of as keyof typeof kept].most).toFixed(0)} % of it`,
  )
for (const complaint of complaints) console.log(complaint)
console.log(
  `${readings.length} rounds of ${Object.keys(tasks).length} tasks: ${complaints.length === 0 ? "flat, nothing is left" : "not flat"}`,
)
if (values.record) {
  const line: Soaked = {
    interpreted: values.interpreted,
    minutes: Math.round(seconds() / 60),
    rounds: readings.length,
    tasks: Object.keys(tasks),
    growths: growths.map(({ name, median, grown, hourly }) => ({ name, median, grown, hourly })),
    complaints,
    ...kept,
    load: Number(loadavg()[0]!.toFixed(1)),
    by: provenance(["src", "bench/soak"]),
  }
  const others = lines<Soaked>(soakFile.pathname).filter((one) => one.interpreted !== line.interpreted)
  writeFileSync(soakFile, [...others, line].map((one) => `${JSON.stringify(one)}\n`).join(""))
}
process.exitCode = complaints.length === 0 ? 0 : 1
