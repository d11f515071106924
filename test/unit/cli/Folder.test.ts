import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Folder from "../../../src/cli/Folder.ts"
import { run } from "../../support/cli.ts"

const table = "x,y\n1,2\n2,3\n3,5\n4,8\n"
const contents: Folder.Files = {
  "fit.json": "{}\n",
  "models.csv": "a\n",
  "report.txt": "b\n",
  "record.json": "c\n",
}
const write = (directory: string): Promise<void> =>
  Effect.runPromise(Effect.provide(Folder.write(directory, contents, true), NodeServices.layer))

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vasst-out-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const fit = (...more: ReadonlyArray<string>) => run(["fit", "-", "--target", "y", ...more], { stdin: table })

describe("the directory of a fit", () => {
  it("is made with those above it", async () => {
    const out = join(folder, "a", "b")
    expect((await fit("--out", out)).code).toBe(0)
    expect(readdirSync(out).sort()).toEqual(["fit.json", "models.csv", "record.json", "report.txt"])
  })

  it("keeps the files of another fit", async () => {
    writeFileSync(join(folder, "models.csv"), "mine")
    const { code, stdout, stderr } = await fit("--out", folder)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toBe(
      `vasst: ${folder}: there is a models.csv of another fit; name another directory, or add --overwrite\n`,
    )
    expect(readFileSync(join(folder, "models.csv"), "utf8")).toBe("mine")
  })

  it("has new files with --overwrite", async () => {
    writeFileSync(join(folder, "models.csv"), "mine")
    expect((await fit("--out", folder, "--overwrite")).code).toBe(0)
    expect(readFileSync(join(folder, "models.csv"), "utf8")).not.toBe("mine")
  })

  it("needs a path", async () => {
    const { code, stderr } = await fit("--out", "")
    expect([code, stderr]).toEqual([1, "vasst: the flag --out needs a value; see vasst fit --help\n"])
  })

  it.skipIf(!existsSync("/proc/self"))("is refused at once where nothing can be made", async () => {
    const { code, stderr } = await fit("--out", "/proc/self/nothing/there")
    expect([code, stderr]).toEqual([
      1,
      "vasst: /proc/self/nothing/there: cannot write here: there is no such file or directory\n",
    ])
  })

  it("shows the laws where the files cannot be written", async () => {
    const { code, stdout, stderr } = await run(["fit", "-", "--target", "y", "--out", folder], {
      stdin: table,
      onFit: () => rmSync(folder, { recursive: true }),
    })
    expect(code).toBe(1)
    expect(stdout).toContain("rank")
    expect(stderr).toContain("cannot write here")
    folder = mkdtempSync(join(tmpdir(), "vasst-out-"))
  })
})

it("files of a fit that ended meanwhile are kept, and the laws are shown", async () => {
  const { code, stdout, stderr } = await run(["fit", "-", "--target", "y", "--out", folder], {
    stdin: table,
    onFit: () => writeFileSync(join(folder, "fit.json"), "mine"),
  })
  expect(code).toBe(1)
  expect(stdout).toContain("rank")
  expect(stderr).toContain(`${folder}/fit.json: cannot write here: there is a file of this name\n`)
  expect(readFileSync(join(folder, "fit.json"), "utf8")).toBe("mine")
  expect(readdirSync(folder)).toEqual(["fit.json"])
})

describe("files of a fit", () => {
  it("are written whole, and nothing beside them", async () => {
    await write(folder)
    for (const [name, text] of Object.entries(contents))
      expect(readFileSync(join(folder, name), "utf8")).toBe(text)
    expect(readdirSync(folder)).toHaveLength(4)
  })

  it("follow no link that was put in their way", async () => {
    const victim = join(folder, "victim")
    writeFileSync(victim, "precious")
    for (const name of ["fit.json.part", "fit.json"]) symlinkSync(victim, join(folder, name))
    await write(folder)
    expect(readFileSync(victim, "utf8")).toBe("precious")
    expect(lstatSync(join(folder, "fit.json")).isFile()).toBe(true)
  })
})
