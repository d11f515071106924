// Batches and workers with a limit of memory, as processes.
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Resident from "../../../../bench/limits/resident.ts"

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
})
