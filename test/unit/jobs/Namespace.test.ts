// A worker on a network of its own, whose cable is pulled while it has a job, on a real PostgreSQL server.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import * as Namespace from "../../support/namespace.ts"
import * as Needed from "../../support/needed.ts"
import * as Postgres from "../../support/postgres.ts"
import { endAll, limit, program, start, stop, until, vasst } from "../../support/processes.ts"

const missing = Needed.skipped("a worker whose cable is pulled", Postgres.missing ?? Namespace.missing())

const folder = mkdtempSync(join(tmpdir(), "vasst-namespace-"))
const ends: Array<() => void> = [endAll, () => rmSync(folder, { recursive: true, force: true })]
afterAll(() => ends.toReversed().forEach((end) => end()))

const names = ["a", "b", "c"]
const list = join(folder, "list.jsonl")
for (const [k, name] of names.entries()) {
  const rows = Array.from({ length: 40 }, (_, i) => [1 + i / 20, 1 + ((7 * i) % 11) / 5] as const)
  const y = (x: number, z: number, i: number): number =>
    ((k + 2) * x * z + Math.sin(z)) * (1 + 0.01 * Math.sin(37 * i))
  writeFileSync(
    join(folder, `${name}.csv`),
    ["x,z,y", ...rows.map(([x, z], i) => `${x},${z},${y(x, z, i)}`), ""].join("\n"),
  )
}
writeFileSync(
  list,
  names.map((name) => `${JSON.stringify({ data: `${name}.csv`, target: "y", effort: 40_000 })}\n`).join(""),
)

it.skipIf(missing)(
  "a worker whose cable is pulled while it has a job writes no second result when it is back",
  { timeout: limit },
  async () => {
    const network = Namespace.make()
    ends.push(network.remove)
    const postgres = await Postgres.make({ address: network.here, subnet: network.subnet })
    ends.push(postgres.remove)
    // The tables are there before any worker is.
    const url = ["--database-url", postgres.url]
    await vasst("worker", ...url, "--drain").ended
    postgres.noteResults()
    const working = ["--workers", "1", "--lease", "1.5", "--poll", "0.2"]
    const far = start(
      network.command(
        ...program,
        "worker",
        "--database-url",
        postgres.url.replace("127.0.0.1", network.here),
        ...working,
      ),
    )
    const out = join(folder, "out")
    const batch = vasst("batch", list, "--out", out, ...url, "--poll", "0.2")
    const jobs = (where: string): ReadonlyArray<string> =>
      postgres.query(`SELECT id FROM vasst_jobs WHERE ${where}`)
    const held = (): ReadonlyArray<string> => jobs(`due > 0 AND worker LIKE '%:${far.pid}'`)
    const busy = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND application_name = 'vasst'"
    const [job] = await until("job of the far worker", () => {
      if (held().length === 0) return undefined
      // It is frozen while the cable is pulled: a job that it has when its statements have been heard is one whose end nobody hears of.
      far.kill("SIGSTOP")
      network.cut()
      while (postgres.query(busy).length > 0);
      const own = held()
      if (own.length === 0) network.heal()
      far.kill("SIGCONT")
      return own.length > 0 && own
    })
    const near = vasst("worker", ...url, ...working)
    await until("end of all jobs", () => jobs("due IS NULL AND result IS NOT NULL").length === names.length)
    expect(await batch.ended).toMatchObject({ code: 0 })
    // The job that was cut off has been the near worker's, too.
    expect(jobs(`id = '${job}' AND token > 1 AND worker LIKE '%:${near.pid}'`)).toEqual([job])
    const results = (): ReadonlyArray<string> =>
      names.map((name) => readFileSync(join(out, `${name}.json`), "utf8"))
    const before = results()
    network.heal()
    await until("word of the far worker", () => far.err().includes("no longer this worker's"))
    await stop([far, near])
    expect(
      postgres
        .noted()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([...jobs("TRUE")].toSorted())
    expect(results()).toEqual(before)
    // The laws are those of a machine alone.
    const alone = join(folder, "alone")
    expect(await vasst("batch", list, "--out", alone, "--workers", "1").ended).toMatchObject({ code: 0 })
    expect(names.map((name) => readFileSync(join(alone, `${name}.json`), "utf8"))).toEqual(before)
  },
)
