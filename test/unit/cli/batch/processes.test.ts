// Workers as processes that are killed, frozen and cut off from their database, on a real PostgreSQL server.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run as here } from "../../../support/cli.ts"
import * as Needed from "../../../support/needed.ts"
import * as Postgres from "../../../support/postgres.ts"
import {
  endAll,
  limit,
  program,
  type Running,
  start,
  stop,
  until,
  vasst,
} from "../../../support/processes.ts"

const missing = Needed.skipped("workers that are killed and frozen", Postgres.missing)
const folder = mkdtempSync(join(tmpdir(), "vasst-batch-"))
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

const laws: ReadonlyArray<(x: number, z: number) => number> = [
  (x, z) => x * z,
  (x, z) => x * x + z,
  (x, z) => Math.sin(3 * x) * z,
  (x, z) => x / z,
]
const list = join(folder, "list.jsonl")
const jobs = laws.length

beforeAll(() => {
  for (const [k, law] of laws.entries()) {
    const rows = Array.from({ length: 40 }, (_, i) => {
      const [x, z] = [1 + i / 20, 1 + ((7 * i) % 11) / 5]
      return `${x},${z},${law(x, z) * (1 + 0.01 * Math.sin(37 * i))}`
    })
    writeFileSync(join(folder, `d${k}.csv`), ["x,z,y", ...rows, ""].join("\n"))
  }
  writeFileSync(
    list,
    laws.map((_, k) => JSON.stringify({ data: `d${k}.csv`, target: "y", effort: 30_000 })).join("\n"),
  )
})

/** The results of a folder. */
const results = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(out)
      .filter((name) => !name.startsWith("jobs.sqlite"))
      .map((name) => [name, readFileSync(join(out, name), "utf8")]),
  )

