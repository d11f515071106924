// A worker that is killed after it has kept a state: the next one goes on from there. The workers are processes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"
import { afterAll, expect, it } from "vitest"
import * as Checkpoint from "../../../../src/infer/Checkpoint.ts"
import { endAll, limit, type Running, stop, until, vasst } from "../../../support/processes.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-resumption-"))
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

/** Steps of the fit, as a worker's logs have them. */
interface Steps {
  readonly first: number
  readonly last: number
}

const stepsOf = ({ err }: Running): ReadonlyArray<Steps> =>
  err()
    .split("\n")
    .filter((line) => line.includes('"message":"steps"'))
    // Lines of the worker's own.
    .map((line) => JSON.parse(line) as Steps)

/** The number of steps that a fit has taken in the state of a job. */
const taken = (checkpoint: Uint8Array): number => {
  const states = Checkpoint.read<ReadonlyMap<string, Uint8Array>>(gunzipSync(checkpoint))
  const steps = [...states.values()].map(
    (bytes) => Checkpoint.read<{ readonly state: { readonly step: number } }>(bytes).state.step,
  )
  return Math.max(...steps)
}

it(
  "a job whose worker is killed goes on from the state that was kept, and not from the beginning",
  { timeout: limit },
  async () => {
    const rows = Array.from({ length: 40 }, (_, i) => {
      const [x, z] = [1 + i / 20, 1 + ((7 * i) % 11) / 5]
      return `${x},${z},${Math.sin(3 * x) * z * (1 + 0.05 * Math.sin(37 * i))}`
    })
    writeFileSync(join(folder, "t.csv"), ["x,z,y", ...rows, ""].join("\n"))
    const list = join(folder, "list.jsonl")
    writeFileSync(list, JSON.stringify({ data: "t.csv", target: "y", effort: 400_000 }))
    const file = join(folder, "jobs.sqlite")
    const url = ["--database-url", `sqlite:${file}`]
    await vasst("worker", ...url, "--drain").ended
    const database = new DatabaseSync(file)
    database.exec("PRAGMA busy_timeout = 60000")
    const job = () => {
      const row = database.prepare("SELECT token, checkpoint, due FROM vasst_jobs").get()
      const checkpoint = row?.["checkpoint"]
      return {
        token: row?.["token"],
        over: row !== undefined && row["due"] === null,
        checkpoint: checkpoint instanceof Uint8Array ? checkpoint : undefined,
      }
    }
    const worker = (): Running =>
      vasst(
        "worker",
        ...url,
        "--workers",
        "1",
        "--lease",
        "0.6",
        "--poll",
        "0.1",
        "--log-format",
        "json",
        "--log-level",
        "trace",
      )
    const out = join(folder, "out")
    const batch = vasst("batch", list, "--out", out, ...url, "--poll", "0.2")
    const killed = worker()
    await until("state of the job", () => {
      const found = job().checkpoint !== undefined
      if (found) killed.kill("SIGKILL")
      return found
    })
    await killed.ended
    // Nobody writes to the job until the next one takes it.
    const { token, checkpoint, over } = job()
    expect({ token, over }).toEqual({ token: 1, over: false })
    const before = taken(checkpoint!)
    expect(before).toBeGreaterThan(0)
    const next = worker()
    expect(await batch.ended).toMatchObject({ code: 0 })
    await stop([next])
    expect(job()).toMatchObject({ token: 2, over: true })
    database.close()
    // A document of vasst.
    const { steps } = JSON.parse(readFileSync(join(out, "t.json"), "utf8")) as { readonly steps: number }
    const after = stepsOf(next)
    expect([before, before + 1]).toContain(after[0]?.first)
    expect(after.at(-1)?.last).toBe(steps)
    // All steps but those of the state, in their order; a line may end within a long step, which the next goes on with.
    const gaps = after.slice(1).map(({ first }, k) => first - after[k]!.last)
    expect(gaps.every((gap) => gap === 0 || gap === 1)).toBe(true)
    expect(steps - before).toBeLessThan(steps)
  },
)
