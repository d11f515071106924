import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import type { Reading } from "../../../bench/soak/residency.ts"
import * as Verdict from "../../../bench/soak/verdict.ts"

const reading = (round: number, changes: Partial<Reading> = {}): Reading => ({
  seconds: 60 * round,
  rss: 300,
  heap: 60,
  external: 10,
  code: 10,
  threads: 7,
  files: 20,
  handles: 0,
  tensors: 0,
  temporary: 0,
  ...changes,
})

const rounds = Array.from({ length: 30 }, (_, round) => round)

describe("the verdict of a soak", () => {
  it("is that a process is flat which grows at its start, and has peaks", () => {
    const readings = rounds.map((round) =>
      reading(round, {
        rss: 300 + (round < 4 ? 50 * round : 200) + (round % 9 === 0 ? 100 : 0) + (round % 3),
      }),
    )
    expect(Verdict.of(readings).complaints).toEqual([])
  })

  it("finds memory that grows slowly", () => {
    const { growths, complaints } = Verdict.of(rounds.map((round) => reading(round, { rss: 300 + round })))
    expect(complaints).toEqual([expect.stringContaining("rss has grown by 23.0 MB")])
    expect(growths[0]?.hourly).toBeCloseTo(60)
  })

  it("takes the swings of resident memory in a few rounds for no growth, and growth after collection for one", () => {
    const readings = [383.5, 310.5, 403.8, 422.4].map((rss, round) => reading(round, { rss }))
    expect(Verdict.of(readings).complaints).toEqual([])
    expect(Verdict.of(readings.map((one, round) => ({ ...one, heap: 60 + 10 * round }))).complaints).toEqual([
      expect.stringContaining("heap has grown by 20.0 MB"),
    ])
  })

  it("has the probabilities of Kendall's test", () => {
    // Of 24 orders of four readings 1 has no fall, 3 have one and 5 have two.
    expect(Verdict.trendless([1, 2, 3, 4])).toBeCloseTo(1 / 24, 12)
    expect(Verdict.trendless([2, 1, 3, 4])).toBeCloseTo(4 / 24, 12)
    expect(Verdict.trendless([2, 1, 4, 3])).toBeCloseTo(9 / 24, 12)
    expect(Verdict.trendless([4, 3, 2, 1])).toBeCloseTo(1, 12)
    expect(Verdict.trendless([1, 1])).toBeCloseTo(1, 12)
    // scipy.stats.kendalltau(range(12), values, alternative="greater", method="exact")
    expect(Verdict.trendless([1, 3, 2, 5, 4, 7, 6, 9, 8, 12, 11, 10])).toBeCloseTo(5.3711720378387044e-5, 12)
  })

  it.each(["threads", "files", "handles", "tensors", "temporary"] as const)(
    "finds %s that are left",
    (name) => {
      const readings = rounds.map((round) => reading(round, round === 29 ? { [name]: 21 } : {}))
      expect(Verdict.of(readings).complaints).toEqual([expect.stringContaining(`21 ${name} are left`)])
    },
  )

  it("tells the growth of compiled code, which the program does not keep", () => {
    const { growths, complaints } = Verdict.of(rounds.map((round) => reading(round, { code: 10 + round })))
    expect(complaints).toEqual([])
    expect(growths.find(({ name }) => name === "code")?.grown).toBeCloseTo(23)
  })

  it("counts the runs that ended within their limit of time and 5 %, or of memory and 10 %", () => {
    const runs = [1, 1.04, 1.06, 0.5].map((took) => ({ limit: 1, took }))
    expect(Verdict.keptOf("time", [...runs, { limit: 20, took: 20.9 }])).toEqual({
      runs: 5,
      kept: 4,
      most: 1.06,
    })
    expect(Verdict.keptOf("memory", runs)).toEqual({ runs: 4, kept: 4, most: 1.06 })
    expect(Verdict.keptOf("time", [])).toEqual({ runs: 0, kept: 0, most: 0 })
  })

  it("says when it has seen too little", () => {
    expect(Verdict.of([reading(0)]).complaints).toEqual([expect.stringContaining("fewer than three")])
  })
})

describe("a soak", () => {
  it("of a few rounds leaves nothing", { timeout: 900_000 }, async () => {
    // It ends with code 1 where something is left, or memory grows.
    // A few rounds have no slope of 5 %.
    const run = promisify(execFile)(
      process.execPath,
      [
        "--conditions=vasst-source",
        "--disable-warning=ExperimentalWarning",
        "bench/soak/run.ts",
        "--minutes",
        "0",
        "--allowed",
        "0.25",
      ],
      { maxBuffer: 2 ** 24 },
    )
    // Also the readings of a run that fails are shown.
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    expect(stdout).toContain("flat, nothing is left")
    expect(stdout).toMatch(/(\d+) of \1 runs with a limit of memory/)
  })
})
