import { existsSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spawnSync } from "node:child_process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../support/cli.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vasst-source-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const complaint = async (path: string, ...flags: ReadonlyArray<string>): Promise<string> => {
  const { code, stdout, stderr } = await run(["fit", path, "--target", "y", ...flags])
  expect([code, stdout]).toEqual([1, ""])
  return stderr
}

describe("a table that cannot be read", () => {
  it("is too long for a text", async () => {
    const path = join(folder, "long.csv")
    writeFileSync(path, "x,y\n")
    // A hole takes no place on the disk.
    truncateSync(path, 2 ** 29)
    expect(await complaint(path, "--stream=never")).toMatch(
      /long\.csv: this has more than 511 MB, .* reads a CSV or Parquet file of any size in parts, .* without --stream never; .*\n$/,
    )
  })

  it.skipIf(!existsSync("/dev/zero"))("has no end", async () => {
    expect(await complaint("/dev/zero")).toBe(
      "vasst: /dev/zero: this is a binary file, not text; save the data as CSV\n",
    )
  })

  it("is a circle of links", async () => {
    const [a, b] = [join(folder, "a.csv"), join(folder, "b.csv")]
    symlinkSync(a, b)
    symlinkSync(b, a)
    expect(await complaint(a)).toBe(`vasst: ${a}: its symbolic links lead in a circle\n`)
  })

  it("is too large for the heap", () => {
    const path = join(folder, "heap.csv")
    writeFileSync(path, "x,y\n")
    truncateSync(path, 100 * 2 ** 20)
    const args = [
      "--max-old-space-size=100",
      "src/cli/main.ts",
      "fit",
      path,
      "--target",
      "y",
      "--stream=never",
    ]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
    expect([status, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^vasst: .*heap\.csv: this needs 198 MB of memory, .*--max-old-space-size=396\n$/)
  })
})

describe("columns", () => {
  const table = '"a,b","c""d",2,y\n1,4,1,5\n2,2,3,4\n3,7,2,10\n4,1,1,5\n'
  const columns = async (list: string): Promise<ReadonlyArray<string> | string> => {
    let found: ReadonlyArray<string> = []
    const { stderr } = await run(["fit", "-", "--target", "y", "--features", list], {
      stdin: table,
      fit: (data) => {
        found = data.features
        throw new Error("seen")
      },
    })
    return found.length > 0 ? found : stderr
  }

  it("with a comma or a quotation mark in their names are listed in quotation marks", async () => {
    expect(await columns('"a,b", 2')).toEqual(["a,b", "2"])
    expect(await columns('2,"c""d"')).toEqual(["2", 'c"d'])
  })

  it.each(['"a,b', '"a"b', "2,", "2,,y", '""'])("are not listed as %s", async (list) => {
    expect(await columns(list)).toMatch(/^vasst: .*features/)
  })
})
