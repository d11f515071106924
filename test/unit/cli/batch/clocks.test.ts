// Workers whose machines have wrong clocks, as processes, on a real PostgreSQL server.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, expect, it } from "vitest"
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

const missing = Needed.skipped("workers whose clocks are wrong", Postgres.missing)
const folder = mkdtempSync(join(tmpdir(), "vasst-clocks-"))
const ends: Array<() => void> = [endAll, () => rmSync(folder, { recursive: true, force: true })]
afterAll(() => ends.toReversed().forEach((end) => end()))

const names = ["a", "b", "c"]
const list = join(folder, "list.jsonl")
for (const [k, name] of names.entries()) {
  const rows = Array.from({ length: 40 }, (_, i) => {
    const [x, z] = [1 + i / 20, 1 + ((7 * i) % 11) / 5]
    return `${x},${z},${((k + 2) * x * z + Math.sin(z)) * (1 + 0.01 * Math.sin(37 * i))}`
  })
  writeFileSync(join(folder, `${name}.csv`), ["x,z,y", ...rows, ""].join("\n"))
}
writeFileSync(
  list,
  names.map((name) => `${JSON.stringify({ data: `${name}.csv`, target: "y", effort: 20_000 })}\n`).join(""),
)

const preload = pathToFileURL(join(import.meta.dirname, "../../../support/wrongClock.mjs")).href
/** A worker whose clock is wrong by some hours. */
const wrong = (hours: number, url: string, lease: number): Running =>
  start(
    [
      ...program,
      "worker",
      "--database-url",
      url,
      "--workers",
      "1",
      "--poll",
      "0.2",
      "--lease",
      String(lease),
      "--log-format",
      "json",
    ],
    { NODE_OPTIONS: `--import=${preload}`, VASST_CLOCK_HOURS: String(hours) },
  )

/** A server with the tables of the queue, and the flag that names it. */
const served = async () => {
  const postgres = await Postgres.make()
  ends.push(postgres.remove)
  const url = ["--database-url", postgres.url]
  await vasst("worker", ...url, "--drain").ended
  return { postgres, url }
}

/** By how many hours the clock of a worker is wrong, as its logs have it. */
const hoursOf = ({ err }: Running): number => {
  const [, time = ""] = /"timestamp":"([^"]+)"/.exec(err()) ?? []
  return Math.round((Date.parse(time) - Date.now()) / 3_600_000)
}

it.skipIf(missing)(
  "workers whose clocks are an hour fast and an hour slow have each job once, and the results of right clocks",
  { timeout: limit },
  async () => {
    const { postgres, url } = await served()
    postgres.noteResults()
    // Longer than a machine may be busy, and shorter than the clocks are wrong.
    const lease = 1200
    const workers = [wrong(1, postgres.url, lease), wrong(-1, postgres.url, lease)]
    await Promise.all(workers.map(({ err }) => until("worker", () => err().includes("timestamp"))))
    expect(workers.map(hoursOf)).toEqual([1, -1])
    const out = join(folder, "out")
    const batch = vasst("batch", list, "--out", out, ...url, "--poll", "0.2")
    await Promise.all(
      workers.map(({ pid }) =>
        until("job of each worker", () => {
          const rest = postgres.query(
            `SELECT due - extract(epoch from now()) FROM vasst_jobs WHERE due > 0 AND worker LIKE '%:${pid}'`,
          )[0]
          // The lease is of the database's clock.
          if (rest !== undefined) expect(Math.abs(Number(rest) - lease / 2)).toBeLessThanOrEqual(lease / 2)
          return rest !== undefined
        }),
      ),
    )
    expect(await batch.ended).toMatchObject({ code: 0 })
    await stop(workers)
    // No lease was taken over, and none was lost.
    expect(postgres.query("SELECT DISTINCT token FROM vasst_jobs")).toEqual(["1"])
    for (const { err } of workers) expect(err()).not.toContain("left")
    expect(postgres.noted()).toHaveLength(names.length)
    expect(new Set(postgres.noted().map(({ id }) => id)).size).toBe(names.length)
    const age = "extract(epoch from now()) - ended"
    expect(postgres.query(`SELECT count(*) FROM vasst_jobs WHERE ${age} BETWEEN 0 AND 1800`)).toEqual([
      String(names.length),
    ])
    const alone = join(folder, "alone")
    expect(await vasst("batch", list, "--out", alone, "--workers", "1").ended).toMatchObject({ code: 0 })
    for (const name of names)
      expect(readFileSync(join(out, `${name}.json`), "utf8")).toBe(
        readFileSync(join(alone, `${name}.json`), "utf8"),
      )
  },
)

it.skipIf(missing)(
  "the job of a worker that is killed goes to another after its lease, and not an hour later, whoever's clock is wrong",
  { timeout: limit },
  async () => {
    const { postgres, url } = await served()
    for (const [at, hours] of [1, -1].entries()) {
      const killed = wrong(hours, postgres.url, 2)
      const one = join(folder, `one${at}.jsonl`)
      writeFileSync(one, JSON.stringify({ data: "a.csv", target: "y", effort: 20_000, seed: 7 + at }))
      const batch = vasst("batch", one, "--out", join(folder, `one${at}`), ...url, "--poll", "0.2")
      await until("job of the worker that is killed", () => {
        const found = postgres.query(
          `SELECT id FROM vasst_jobs WHERE due > 0 AND worker LIKE '%:${killed.pid}'`,
        )
        if (found.length > 0) killed.kill("SIGKILL")
        return found.length > 0
      })
      await killed.ended
      const heir = wrong(-hours, postgres.url, 2)
      // `until` waits for ten minutes at most.
      await until(
        "end of the job",
        () => postgres.query("SELECT id FROM vasst_jobs WHERE due IS NOT NULL").length === 0,
      )
      expect(await batch.ended).toMatchObject({ code: 0 })
      await stop([heir])
      expect(
        postgres.query(
          `SELECT token > 1, worker LIKE '%:${heir.pid}' FROM vasst_jobs ORDER BY place DESC LIMIT 1`,
        ),
      ).toEqual(["t|t"])
    }
  },
)
