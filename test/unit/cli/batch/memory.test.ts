// Batches and workers with a limit of memory, as processes.
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Resident from "../../../../bench/limits/resident.ts"
import * as Tables from "../../../../bench/limits/tables.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-batch-memory-"))
const list = join(folder, "list.jsonl")
const names = ["a", "b", "c"]
beforeAll(() => {
  const rows = Array.from({ length: 60 }, (_, i) => [1 + (i % 7), 2 + (i % 5)] as const)
  for (const [k, name] of names.entries())
    writeFileSync(
      join(folder, `${name}.csv`),
      ["u,v,y", ...rows.map(([u, v]) => `${u},${v},${(k + 2) * u * v}`), ""].join("\n"),
    )
  writeFileSync(
    list,
    names.map((name) => `${JSON.stringify({ data: `${name}.csv`, target: "y", effort: 2000 })}\n`).join(""),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

const vasst = async (...args: ReadonlyArray<string>) => {
  const child = spawn(
    process.execPath,
    ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning", "src/cli/main.ts", ...args],
    { stdio: ["ignore", "ignore", "pipe"] },
  )
  let err = ""
  child.stderr.on("data", (part: Buffer) => (err += part.toString()))
  const resident = Resident.watch(child.pid!)
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
  return { code, err, bytes: 2 ** 20 * resident.close() }
}

describe("--memory", () => {
  it("of a batch leaves jobs out at a time, and is kept with 10 %", { timeout: 300_000 }, async () => {
    const out = join(folder, "out")
    const { code, err, bytes } = await vasst(
      "batch",
      list,
      "--out",
      out,
      "--workers",
      "3",
      "--memory",
      "400MB",
    )
    expect([code, err]).toEqual([0, "memory: 2 of 3 jobs at a time\n"])
    expect(bytes).toBeLessThan(1.1 * 400e6)
    expect(readdirSync(out)).toEqual(expect.arrayContaining(["a.json", "b.json", "c.json"]))
  })

  it.each([
    ["batch", list],
    ["worker", "--database-url", `sqlite:${join(folder, "jobs.sqlite")}`, "--drain"],
  ])("of a %s is refused where no job has room", { timeout: 300_000 }, async (...args) => {
    const { code, err } = await vasst(...args, "--memory", "120MB")
    expect(code).toBe(1)
    expect(err).toContain(
      "a job needs about 250MB of memory, and --memory gives it 120MB; give --memory 250MB",
    )
    expect(err).not.toContain("    at ")
  })

  it(
    "that is full gives the job back with its state, which goes on where there is more",
    {
      timeout: 600_000,
    },
    async () => {
      const large = join(folder, "large.jsonl")
      Tables.write(Tables.plain(20_000, 8), join(folder, "large.csv"))
      writeFileSync(large, JSON.stringify({ data: "large.csv", target: "y", effort: 12_000 }))
      const [out, whole] = [join(folder, "large"), join(folder, "whole")]
      /** The row of the job. */
      const row = () => {
        const database = new DatabaseSync(join(out, "jobs.sqlite"), { readOnly: true })
        try {
          return database.prepare("SELECT due, attempts, checkpoint, result, error FROM vasst_jobs").get()
        } finally {
          database.close()
        }
      }
      // A job that was given back is due at once, has its state, and is not one that ended its worker.
      const waiting = {
        due: 0,
        attempts: 0,
        checkpoint: expect.any(Uint8Array) as Uint8Array,
        result: null,
        error: null,
      }
      const settings = ["--workers", "1", "--lease", "1"]
      const full =
        "vasst: the 300MB of --memory are full; jobs were given back with their states, and go on where there is more: give more --memory, or fewer --workers\n"
      const batch = await vasst("batch", large, "--out", out, ...settings, "--memory", "300MB")
      expect([batch.code, batch.err]).toEqual([1, full])
      expect(batch.bytes).toBeLessThan(1.1 * 300e6)
      expect(row()).toEqual(waiting)
      const url = `sqlite:${join(out, "jobs.sqlite")}`
      const worker = await vasst("worker", "--database-url", url, "--drain", ...settings, "--memory", "300MB")
      expect([worker.code, worker.err.split("\n").slice(1).join("\n")]).toEqual([
        1,
        `large: given back\n${full}`,
      ])
      expect(row()).toEqual(waiting)
      // With more memory it goes on to the result of a job that nothing was in the way of.
      expect(await vasst("batch", large, "--out", out, ...settings)).toMatchObject({ code: 0, err: "" })
      await vasst("batch", large, "--out", whole, ...settings)
      expect(readFileSync(join(out, "large.json"))).toEqual(readFileSync(join(whole, "large.json")))
      expect(row()).toMatchObject({ due: null, error: null })
    },
  )
})
