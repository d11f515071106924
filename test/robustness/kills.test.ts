// Runs that are ended in every way, at random moments, and that go on: their results have the bytes of a run that nothing has ended.
// `VASST_KILLS=100 npm exec -- vitest run test/robustness/kills.test.ts` kills 100 times, as .ci/run does.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as Rng from "../../src/random/Rng.ts"
import * as Resumable from "../support/resumable.ts"

const wanted = Number(process.env["VASST_KILLS"] ?? 5)

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let folder = ""
const path = (...names: ReadonlyArray<string>): string => join(folder, ...names)

/** Runs vasst. @param watch told what is on standard error so far, with a way to send a signal */
const vasst = (
  args: ReadonlyArray<string>,
  watch: (stderr: string, send: (signal: NodeJS.Signals) => void) => void = () => undefined,
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["src/cli/main.ts", ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let [stdout, stderr] = ["", ""]
    const send = (signal: NodeJS.Signals): void => void child.kill(signal)
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk)
    })
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk)
      watch(stderr, send)
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    watch("", send)
  })
const killedAfter = (milliseconds: number) => {
  let timer: NodeJS.Timeout | undefined
  return (_: string, send: (signal: NodeJS.Signals) => void): void => {
    timer ??= setTimeout(() => send("SIGKILL"), milliseconds)
  }
}

/** What the clock and the command line have no part in. */
const results = (name: string): ReadonlyArray<string> =>
  ["fit.json", "models.csv", "report.txt"].map((file) => readFileSync(path(name, file), "utf8"))
/** The effort of a search that a signal reaches, of some seconds. */
const long = 300_000
const fit = (workers: number, effort = 60_000): ReadonlyArray<string> => [
  "fit",
  path("data.csv"),
  "--target=y",
  `--effort=${effort}`,
  `--workers=${workers}`,
]
const lasting = (workers: number, effort?: number): ReadonlyArray<string> => [
  ...fit(workers, effort),
  "--run",
  path("run"),
  "--every",
  "0.1",
]
const states = (): ReadonlyArray<string> => readdirSync(path("run")).filter((name) => name.endsWith(".state"))

/** Milliseconds of a run that nothing ends. */
let whole = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vasst-kills-"))
  writeFileSync(path("data.csv"), Resumable.csv())
  const began = performance.now()
  expect((await vasst([...fit(1), "--out", path("plain")])).code).toBe(0)
  whole = performance.now() - began
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => rmSync(path("run"), { recursive: true, force: true }))

describe("a run that goes on has the result of one that nothing has ended", () => {
  it("after kill -9 at random moments, with 2 and 7 threads", { timeout: 3_600_000 }, async () => {
    const moments = Rng.generator(Rng.fold(Rng.key(1), "moments"))
    let [kills, went] = [0, 0]
    for (let number = 0; kills < wanted; number++) {
      rmSync(path("run"), { recursive: true, force: true })
      for (;;) {
        const goes = existsSync(path("run", "run.json"))
        if (goes && states().length > 0) went++
        const args = goes ? ["resume", path("run")] : lasting(number % 2 === 0 ? 2 : 7)
        const { code, stderr } = await vasst(args, killedAfter(1.2 * whole * moments.next()))
        if (code === 0) break
        // What a killed process says is nothing.
        expect([code, stderr]).toEqual([null, expect.stringMatching(/^(backend: simd\n)?$/)])
        kills++
      }
      expect(results("run")).toEqual(results("plain"))
      expect(readdirSync(path("run")).filter((name) => /part$|^lock/.test(name))).toEqual([])
    }
    // Some had something to go on from.
    expect(went).toBeGreaterThan(0)
  })

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "after %s, which shows the laws so far",
    async (signal) => {
      const kept = `the state of the search is kept; go on with: vasst resume ${path("run")}\n`
      let looking: NodeJS.Timeout | undefined
      const ended = await vasst(lasting(2, long), (_, send) => {
        // As soon as there is a state: the search has begun, and has most of its work before it.
        looking ??= setInterval(() => {
          if (!existsSync(path("run")) || states().length === 0) return
          clearInterval(looking)
          send(signal)
        }, 10)
      })
      clearInterval(looking)
      expect(ended.code).toBe(0)
      expect(ended.stdout).toContain("rank")
      expect(ended.stderr).toContain(kept)
      const plain = await vasst([...fit(1, long), "--out", path("long"), "--overwrite"])
      expect(plain.code).toBe(0)
      expect(results("run")).not.toEqual(results("long"))
      expect((await vasst(["resume", path("run")])).code).toBe(0)
      expect(results("run")).toEqual(results("long"))
    },
  )

  it("from the state before, where the last one is damaged", async () => {
    let looking: NodeJS.Timeout | undefined
    await vasst(lasting(1), (_, send) => {
      looking ??= setInterval(() => {
        if (existsSync(path("run")) && states().length === 2) send("SIGKILL")
      }, 10)
    })
    clearInterval(looking)
    const [last = ""] = states().toSorted(
      (a, b) => statSync(path("run", b)).mtimeMs - statSync(path("run", a)).mtimeMs,
    )
    const bytes = readFileSync(path("run", last))
    bytes[bytes.length >> 1]! ^= 4
    writeFileSync(path("run", last), bytes)
    const { code, stderr } = await vasst(["resume", path("run")])
    expect([code, stderr]).toEqual([
      0,
      `${path("run", last)}: some of its bytes have changed; the state beside it is used\nbackend: simd\n`,
    ])
    expect(results("run")).toEqual(results("plain"))
    for (const name of states()) writeFileSync(path("run", name), bytes.subarray(0, 1000))
    const refused = await vasst(["resume", path("run")])
    expect([refused.code, refused.stdout]).toEqual([1, ""])
    expect(refused.stderr).toMatch(
      /^vasst: .*it is cut off; .*no undamaged state is left, so begin in another folder\n$/,
    )
  })
})
