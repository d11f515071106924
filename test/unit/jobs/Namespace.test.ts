// A worker on a network of its own, whose cable is pulled while it has a job, on a real PostgreSQL server.
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import * as Namespace from "../../support/namespace.ts"
import * as Postgres from "../../support/postgres.ts"

/** Why the test cannot run here. */
const reason =
  Postgres.programs === undefined ? "PostgreSQL is not installed (Debian's package)" : Namespace.missing()

// The reporter says how many tests are skipped, and not why.
if (reason !== undefined) console.warn(`the test of a pulled cable is skipped: ${reason}`)

const folder = mkdtempSync(join(tmpdir(), "vasst-namespace-"))
const ends: Array<() => void> = [() => rmSync(folder, { recursive: true, force: true })]
afterAll(() => ends.toReversed().forEach((end) => end()))

/** Milliseconds for the test on a machine that is busy: nothing but conditions is waited for. */
const limit = 900_000

const program = ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning", "src/cli/main.ts"]

interface Running {
  readonly child: ChildProcess
  readonly err: () => string
  readonly ended: Promise<number | null>
}

const start = (command: string, args: ReadonlyArray<string>): Running => {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] })
  ends.push(() => void child.kill("SIGKILL"))
  let err = ""
  child.stderr.on("data", (part: Buffer) => (err += part.toString()))
  return { child, err: () => err, ended: new Promise((resolve) => child.on("close", resolve)) }
}

/** Waits for something that comes. @throws Error with what a program has said, shortly before the test is over */
const until = async (what: string, of: Running, look: () => boolean): Promise<void> => {
  const began = performance.now()
  while (!look()) {
    if (performance.now() - began > limit / 3) throw new Error(`there is no ${what}: ${of.err()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const names = ["a", "b"]
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

it(
  "a worker whose cable is pulled while it has a job writes no second result when it is back",
  { timeout: limit },
  async ({ skip }) => {
    if (reason !== undefined) return skip(reason)
    const network = Namespace.make()
    ends.push(network.remove)
    const postgres = await Postgres.make({ address: network.here, subnet: network.subnet })
    ends.push(postgres.remove)
    const vasst = (...args: ReadonlyArray<string>): Running => start(process.execPath, [...program, ...args])
    // The tables are there before any worker is.
    const url = ["--database-url", postgres.url]
    await vasst("worker", ...url, "--drain").ended
    postgres.query(`CREATE TABLE written (id TEXT, result TEXT);
    CREATE FUNCTION note() RETURNS trigger AS 'BEGIN INSERT INTO written VALUES (NEW.id, NEW.result); RETURN NEW; END' LANGUAGE plpgsql;
    CREATE TRIGGER note AFTER UPDATE ON vasst_jobs FOR EACH ROW WHEN (NEW.result IS NOT NULL) EXECUTE FUNCTION note()`)
    const working = ["--workers", "1", "--lease", "1.5", "--poll", "0.2"]
    const [command, ...args] = network.command(
      process.execPath,
      ...program,
      "worker",
      "--database-url",
      postgres.url.replace("127.0.0.1", network.here),
      ...working,
    )
    const far = start(command, args)
    const out = join(folder, "out")
    const batch = vasst("batch", list, "--out", out, ...url, "--poll", "0.2")
    const jobs = (where: string): ReadonlyArray<string> =>
      postgres.query(`SELECT id FROM vasst_jobs WHERE ${where}`)
    await until(
      "job of the far worker",
      far,
      () => jobs(`due > 0 AND worker LIKE '%:${far.child.pid}'`).length > 0,
    )
    network.cut()
    // What has left the far worker by now is with the database; nothing else comes.
    const held = jobs(`due > 0 AND worker LIKE '%:${far.child.pid}'`)
    const near = vasst("worker", ...url, ...working)
    await until(
      "end of all jobs",
      near,
      () => jobs("due IS NULL AND result IS NOT NULL").length === names.length,
    )
    expect(await batch.ended).toBe(0)
    const results = (): ReadonlyArray<string> =>
      names.map((name) => readFileSync(join(out, `${name}.json`), "utf8"))
    const before = results()
    network.heal()
    if (held.length > 0)
      await until("word of the far worker", far, () => far.err().includes("no longer this worker's"))
    for (const { child, ended } of [far, near]) {
      child.kill("SIGTERM")
      await ended
    }
    expect(postgres.query("SELECT count(*), count(DISTINCT id) FROM written")).toEqual([
      `${names.length}|${names.length}`,
    ])
    expect(results()).toEqual(before)
    // The laws are those of a machine alone.
    const alone = join(folder, "alone")
    expect(await vasst("batch", list, "--out", alone, "--workers", "1").ended).toBe(0)
    expect(names.map((name) => readFileSync(join(alone, `${name}.json`), "utf8"))).toEqual(before)
  },
)
