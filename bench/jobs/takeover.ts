/**
 * The time from the death of a worker until another has its job. The worker fits in a thread for each core, so that its threads use all
 * of them; it is killed (`kill -9`) at some moment between two signs of life, in the midst of its fits. Another worker, without work, waits for its jobs.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import path from "node:path"
import { usualLease } from "../../src/cli/batch/WorkerProcess.ts"
import * as Workers from "../../src/workers/Workers.ts"
import type { Postgres } from "../../test/support/postgres.ts"
import { provenance } from "../harness/provenance.ts"
import type { Takeover } from "./model.ts"

/** The usual time between two looks for jobs. */
const poll = 1

const vasst = (...args: ReadonlyArray<string>): ChildProcess =>
  spawn(
    process.execPath,
    ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning", "src/cli/main.ts", ...args],
    { stdio: ["ignore", "ignore", "pipe"] },
  )
/** Waits until a program has said something: a busy machine starts it slowly. */
const heard = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.stderr?.once("data", resolve))
const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => child.on("close", resolve))
    : Promise.resolve()
const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * seconds))

/** @param deaths workers that are killed, one after another */
export const measure = async (postgres: Postgres, deaths: number): Promise<Takeover> => {
  const load = loadavg()[0] ?? null
  const folder = mkdtempSync(path.join(tmpdir(), "vasst-takeover-"))
  const rows = Array.from({ length: 300 }, (_, i) => {
    const [a, b] = [1 + (i % 23) / 7, 1 + (i % 17) / 5]
    return `${a},${b},${Math.sin(a) * b + (((i * 7919) % 101) - 50) / 50}`
  })
  writeFileSync(path.join(folder, "t.csv"), ["a,b,y", ...rows, ""].join("\n"))
  const list = path.join(folder, "list.jsonl")
  const cores = Workers.cores()
  // Fits that do not end before their workers do.
  const jobs = Array.from({ length: cores }, (_, seed) =>
    JSON.stringify({ data: "t.csv", target: "y", effort: 1e9, seed }),
  )
  writeFileSync(list, jobs.join("\n"))
  // Each change of a job, by the database's clock.
  postgres.query(`CREATE TABLE told (at float8, death INTEGER, id TEXT, token INTEGER);
    CREATE FUNCTION tell() RETURNS trigger AS 'BEGIN INSERT INTO told SELECT extract(epoch from clock_timestamp()), max(number), NEW.id, NEW.token FROM deaths; RETURN NEW; END' LANGUAGE plpgsql;
    CREATE TABLE deaths (number INTEGER);
    CREATE TRIGGER tell AFTER UPDATE ON vasst_jobs FOR EACH ROW EXECUTE FUNCTION tell()`)
  const url = ["--database-url", postgres.url]
  const worker = (): ChildProcess => vasst("worker", ...url, "--workers", String(cores))
  const number = (sql: string): number => Number(postgres.query(sql)[0])
  const until = async (sql: string): Promise<void> => {
    while (number(sql) < cores) {
      if (number("SELECT count(*) FROM vasst_jobs WHERE due IS NULL") > 0)
        throw new Error("a fit has ended before its worker died; give it a table that it takes longer for")
      await sleep(0.2)
    }
  }
  /** The seconds from the death of a worker until another has one of its jobs, with a queue of its own: a fit may end in minutes. */
  const once = async (death: number): Promise<number> => {
    postgres.query(`TRUNCATE vasst_jobs, vasst_data; INSERT INTO deaths VALUES (${death})`)
    const asked = vasst("batch", list, ...url)
    const dying = worker()
    const children = [asked, dying]
    try {
      await until(`SELECT count(*) FROM vasst_jobs WHERE worker LIKE '%:${dying.pid}'`)
      const next = worker()
      children.push(next)
      await heard(next)
      // Between the signs of life, one way and another.
      await sleep(2 * usualLease + (death * usualLease) / deaths)
      dying.kill("SIGKILL")
      const died = number("SELECT extract(epoch from clock_timestamp())")
      await ended(dying)
      const taken = `FROM told WHERE death = ${death} AND token = 2`
      await until(`SELECT count(DISTINCT id) ${taken}`)
      return number(`SELECT min(at) ${taken}`) - died
    } finally {
      for (const child of children) {
        child.kill("SIGKILL")
        await ended(child)
      }
    }
  }
  const seconds: Array<number> = []
  try {
    for (let death = 0; death < deaths; death++) seconds.push(await once(death))
  } finally {
    rmSync(folder, { recursive: true })
  }
  const silences = `SELECT at - lag(at) OVER (PARTITION BY death, id, token ORDER BY at) AS silence FROM told`
  const [silence, signs] = ["max", "count"].map((of) =>
    number(`SELECT ${of}(silence) FROM (${silences}) AS all_silences`),
  )
  // The measurements that follow are not told.
  postgres.query("DROP TRIGGER tell ON vasst_jobs; DROP TABLE told, deaths")
  return {
    with: provenance(["src/jobs", "src/cli/batch", "bench/jobs"]),
    load,
    lease: usualLease,
    poll,
    seconds,
    silence: silence ?? 0,
    signs: signs ?? 0,
  }
}
