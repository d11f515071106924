import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Logs from "../../../src/cli/Logs.ts"
import { fake, run } from "../../support/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-logs-"))
const table = join(folder, "a.csv")
beforeAll(() => writeFileSync(table, "x,y\n1,2\n2,4\n3,6\n4,8\n"))
afterAll(() => rmSync(folder, { recursive: true }))

const Line = Schema.fromJsonString(
  Schema.StructWithRest(
    Schema.Struct({ timestamp: Schema.String, level: Schema.String, message: Schema.String }),
    [Schema.Record(Schema.String, Schema.Unknown)],
  ),
)
const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => Schema.decodeSync(Line)(line))

/** A fit that logs at every level. */
const logging: typeof fit = (data, settings, hooks) =>
  Effect.gen(function* () {
    yield* Effect.annotateLogs(Effect.logError("an error"), { rows: 4, name: "a b" })
    yield* Effect.logWarning("a warning")
    yield* Effect.logInfo("two\nlines")
    yield* Effect.logDebug("detail")
    yield* Effect.logTrace("more")
    return yield* fit(data, settings, hooks)
  })
const fit = fake()
const args = ["fit", table, "--target", "y"]
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /gm

describe("logs", () => {
  it("are off unless they are asked for", async () => {
    expect((await run(args, { fit: logging })).stderr).toBe("backend: fake\n")
  })

  it("are lines of standard error from a level on, and the output is the same", async () => {
    const plain = await run(args, { fit: logging })
    const logged = await run([...args, "--log-level", "info"], { fit: logging, columns: 200 })
    expect(logged.stderr.replaceAll(stamp, "")).toBe(
      'ERROR an error rows=4 name="a b"\nWARN  a warning\nINFO  two lines\nbackend: fake\n',
    )
    expect(logged.stderr.match(stamp)).toHaveLength(3)
    const all = await run(["--log-level=trace", ...args], { fit: logging })
    expect(all.stderr.replaceAll(stamp, "")).toContain("DEBUG detail\nTRACE more\n")
    expect(all.stdout).toBe(plain.stdout)
    expect((await run([...args, "--log-level", "error"], { fit: logging })).stderr).not.toContain("WARN")
  })

  it("have no password of a database, whoever tells them of its address", async () => {
    const url = "postgres://me:s3cret@db/jobs"
    const telling: typeof fit = (data, settings, hooks) =>
      Effect.andThen(
        Effect.annotateLogs(Effect.logError(`no answer of ${url}`), { url, next: "me@db" }),
        fit(data, settings, hooks),
      )
    const shown = "postgres://me:***@db/jobs"
    const { stderr } = await run([...args, "--log-format", "json"], { fit: telling })
    expect(lines(stderr)[0]).toMatchObject({ message: `no answer of ${shown}`, url: shown, next: "me@db" })
    const text = await run([...args, "--log-level", "error"], { fit: telling })
    expect(text.stderr.replaceAll(stamp, "")).toBe(
      `ERROR no answer of ${shown} url=${shown} next=me@db\nbackend: fake\n`,
    )
    // In commands that are refused, too.
    for (const wrong of [
      ["status", url],
      ["fit", url, "--target", "y"],
      [url],
      ["status", `--${url}`],
      [...args, "--seed", url],
      [...args, "--database-url", url],
    ])
      for (const log of [[], ["--log-format", "json"]]) {
        const complaint = await run([...wrong, ...log])
        expect([complaint.code, complaint.stderr]).toEqual([1, expect.not.stringContaining("s3cret")])
      }
  })

  it("are JSON objects where they are asked for, with notes and complaints among them", async () => {
    const { stderr } = await run([...args, "--log-format", "json"], { fit: logging })
    expect(lines(stderr)).toMatchObject([
      { level: "ERROR", message: "an error", rows: 4, name: "a b" },
      { level: "WARN", message: "a warning" },
      { level: "INFO", message: "two\nlines" },
      { level: "INFO", message: "backend: fake" },
    ])
    const quiet = await run([...args, "--log-format=json", "--log-level=error"], { fit: logging })
    expect(lines(quiet.stderr)).toHaveLength(1)
    for (const wrong of [
      ["fit", table, "--target", "q"],
      ["fit", table, "--tarrget", "y"],
    ]) {
      const complaint = await run([...wrong, "--log-format", "json"])
      expect(complaint.code).toBe(1)
      expect(lines(complaint.stderr)).toMatchObject([
        { level: "ERROR", message: expect.stringMatching(/columns are|did you mean/) },
      ])
    }
  })

  it("of a level or format that there is not are refused", async () => {
    expect((await run([...args, "--log-level", "loud"])).stderr).toBe(
      'vasst: --log-level must be one of error, warn, info, debug, trace, not "loud"\n',
    )
    expect((await run([...args, "--log-format", "xml"])).stderr).toBe(
      'vasst: --log-format must be one of text, json, not "xml"\n',
    )
  })

  it("are no part of the command that a run is begun with", async () => {
    const out = join(folder, "out")
    await run([...args, "--log-level", "info", "--out", out, "--log-format=json"])
    expect(JSON.parse(readFileSync(join(out, "record.json"), "utf8"))).toMatchObject({
      command: [...args, "--out", out],
    })
    expect(Logs.asked(["a", "--", "--log-level", "info"])).toEqual({
      settings: { level: undefined, format: "text" },
      rest: ["a", "--", "--log-level", "info"],
    })
  })
})
