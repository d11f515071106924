/**
 * What `vasst fit TABLE --target y --effort N --workers 1` says of the hard tables (hard.ts), and what it takes; writes
 * bench/results/limits/stress.jsonl:
 *
 *     npm run build && npm run --silent ts -- bench/limits/stress.ts [--only NAME]
 *
 * `limits:page` writes the table of docs/limits.md from it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lines } from "../harness/lines.ts"
import { options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import * as Hard from "./hard.ts"
import { vasst } from "./measure.ts"
import { type Stressed, stressFile } from "./records.ts"
import { write } from "./tables.ts"

const { values } = options(import.meta.url, { options: { only: { type: "string" } } })
const folder = mkdtempSync(join(tmpdir(), "vasst-limits-"))
mkdirSync(new URL(".", stressFile), { recursive: true })
let known = lines<Stressed>(stressFile.pathname)
try {
  for (const table of Hard.all.filter(({ name }) => values.only === undefined || name === values.only)) {
    const file = join(folder, `${table.rows}x${table.features}.csv`)
    write(table, file)
    const args = ["fit", file, "--target", "y", "--effort", String(table.effort), "--workers", "1"]
    const { code, stdout, stderr, cpu, seconds, megabytes } = await vasst([...args, ...(table.args ?? [])])
    if (code !== 0) throw new Error(`${table.name}: ${stderr}`)
    const [ranking = "", below = ""] = stdout.split(/\n\n/)
    const cells = (ranking.split("\n")[1] ?? "").trim().split(/ {2,}/)
    const line: Stressed = {
      name: table.name,
      law: cells.at(-1) ?? "",
      probability: cells[2] ?? "",
      lines: below.trim().split("\n").slice(1),
      cpu: Number(cpu.toFixed(1)),
      seconds: Number(seconds.toFixed(1)),
      peak: Math.round(2 ** 20 * megabytes),
      by: provenance(["src", "bin"]),
    }
    console.log(JSON.stringify(line))
    known = [...known.filter(({ name }) => name !== line.name), line]
    writeFileSync(stressFile, known.map((one) => `${JSON.stringify(one)}\n`).join(""))
  }
} finally {
  rmSync(folder, { recursive: true })
}
