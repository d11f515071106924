import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { run } from "../../support/cli.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vasst-report-"))
  writeFileSync(join(folder, "data.csv"), "x,y\n1,3.4\n2,5.6\n3,7.5\n4,9.6\n5,11.4\n")
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
const fit = (...more: ReadonlyArray<string>) => run(["fit", at("data.csv"), "--target", "y", ...more])

describe("vasst report", () => {
  it("writes the page of a run, the same as the fit writes", async () => {
    const page = at("it's law.html")
    expect((await fit("--out", at("run"), "--report", page)).code).toBe(0)
    expect(await run(["report", at("run")])).toEqual({
      code: 0,
      stdout: `${at("run/report.html")}\n`,
      stderr: "",
    })
    const text = readFileSync(at("run/report.html"), "utf8")
    expect(text).toBe(readFileSync(page, "utf8"))
    expect(text).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"))
    // The command, as a shell reads it, in markup.
    const words = text.replaceAll(/<span class="word">|<\/span>/g, "")
    expect(words).toContain(`--report &#39;${at("it")}&#39;\\&#39;&#39;s law.html&#39;`)
    expect((await run(["show", at("run")])).code).toBe(0)
  })

  it("shows no password that a record of an earlier version has", async () => {
    await fit("--out", at("run"))
    const record = JSON.parse(readFileSync(at("run/record.json"), "utf8"))
    const command = [...record.command, "--cluster", "--database-url", "postgres://me:s3cret@db/jobs"]
    writeFileSync(at("run/record.json"), JSON.stringify({ ...record, command }))
    expect((await run(["report", at("run")])).code).toBe(0)
    const words = readFileSync(at("run/report.html"), "utf8").replaceAll(/<span class="word">|<\/span>/g, "")
    expect(words).toContain("--cluster --database-url postgres://me@db/jobs")
    expect(words).not.toContain("s3cret")
  })

  it("tells which folder it needs", async () => {
    await fit("--out", at("run"))
    writeFileSync(at("fit.json"), (await fit("--json")).stdout)
    expect((await run(["report", at("fit.json")])).stderr).toMatch(
      /fit\.json: a report needs the data of the fit.*name a folder of vasst fit --out\n$/,
    )
    rmSync(at("run/record.json"))
    expect((await run(["report", at("run")])).stderr).toMatch(
      /run: there is no record\.json in this folder.*make the fit again with vasst fit --out\n$/,
    )
    writeFileSync(at("run/record.json"), JSON.stringify({ version: 99 }))
    expect((await run(["report", at("run")])).stderr).toMatch(
      /record\.json: this is no record of this version of vasst; make the fit again/,
    )
    expect(existsSync(at("run/report.html"))).toBe(false)
  })

  it("replaces a report, and no other file", async () => {
    await fit("--report", at("law.html"))
    expect((await fit("--report", at("law.html"))).code).toBe(0)
    writeFileSync(at("mine.html"), "mine")
    const { code, stderr } = await fit("--report", at("mine.html"))
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `vasst: ${at("mine.html")}: there is a file of this name that is no report of vasst; name another, or add --overwrite\n`,
    })
    expect(readFileSync(at("mine.html"), "utf8")).toBe("mine")
    expect((await fit("--report", at("mine.html"), "--overwrite")).code).toBe(0)
    expect(readFileSync(at("mine.html"), "utf8")).toMatch(/^<!doctype html>/)
  })

  it("says before the fit that a page cannot be written", async () => {
    const said = async (file: string): Promise<string> => (await fit("--report", file)).stderr
    expect(await said(at("none/law.html"))).toMatch(
      /^vasst: .*none: cannot write here: there is no such file/,
    )
    expect(await said(folder)).toMatch(/this is a directory; name a file, such as report\.html\n$/)
  })
})