describe("a list of data sets", { timeout: limit }, () => {
  const alone = join(folder, "alone")

  it("is worked off here, and each result is that of vasst fit", async () => {
    const batch = await vasst("batch", list, "--out", alone, "--workers", "2").ended
    expect(batch).toMatchObject({ code: 0, err: "" })
    expect(batch.out).toBe(`4 data sets: 4 done; ${join(alone, "results.csv")}\n`)
    const fit = ["fit", join(folder, "d2.csv"), "--target", "y", "--effort", "30000", "--json"]
    expect(results(alone)["d2.json"]).toBe((await vasst(...fit).ended).out)
    const status = await vasst("status", "--database-url", `sqlite:${join(alone, "jobs.sqlite")}`, "--json")
      .ended
    expect(JSON.parse(status.out)).toMatchObject({ jobs: [{ done: 4, waiting: 0, failed: 0 }], workers: [] })
  })

  it("names what is wrong with a data set, and does the others", async () => {
    const bad = join(folder, "bad.jsonl")
    writeFileSync(
      bad,
      [
        '{"data": "no.csv", "target": "y"}',
        '{"data": "d0.csv", "target": "q"}',
        '{"data": "d0.csv", "target": "y", "operators": ["no"]}',
        '{"data": "d1.csv", "target": "y"}',
      ].join("\n"),
    )
    const { code, out, err } = await vasst("batch", bad, "--effort", "500", "--workers", "1").ended
    expect(code).toBe(1)
    expect(err).toMatch(/^vasst: 3 of 4 data sets failed, the first is no: .*no\.csv: .*\n$/)
    expect(out.split("\n").map((line) => line.split(",")[0])).toEqual(["name", "no", "d0", "d0-2", "d1", ""])
    expect(out).toContain('there is no column ""q""')
    expect(out).toContain('there is no operator ""no""')
  })

  it.skipIf(missing)(
    "is done once and to the byte, although a worker is killed, another freezes, and the database crashes",
    async () => {
      const postgres = await Postgres.make()
      try {
        const url = ["--database-url", postgres.url]
        await vasst("worker", ...url, "--drain").ended
        postgres.noteResults()
        const out = join(folder, "many")
        mkdirSync(out)
        const batch = vasst("batch", list, "--out", out, ...url, "--poll", "0.2")
        const workers = Array.from({ length: 3 }, () =>
          vasst("worker", ...url, "--workers", "1", "--lease", "1.5", "--poll", "0.2"),
        )
        // One that begins while there is no database ends: it may have the wrong address.
        await until("word of each worker", () =>
          workers.every((worker) => worker.err().includes("worker of vasst")),
        )
        /** The job that a worker has, by its lease. */
        const jobOf = ({ pid }: Running): string | undefined =>
          postgres.query(`SELECT id FROM vasst_jobs WHERE due > 0 AND worker LIKE '%:${pid}'`)[0]
        const killed = await until("job of a worker", () => workers.find(jobOf))
        killed.kill("SIGKILL")
        // A worker may end its job, or be on its way to, while it is frozen: then it is another's turn.
        const [frozen, job] = await until("job of a frozen worker", () => {
          const one = workers.find((worker) => worker !== killed && jobOf(worker))
          if (one === undefined) return undefined
          one.kill("SIGSTOP")
          while (
            postgres.query(
              "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND application_name = 'vasst'",
            ).length > 0
          );
          const own = jobOf(one)
          if (own === undefined) one.kill("SIGCONT")
          return own === undefined ? undefined : ([one, own] as const)
        })
        postgres.crash()
        postgres.start()
        // The third has the jobs of both after their leases.
        await until(
          "end of the frozen worker's job",
          () => postgres.query(`SELECT id FROM vasst_jobs WHERE id = '${job}' AND due IS NULL`).length > 0,
        )
        frozen.kill("SIGCONT")
        await until("word of the worker that wakes", () => frozen.err().includes("no longer this worker's"))
        expect(await batch.ended).toMatchObject({ code: 0 })
        expect(results(out)).toEqual(results(alone))
        const ids = postgres.noted().map(({ id }) => id)
        expect(ids).toHaveLength(jobs)
        expect(new Set(ids).size).toBe(jobs)
        await stop(workers)
        for (const { err } of workers) expect(err()).not.toContain("s3cret")
      } finally {
        postgres.remove()
      }
    },
  )

  it.skipIf(missing)(
    "talks with its database in TLS, in every mode only with the server that was named",
    async () => {
      const postgres = await Postgres.make()
      try {
        const asked = (url: string, mode: string) => [
          "status",
          "--database-url",
          `${url}${mode && `?sslmode=${mode}`}`,
        ]
        /** In this process, which trusts no authority of its own. */
        const status = (url: string, mode: string) => here(asked(url, mode))
        const strict = ["require", "verify-ca", "verify-full"]
        const modes = [...strict, "prefer"]
        const none = "there are no jobs\n"
        // A server without TLS.
        for (const mode of ["", "prefer"])
          expect([mode, await status(postgres.url, mode)]).toEqual([
            mode,
            { code: 0, stdout: none, stderr: "" },
          ])
        for (const mode of strict) {
          const { code, stderr } = await status(postgres.url, mode)
          expect([mode, code, stderr]).toEqual([mode, 1, expect.stringContaining("Server refused TLS")])
        }
        // A server that takes nothing else.
        const authority = { NODE_EXTRA_CA_CERTS: postgres.secure() }
        const named = postgres.url.replace("127.0.0.1", "localhost")
        expect((await status(named, "")).stderr).toMatch(/no pg_hba\.conf entry .*no encryption/)
        for (const mode of modes) {
          const unknown = await status(named, mode)
          expect([mode, unknown.code, unknown.stderr]).toEqual([
            mode,
            1,
            expect.stringMatching(/^vasst: postgres:\/\/jobs@localhost:\d+\/postgres: .*certificate/),
          ])
          const [same, other] = await Promise.all(
            [named, postgres.url].map((url) => start([...program, ...asked(url, mode)], authority).ended),
          )
          expect([mode, same]).toEqual([mode, { code: 0, out: none, err: "" }])
          expect([mode, other?.code, other?.err]).toEqual([
            mode,
            1,
            expect.stringContaining("does not match certificate"),
          ])
        }
      } finally {
        postgres.remove()
      }
    },
  )
})
