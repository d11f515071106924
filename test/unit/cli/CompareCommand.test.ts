import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fake, ranked, run } from "../../support/cli.ts"

let folder = ""
const at = (name: string): string => join(folder, name)

const fit = async (
  name: string,
  stdin: string,
  lmpse: number,
  ...flags: ReadonlyArray<string>
): Promise<void> => {
  const { stderr } = await run(["fit", "-", "--target", "y", "--out", at(name), ...flags], {
    stdin,
    fit: (data, settings, hooks) =>
      fake({ models: [ranked(data, { lmpse, logEvidence: lmpse + 2 })] })(data, settings, hooks),
  })
  expect(stderr).toContain("backend: fake\n")
}

const table = "a,b,y\n1,2,3\n2,3,4\n3,5,7\n4,1,2\n"

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vasst-compare-"))
  await fit("first", table, -10)
  await fit("second", table, -7)
  await fit("narrow", table, -1e6, "--features", "a")
  await fit("short", "a,b,y\n1,2,3\n2,3,4\n3,5,7\n", -7)
  await fit("other", table.replace("4,1,2", "4,6,2"), -7)
  await fit("tested", table, -7, "--test-fraction", "0.25")
  await fit("renamed", table.replace("y", "z").replace("b", "y"), -7)
  const { data: _data, ...older } = JSON.parse(readFileSync(join(at("first"), "fit.json"), "utf8")) as Record<
    string,
    unknown
  >
  writeFileSync(at("older.json"), JSON.stringify(older))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("vasst compare", () => {
  it("ranks runs of the same data with their odds", async () => {
    const { code, stdout, stderr } = await run(["compare", at("first"), at("second"), at("narrow")])
    expect([code, stderr]).toEqual([0, ""])
    const [header, ...rows] = stdout.split("\n")
    expect(header).toMatch(
      /^run +log evidence +log posterior +odds +unseen +RMSE train +RMSE test +complexity +y/,
    )
    expect(rows[0]).toMatch(/second +-5.00 +-7.00 +1 : 1 /)
    expect(rows[1]).toMatch(/first +-8.00 +-10.00 +1 : 20.1 /)
    expect(rows[2]).toMatch(/narrow +-999998.00 +-1000000.00 +1 : 1e434291 /)
    expect(stdout).toContain("the same data: 4 rows")
  })

  it("prints a document", async () => {
    const { stdout } = await run(["compare", at("first"), at("second"), "--json"])
    const document: unknown = JSON.parse(stdout)
    expect(document).toMatchObject({
      target: "y",
      rows: 4,
      runs: [{ logPosterior: -7 }, { logPosterior: -10 }],
    })
  })

  it.each([
    ["short", "are of different data: 4 rows and 3 rows"],
    ["other", 'are of different data: the values of the column "b" are not the same'],
    ["tested", "were fitted to different rows: 0 and 1 were set aside for tests"],
    ["renamed", 'are of different data: the values of the column "y" are not the same'],
    ["older.json", "this run does not say what its data were; make it again with this version"],
  ])("refuses %s", async (name, message) => {
    const { code, stdout, stderr } = await run(["compare", at("first"), at(name)])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(
      /^vasst: [^\n]*; evidences are comparable on the same rows of the same table only\n$/,
    )
    expect(stderr).toContain(message)
  })

  it("needs two runs", async () => {
    const { code, stderr } = await run(["compare", at("first")])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^vasst: [^\n]+\n$/)
  })
})
