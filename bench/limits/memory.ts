/**
 * How well `--memory` is kept: runs `vasst fit TABLE --target y --effort N --memory SIZE` with and without its limit, and writes
 * bench/results/limits/memory.jsonl:
 *
 *     npm run build && npm run --silent ts -- bench/limits/memory.ts [--only NAME]
 *
 * `limits:page` writes the table of docs/limits.md from it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lines } from "../harness/lines.ts"
import { options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import { lawOf, vasst } from "./measure.ts"
import { type Bounded, memoryFile } from "./records.ts"
import { plain, write } from "./tables.ts"

const { values } = options(import.meta.url, { options: { only: { type: "string" } } })

const cases = [
  { table: plain(200, 3), effort: 400_000, stream: "auto", limits: [150e6, 180e6, 250e6] },
  { table: plain(200, 1000), effort: 200_000, stream: "auto", limits: [340e6] },
  { table: plain(10_000, 20), effort: 300_000, stream: "auto", limits: [290e6, 450e6] },
  { table: plain(1_000_000, 5), effort: 50_000, stream: "auto", limits: [300e6] },
  { table: plain(1_000_000, 5), effort: 50_000, stream: "never", limits: [500e6, 760e6] },
  { table: plain(1_000_000, 20), effort: 300_000, stream: "auto", limits: [300e6] },
] as const

const folder = mkdtempSync(join(tmpdir(), "vasst-limits-"))
mkdirSync(new URL(".", memoryFile), { recursive: true })
const found = lines<Bounded>(memoryFile.pathname).filter(
  ({ table }) => values.only !== undefined && table !== values.only,
)
try {
  for (const { table, effort, stream, limits } of cases) {
    if (values.only !== undefined && table.name !== values.only) continue
    const file = join(folder, "table.csv")
    write(table, file)
    const run = (...more: ReadonlyArray<string>) =>
      vasst(["fit", file, "--target", "y", "--effort", String(effort), "--stream", stream, ...more])
    const free = await run()
    const law = lawOf(free.stdout)
    for (const limit of limits) {
      const { code, stdout, stderr, megabytes, seen, seconds, cpu } = await run(
        "--memory",
        `${limit / 1e6}MB`,
      )
      // What grows between two looks from outside is not seen; what the process does not tell is a mistake of it.
      if (seen > 1.02 * megabytes && megabytes > 0)
        throw new Error(
          `${table.name}: ${seen} MiB are seen from outside, and the process tells ${megabytes}`,
        )
      const own = lawOf(stdout)
      const line: Bounded = {
        table: table.name,
        rows: table.rows,
        features: table.features,
        limit,
        stream,
        effort,
        peak: Math.round(2 ** 20 * megabytes),
        seen: Math.round(2 ** 20 * seen),
        without: Math.round(2 ** 20 * free.megabytes),
        seconds: Number(seconds.toFixed(1)),
        cpu: Number(cpu.toFixed(1)),
        outcome:
          code !== 0
            ? "refused"
            : stdout.includes("its limit of memory")
              ? "cut off"
              : own === law
                ? "the same"
                : "other",
        law: own,
        inParts: stderr.includes("read in parts"),
        by: provenance(["src", "bin"]),
      }
      console.log(JSON.stringify(line))
      found.push(line)
      writeFileSync(memoryFile, found.map((one) => `${JSON.stringify(one)}\n`).join(""))
    }
  }
} finally {
  rmSync(folder, { recursive: true })
}
