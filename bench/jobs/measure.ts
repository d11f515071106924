/**
 * What the queue of jobs costs on PostgreSQL, for docs/how-to/many-machines.md and for simulate.ts:
 *
 *     npm run ts -- bench/jobs/measure.ts --out bench/results/jobs.json [--jobs 1500] [--fits 16] [--deaths 5] [--again fits|takeover]
 *
 * Starts a server of its own on this machine (Debian's package). Measures each statement alone, jobs that take no time with one and two
 * workers, and fits of `--effort 20000` on one and two cores. Rates are those of the best of three runs: others may use the machine, too.
 * With `--again fits` the rest of the file stays as it is; `fitsWith` tells when the fits were timed. `--again takeover` does so with the time to
 * notice a worker that has died.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import path from "node:path"
import * as Effect from "effect/Effect"
import * as Database from "../../src/jobs/Database.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Queue from "../../src/jobs/Queue.ts"
import * as Postgres from "../../test/support/postgres.ts"
import { complain, options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import { median } from "../harness/statistics.ts"
import type { Measured, Statement } from "./model.ts"
import * as Server from "./server.ts"
import * as Takeover from "./takeover.ts"

const { values } = options(import.meta.url, {
  options: {
    out: { type: "string" },
    jobs: { type: "string", default: "1500" },
    fits: { type: "string", default: "16" },
    deaths: { type: "string", default: "5" },
    again: { type: "string" },
  },
})
const jobs = Number(values.jobs)
/** The bytes of a document of a fit, of a state as it is sent, and of a table of 300 rows and 5 columns. */
const sizes = { result: 20_000, state: 250_000, data: 15_000 }
const tries = 3

if (Postgres.programs === undefined) complain("install PostgreSQL: apt-get install postgresql")
const postgres = await Postgres.make()
const server = Number(
  postgres.query("SELECT pg_read_file('postmaster.pid')")[0] ??
    complain("the server does not tell its number"),
)
const folder = mkdtempSync(path.join(tmpdir(), "vasst-jobs-"))

