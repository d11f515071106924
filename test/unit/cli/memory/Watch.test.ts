import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import * as Tables from "../../../../bench/limits/tables.ts"
import * as Requests from "../../../../src/cli/Requests.ts"
import * as Watch from "../../../../src/cli/memory/Watch.ts"
import * as Fit from "../../../../src/infer/Fit.ts"
import * as Law from "../../../../src/models/law.ts"
import * as UnseenText from "../../../../src/report/UnseenText.ts"

const limits = { limit: 1000, reserve: 200 }

describe("what is done about memory", () => {
  it("is nothing far from the limit", () => {
    expect(Watch.step(limits, { collected: undefined }, 700, false)).toBe("nothing")
  })

  it("is to collect garbage near to it, and again when it has grown", () => {
    expect(Watch.step(limits, { collected: undefined }, 730, false)).toBe("collect")
    expect(Watch.step(limits, { collected: 725 }, 760, false)).toBe("nothing")
    expect(Watch.step(limits, { collected: 725 }, 770, false)).toBe("collect")
  })

  it("is to end the search where less than the reserve is left, and to refuse above the limit", () => {
    expect(Watch.step(limits, { collected: undefined }, 790, true)).toBe("nothing")
    expect(Watch.step(limits, { collected: undefined }, 810, true)).toBe("stop")
    expect(Watch.step(limits, { collected: undefined }, 1049, true)).toBe("stop")
    expect(Watch.step(limits, { collected: undefined }, 1051, true)).toBe("refuse")
  })
})

describe("a part of the program within a limit", () => {
  it("has its value where memory does", async () => {
    const value = await Effect.runPromise(
      Watch.during({ limit: 2 ** 40, reserve: 0 }, (full) => Effect.succeed(full.aborted)),
    )
    expect(value).toBe(false)
  })

  it("is asked to stop where less than the reserve is left", async () => {
    const reason = await Effect.runPromise(
      // The limit itself is far, and its reserve is nearly all of it: this process needs more than the rest.
      Watch.during(
        { limit: 1.2 * process.memoryUsage.rss(), reserve: 1.1 * process.memoryUsage.rss() },
        (full) =>
          Effect.gen(function* () {
            const heard = yield* Deferred.make<unknown>()
            full.addEventListener("abort", () => Deferred.doneUnsafe(heard, Effect.succeed(full.reason)))
            return yield* Deferred.await(heard)
          }),
      ),
    )
    expect(reason).toBe(Requests.full)
  })

  it("ends with the size that it has where that is above its limit, whatever is done", async () => {
    const error = await Effect.runPromise(
      Effect.flip(Watch.during({ limit: 2e7, reserve: 0 }, () => Effect.never)),
    )
    expect(error.message).toMatch(
      /^this needs more than the 20MB of --memory: \d+MB so far; give --memory \d+MB, or fewer rows, columns, trees or workers$/,
    )
  })
})

describe("a search that memory has ended", () => {
  it("says so, and has laws", async () => {
    const controller = new AbortController()
    controller.abort(Requests.full)
    const x = Array.from({ length: 30 }, (_, i) => 1 + i)
    const fit = await Effect.runPromise(
      Law.fit(
        { X: x.map((value) => [value]), y: x.map((value) => 3 * value + Math.sin(9 * value)) },
        { workers: 1 },
      ).pipe(Effect.provideService(Fit.Interrupt, Requests.of(controller.signal))),
    )
    expect(fit.posterior.stopReason).toBe("memory")
    expect(fit.models.length).toBeGreaterThan(0)
    expect(UnseenText.lines(fit.unseen!, fit.posterior.stopReason, "y")).toContain(
      "cut off: its limit of memory ended the search before two restarts agreed",
    )
  })
})

describe("vasst fit --memory", () => {
  const folder = mkdtempSync(join(tmpdir(), "vasst-memory-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "table.csv")
  Tables.write(Tables.plain(200, 3), file)

  /** Runs the program, and measures its peak of resident memory in bytes. */
  const vasst = (...args: ReadonlyArray<string>) => {
    const usage = join(folder, "usage.jsonl")
    writeFileSync(usage, "")
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", "./bench/limits/usage.mjs", "src/cli/main.ts", "fit", file, "--target", "y", ...args],
      { encoding: "utf8", env: { ...process.env, VASST_USAGE: usage } },
    )
    const peak = readFileSync(usage, "utf8")
      .trim()
      .split("\n")
      .reduce((sum, line) => sum + 2 ** 20 * Number(JSON.parse(line).megabytes), 0)
    return { status, stdout, stderr, peak }
  }
  const work = ["--effort", "150000", "--workers", "1"]

  it("stays below its limit and 10 %, with the laws that it has without", () => {
    const limit = 230e6
    const within = vasst(...work, "--memory", "230MB")
    expect([within.status, within.stderr]).toEqual([0, "backend: simd\n"])
    expect(within.peak).toBeGreaterThan(50e6)
    expect(within.peak).toBeLessThan(1.1 * limit)
    expect(within.stdout).toBe(vasst(...work).stdout)
  }, 120_000)

  it("is refused in a sentence where it is too small, before the table is read", () => {
    const { status, stdout, stderr } = vasst(...work, "--memory", "100MB")
    expect([status, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(
      /^vasst: \S+table\.csv: this needs about \d+MB of memory, and --memory gives it 100MB; give --memory \d+MB, or fewer rows or columns\n$/,
    )
  })

  it("is an amount with a unit", () => {
    const { status, stderr } = vasst("--memory", "500")
    expect(status).toBe(1)
    expect(stderr).toContain("an amount of memory such as 500MB or 2GB")
  })
})
