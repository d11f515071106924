import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { fake, fitted, run } from "../../support/cli.ts"

const table = "x,y\n1,2\n2,3\n3,5\n4,8\n"

let folder = ""
let file = ""
let kept = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vasst-run-"))
  file = join(folder, "data.csv")
  kept = join(folder, "run")
  writeFileSync(file, table)
})
afterEach(() => rmSync(folder, { recursive: true }))

const begin = (...more: ReadonlyArray<string>) => run(["fit", file, "--target", "y", "--run", kept, ...more])
const resume = (path = kept, setting: Parameters<typeof run>[1] = {}) => run(["resume", path], setting)
const files = ["fit.json", "models.csv", "record.json", "report.txt", "run.json"]

describe("a run in a folder", () => {
  it("has the files of a fit, and goes on with the same command", async () => {
    expect((await begin("--seed", "3")).code).toBe(0)
    expect(readdirSync(kept)).toEqual(files)
    const record = readFileSync(join(kept, "record.json"), "utf8")
    const seen: Array<number | undefined> = []
    const again = await resume(kept, { fit: fake({}, (_, { seed }) => void seen.push(seed)) })
    expect([again.code, seen]).toEqual([0, [3]])
    expect(readFileSync(join(kept, "record.json"), "utf8")).toBe(record)
    expect(readdirSync(kept)).toEqual(files)
  })

  it("is not begun where there is one, unless that is given up", async () => {
    await begin()
    for (const name of files) if (name !== "run.json") rmSync(join(kept, name))
    expect((await begin()).stderr).toBe(
      `vasst: ${kept}: there is a run here; go on with vasst resume ${kept}, name another folder, or add --overwrite\n`,
    )
    writeFileSync(join(kept, "search.0.state"), "")
    expect((await begin("--overwrite")).code).toBe(0)
    expect(readdirSync(kept)).toEqual(files)
  })

  it("keeps no beginnings of files that a killed process was writing, and files of others", async () => {
    await begin()
    const part = "0f8fad5b-d9cb-469f-a165-70867728950e.part"
    for (const name of ["fit.json", "record.json", "run.json"])
      writeFileSync(join(kept, `${name}.${part}`), "{")
    writeFileSync(join(kept, `notes.${part}`), "mine")
    expect((await resume()).code).toBe(0)
    expect(readdirSync(kept).toSorted()).toEqual([...files, `notes.${part}`].toSorted())
  })

  it("says how to go on after Ctrl-C", async () => {
    const { stderr, code } = await run(["fit", file, "--target", "y", "--run", kept], {
      fit: (data) => Effect.succeed(fitted(data, { stopReason: "interrupted" })),
    })
    expect([code, stderr]).toEqual([0, `the state of the search is kept; go on with: vasst resume ${kept}\n`])
    expect(existsSync(join(kept, "fit.json"))).toBe(true)
  })

  it("is refused to a second process", async () => {
    let second = ""
    await run(["fit", file, "--target", "y", "--run", kept], {
      fit: (data) =>
        Effect.promise(async () => {
          second = (await resume()).stderr
          return fitted(data)
        }),
    })
    expect(second).toBe(
      `vasst: ${kept}: another process (${process.pid}) uses this folder; wait for its end, or name another folder\n`,
    )
  })

  it.each([
    [["--out", "there"], "the files are written into the folder of --run; leave --out out"],
    [["--every", "0"], '--every must be a number of seconds greater than 0, not "0"'],
  ])("does not go with %j", async (more, message) => {
    expect((await begin(...more)).stderr).toBe(`vasst: ${message}\n`)
    expect(existsSync(kept)).toBe(false)
  })

  it("needs data that can be read again, and --every a run", async () => {
    expect((await run(["fit", "-", "--target", "y", "--run", kept], { stdin: table })).stderr).toBe(
      "vasst: standard input cannot be read again when the run goes on; with --run, name a file\n",
    )
    expect((await run(["fit", file, "--target", "y", "--every", "2"])).stderr).toBe(
      "vasst: --every is for --run; add that, or leave --every out\n",
    )
  })

  it.skipIf(!existsSync("/proc/self"))("is refused where nothing can be written", async () => {
    const { stderr } = await run(["fit", file, "--target", "y", "--run", "/proc/self/run"])
    expect(stderr).toMatch(/^vasst: \/proc\/self\/run: cannot write here: /)
  })
})

describe("a run that goes on", () => {
  it.each([
    ["x,y\n1,2\n2,3\n3,5\n4,9\n", 'the column "y" has changed'],
    ["x,y\n1,2\n2,3\n3,5\n", "they had 4 rows, and have 3"],
    ["x,z,y\n1,2,2\n2,1,3\n3,2,5\n4,1,8\n", 'the column "z" has changed'],
  ])("has the data that it was begun with (%j)", async (other, message) => {
    await begin()
    writeFileSync(file, other)
    expect((await resume()).stderr).toBe(
      `vasst: ${kept}: these are not the data that the run was begun with: ${message}; give them back, or begin another run\n`,
    )
  })

  it("was begun", async () => {
    expect((await resume()).stderr).toBe(
      `vasst: ${kept}: there is no run here; vasst fit --run ${kept} begins one\n`,
    )
  })

  it("is not damaged, and of this version", async () => {
    await begin()
    const path = join(kept, "run.json")
    const text = readFileSync(path, "utf8")
    for (const wrong of [text.slice(0, 100), text.replace('"rows":4', '"rows":5'), "{}", ""]) {
      writeFileSync(path, wrong)
      expect((await resume()).stderr).toBe(
        `vasst: ${path}: this is damaged, so that the run cannot go on; begin another one\n`,
      )
    }
  })

  it("was begun by this version", async () => {
    await begin()
    const path = join(kept, "run.json")
    writeFileSync(path, readFileSync(path, "utf8").replace('"program":"1.2.3"', '"program":"0.9"'))
    expect((await resume()).stderr).toBe(
      `vasst: ${kept}: this run was begun by vasst 0.9, and this is 1.2.3, whose searches may take other steps; go on with that version, or begin another run\n`,
    )
  })
})
