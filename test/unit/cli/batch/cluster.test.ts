// A fit whose restarts are made by workers of a database, of which one is killed: all of them are processes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Needed from "../../../support/needed.ts"
import * as Postgres from "../../../support/postgres.ts"
import { endAll, limit, stop, until, vasst } from "../../../support/processes.ts"

const missing = Needed.skipped("restarts by workers of PostgreSQL", Postgres.missing)
const folder = mkdtempSync(join(tmpdir(), "vasst-cluster-"))
const ends: Array<() => void> = [endAll, () => rmSync(folder, { recursive: true, force: true })]
afterAll(() => ends.toReversed().forEach((end) => end()))

const table = join(folder, "t.csv")
const rows = Array.from({ length: 60 }, (_, i) => {
  const [a, b] = [1 + ((17 * i) % 60) / 60, 1 + ((23 * i) % 60) / 60]
  return `${a},${b},${Math.sin(3 * a) * b + a / b + 0.3 * Math.sin(37 * i * i)}`
})
writeFileSync(table, ["a,b,y", ...rows, ""].join("\n"))
// A search of some ten restarts, of half a second each: workers have restarts to make, however quick the machine.
const fit = ["fit", table, "--target", "y", "--operators", "mul,add,sin", "--trees", "1", "--depth", "3", "--effort", "2000000", "--seed", "8", "--json"] // prettier-ignore

interface Kind {
  readonly url: string
  /** Rows of a query, with `|` between values. */
  readonly query: (sql: string) => ReadonlyArray<string>
  readonly noteResults: () => void
}

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  PostgreSQL: async () => {
    const postgres = await Postgres.make()
    ends.push(postgres.remove)
    return postgres
  },
  SQLite: async () => {
    const file = join(folder, "jobs.sqlite")
    let opened: DatabaseSync | undefined
    const database = (): DatabaseSync => {
      if (opened === undefined) {
        const made = (opened = new DatabaseSync(file))
        made.exec("PRAGMA busy_timeout = 60000")
        ends.push(() => made.close())
      }
      return opened
    }
    return {
      url: `sqlite:${file}`,
      query: (sql) =>
        database()
          .prepare(sql)
          .all()
          .map((row) => Object.values(row).join("|")),
      noteResults: () =>
        database().exec(`CREATE TABLE noted (id TEXT, result TEXT);
          CREATE TRIGGER note AFTER UPDATE ON vasst_jobs WHEN NEW.result IS NOT NULL
          BEGIN INSERT INTO noted VALUES (NEW.id, NEW.result); END`),
    }
  },
}

describe("vasst fit --cluster", { timeout: limit }, () => {
  let alone = ""
  beforeAll(async () => {
    const { code, out } = await vasst(...fit, "--workers", "1").ended
    expect(code).toBe(0)
    // Restarts end at different laws: the limit of effort ends the search.
    expect(JSON.parse(out)).toMatchObject({
      stopReason: "effort",
      unseen: { restarts: expect.any(Number) },
    })
    alone = out
  }, limit)

  for (const [name, make] of Object.entries(kinds))
    it.skipIf(name === "PostgreSQL" && missing)(
      `has the bytes of one machine with workers of ${name}, of which one is killed with a restart in hand`,
      async () => {
        const { url, query, noteResults } = await make()
        const named = ["--database-url", url]
        await vasst("worker", ...named, "--drain").ended
        noteResults()
        const workers = Array.from({ length: 3 }, () =>
          vasst("worker", ...named, "--workers", "1", "--lease", "1.5", "--poll", "0.2"),
        )
        const together = vasst(...fit, "--cluster", ...named, "--workers", "4")
        const jobOf = ({ pid }: { readonly pid: number }): string | undefined =>
          query(`SELECT id FROM vasst_jobs WHERE due > 0 AND worker LIKE '%:${pid}'`)[0]
        const [killed, job] = await until("restart of a worker", () => {
          const one = workers.find(jobOf)
          if (one === undefined) return undefined
          // Frozen first: it does not end the job while it is looked at.
          one.kill("SIGSTOP")
          const own = jobOf(one)
          one.kill(own === undefined ? "SIGCONT" : "SIGKILL")
          return own !== undefined && ([one, own] as const)
        })
        // The search waits until a restart of another worker is there: on an idle machine it would end by restarts of its own.
        together.kill("SIGSTOP")
        expect(await killed.ended).toMatchObject({ code: null })
        await until("result of a worker", () => query("SELECT id FROM noted").length > 0)
        together.kill("SIGCONT")
        const { code, out } = await together.ended
        expect(code).toBe(0)
        expect(out).toBe(alone)
        // Restarts were made there, each once; that of the killed worker by another, unless the search ended without it.
        const written = query("SELECT id FROM noted")
        expect(written.length).toBeGreaterThan(0)
        expect(new Set(written).size).toBe(written.length)
        expect(
          query(`SELECT id FROM vasst_jobs WHERE id = '${job}' AND worker LIKE '%:${killed.pid}'`),
        ).toEqual([])
        await stop(workers.filter((worker) => worker !== killed))
      },
    )
})
