/**
 * How well `--time` is kept: runs `vasst fit TABLE --target y --time SECONDS` on tables of many sizes and writes bench/results/limits/time.jsonl:
 *
 *     npm run build && npm run --silent ts -- bench/limits/time.ts [--only NAME] [--repeat 3]
 *
 * `limits:page` writes the table of docs/limits.md from it. Lines of the same table and limit that are there already are replaced.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { lines } from "../harness/lines.ts"
import { options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import { lawOf, vasst } from "./measure.ts"
import { type Timed, timesFile } from "./records.ts"
import { plain, type Table, write } from "./tables.ts"

const { values } = options(import.meta.url, {
  options: { only: { type: "string" }, repeat: { type: "string", default: "3" } },
})

interface Case {
  readonly table: Table
  /** limits that make sense for it */
  readonly limits: ReadonlyArray<number>
  /** further options */
  readonly options?: string
}

const deep = "--trees 50 --depth 10"
const cases: ReadonlyArray<Case> = [
  { table: plain(6, 2), limits: [1, 5, 20] },
  { table: plain(200, 3), limits: [1, 5, 20] },
  { table: plain(10_000, 20), limits: [1, 5, 20] },
  { table: plain(1_000_000, 5), limits: [1, 5, 20] },
  { table: plain(1_000_000, 20), limits: [5, 20] },
  { table: plain(200, 1000), limits: [1, 5, 20] },
  { table: plain(200, 3), limits: [2, 5], options: deep },
  { table: plain(10_000, 20), limits: [2, 5], options: deep },
  { table: plain(200, 3), limits: [2, 20], options: `${deep} --objective elbo` },
].filter(({ table }) => values.only === undefined || table.name === values.only)

const folder = mkdtempSync(join(tmpdir(), "vasst-limits-"))
mkdirSync(new URL(".", timesFile), { recursive: true })
let known = lines<Timed>(timesFile.pathname)
try {
  for (const { table, limits, options } of cases) {
    const file = join(folder, "table.csv")
    write(table, file)
    for (const limit of limits) {
      const runs = []
      // The middle one of an odd number: other programs take turns on the processors.
      for (let run = 0; run < (limit > 5 ? 1 : Number(values.repeat)); run++)
        runs.push(
          await vasst([
            "fit",
            file,
            "--target",
            "y",
            "--time",
            String(limit),
            ...(options?.split(" ") ?? []),
          ]),
        )
      runs.sort((a, b) => a.seconds - b.seconds)
      const middle = runs[runs.length >> 1]!
      if (middle.code !== 0) throw new Error(`${table.name}: ${middle.stderr}`)
      const line: Timed = {
        table: table.name,
        rows: table.rows,
        features: table.features,
        ...(options !== undefined && { options }),
        limit,
        runs: runs.length,
        seconds: Number(middle.seconds.toFixed(2)),
        most: Number(runs.at(-1)!.seconds.toFixed(2)),
        cpu: Number(middle.cpu.toFixed(2)),
        megabytes: Math.round(middle.megabytes),
        law: lawOf(middle.stdout),
        load: Number(loadavg()[0]!.toFixed(1)),
        by: provenance(["src", "bin"]),
      }
      console.log(JSON.stringify(line))
      const isSame = (one: Timed): boolean =>
        one.table === line.table && one.limit === limit && one.options === options
      known = [...known.filter((one) => !isSame(one)), line]
      writeFileSync(timesFile, known.map((one) => `${JSON.stringify(one)}\n`).join(""))
    }
  }
} finally {
  rmSync(folder, { recursive: true })
}