const run = (args: ReadonlyArray<string>, cores: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const flags = ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning"]
    const child = spawn("taskset", ["-c", cores, process.execPath, ...flags, ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    })
    let out = ""
    child.stdout.on("data", (part: Buffer) => (out += part.toString()))
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${args[0]} ended with ${code}`)),
    )
  })

const opened = Effect.flatMap(
  Database.open(postgres.url, { patience: 60, onTrouble: console.error }),
  Queue.make,
)
const using = <A>(use: (queue: Queue.Queue) => Effect.Effect<A, { readonly message: string }>): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(opened, use)))

/** An empty queue with jobs. */
const fill = (count: number) =>
  using((queue) =>
    Effect.gen(function* () {
      postgres.query("TRUNCATE vasst_jobs, vasst_data")
      const data = yield* queue.store(new Uint8Array(sizes.data).map((_, i) => (i * 7919) % 251))
      yield* queue.add(
        Array.from({ length: count }, (_, i) =>
          Job.make({ name: `j${i}`, version: "1", payload: { seed: i }, data }),
        ),
      )
      return data
    }),
  )

/** Runs an effect many times, one after another. */
const timed = <E>(
  count: number,
  each: (i: number) => Effect.Effect<unknown, E>,
): Effect.Effect<Statement, E> =>
  Effect.gen(function* () {
    const walls: Array<number> = []
    const [here, there] = [process.cpuUsage(), Server.seconds(server)]
    for (let i = 0; i < count; i++) {
      const began = performance.now()
      yield* each(i)
      walls.push((performance.now() - began) / 1000)
    }
    const { user, system } = process.cpuUsage(here)
    return {
      wall: median(walls),
      worker: (user + system) / 1e6 / count,
      server: (Server.seconds(server) - there) / count,
    }
  })

const statements = async (): Promise<Omit<Measured["statements"], "claimOfMillion">> => {
  const hash = await fill(jobs)
  return using((queue) =>
    Effect.gen(function* () {
      const claims: Array<Job.Claim> = []
      yield* timed(100, () => queue.busy)
      const claim = yield* timed(jobs, () =>
        Effect.map(queue.claim("w", "1", 600), (one) => {
          if (one !== undefined) claims.push(one)
        }),
      )
      const idle = yield* timed(300, () => queue.claim("w", "2", 600))
      // A state is packed: what does not pack further stands for it.
      const state = new Uint8Array(sizes.state).map(() => Math.floor(256 * Math.random()))
      const stored = yield* timed(300, () => queue.stored(hash))
      const keep = yield* timed(300, (i) => queue.keep(claims[i]!, 600, undefined))
      const keepState = yield* timed(300, (i) => queue.keep(claims[i]!, 600, state))
      const result = "x".repeat(sizes.result)
      const end = yield* timed(jobs - 300, (i) => queue.end(claims[300 + i]!, { result, error: null }))
      return { claim, idle, stored, keep, keepState, end }
    }),
  )
}

/** A job is taken from a queue of a million. */
const deep = async (): Promise<Statement> => {
  const hash = await fill(0)
  postgres.query(`INSERT INTO vasst_jobs (id, name, version, payload, data)
    SELECT 'i' || k, 'j' || k, '1', '{"seed":' || k || '}', '${hash}' FROM generate_series(1, 1000000) AS k`)
  postgres.query("ANALYZE vasst_jobs")
  return using((queue) => timed(jobs, () => queue.claim("w", "1", 600)))
}

/** Jobs a second between the first end and the last. */
const rate = (): number =>
  Number(
    postgres.query("SELECT (count(*) - 1) / (max(ended) - min(ended)) FROM vasst_jobs WHERE due IS NULL")[0],
  )

const empty = async (workers: number) => {
  let best = { workers, rate: 0, worker: 0, server: 0 }
  for (let i = 0; i < tries; i++) {
    await fill(jobs)
    const before = Server.seconds(server)
    const all = await Promise.all(
      Array.from({ length: workers }, (_, w) =>
        run(["bench/jobs/worker.ts", postgres.url, `w${w}`, String(sizes.result)], "0,1"),
      ),
    )
    const told = all.map((text): { readonly jobs: number; readonly cpu: number } => JSON.parse(text))
    const cpu = told.reduce((sum, one) => sum + one.cpu, 0) / told.reduce((sum, one) => sum + one.jobs, 0)
    const found = rate()
    if (found > best.rate)
      best = { workers, rate: found, worker: cpu, server: (Server.seconds(server) - before) / jobs }
  }
  return best
}

const fits = async (cores: number) => {
  const list = path.join(folder, "list.jsonl")
  const rows = Array.from({ length: 300 }, (_, i) => {
    const [a, b] = [1 + (i % 23) / 7, 1 + (i % 17) / 5]
    return `${a},${b},${Math.sin(a) * b * (1 + (((i * 7919) % 101) - 50) / 5000)}`
  })
  writeFileSync(path.join(folder, "t.csv"), ["a,b,y", ...rows, ""].join("\n"))
  const lines = Array.from({ length: Number(values.fits) }, (_, seed) =>
    JSON.stringify({ data: "t.csv", target: "y", effort: 20_000, seed }),
  )
  writeFileSync(list, lines.join("\n"))
  const places = cores === 1 ? "0" : "0,1"
  const url = ["--database-url", postgres.url]
  const known = () => Number(postgres.query("SELECT count(*) FROM vasst_jobs")[0])
  let best = 0
  for (let i = 0; i < tries; i++) {
    postgres.query("TRUNCATE vasst_jobs, vasst_data")
    const asked = run(["src/cli/main.ts", "batch", list, ...url, "--poll", "0.5"], "0,1")
    while (known() < lines.length) await new Promise((resolve) => setTimeout(resolve, 100))
    await run(["src/cli/main.ts", "worker", ...url, "--workers", String(cores), "--drain"], places)
    await asked
    best = Math.max(best, rate())
  }
  return { cores, fits: lines.length, rate: best }
}

/** All but the fits. */
const queueOnly = async (): Promise<Omit<Measured, "fits" | "fitsWith" | "takeover">> => ({
  with: provenance(["src/jobs", "src/cli/batch", "bench/jobs"]),
  postgresql: postgres.query("SHOW server_version")[0] ?? "",
  load: loadavg()[0] ?? 0,
  sizes,
  jobs,
  statements: { ...(await statements()), claimOfMillion: await deep() },
  empty: [await empty(1), await empty(2)],
})

try {
  await using((queue) => queue.standings)
  const before =
    values.again !== undefined && values.out !== undefined
      ? // Written by this program.
        (JSON.parse(readFileSync(values.out, "utf8")) as Measured)
      : undefined
  const measured: Measured =
    before !== undefined && values.again === "takeover"
      ? { ...before, takeover: await Takeover.measure(postgres, Number(values.deaths)) }
      : {
          ...(before ?? {
            ...(await queueOnly()),
            takeover: await Takeover.measure(postgres, Number(values.deaths)),
          }),
          fitsWith: {
            with: provenance(["src/jobs", "src/cli/batch", "bench/jobs"]),
            load: loadavg()[0] ?? 0,
          },
          fits: [await fits(1), await fits(2)],
        }
  const text = `${JSON.stringify(measured, null, 2)}\n`
  if (values.out !== undefined) writeFileSync(values.out, text)
  console.log(text)
} finally {
  postgres.remove()
  rmSync(folder, { recursive: true })
}
