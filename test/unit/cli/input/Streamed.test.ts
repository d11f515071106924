import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Csv from "../../../../src/data/Csv.ts"
import { run } from "../../../support/cli.ts"
import { table } from "../../../support/streamed.ts"

const folder = mkdtempSync(join(tmpdir(), "vasst-streamed-"))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)

const data = table(900, (a, b) => 3 * a * b, 0.5)
const names = [...data.features, data.target]
const columns = [...data.columns, data.y]

beforeAll(() => {
  const rows = Array.from({ length: data.rows }, (_, i) => columns.map((column) => column[i]!))
  const text = Csv.format([names, ...rows])
  writeFileSync(at("table.csv"), text)
  writeFileSync(at("table.csv.gz"), gzipSync(text))
  writeFileSync(at("wrong.csv"), text.replace(/\n([^,]*),/, "\nnine,"))
  writeFileSync(
    at("table.parquet"),
    new Uint8Array(
      parquetWriteBuffer({
        columnData: names.map((name, j) => ({ name, data: columns[j]!, type: "DOUBLE" })),
        rowGroupSize: 200,
      }),
    ),
  )
})

const fit = (...args: ReadonlyArray<string>) =>
  run(["fit", ...args, "--target", "y", "--stream", "always", "--effort", "2000", "--workers", "1"])

describe("vasst fit --stream always", () => {
  it("reads CSV and Parquet in parts, with the same laws, and says so", async () => {
    const out = at("out")
    const [csv, parquet] = [
      await fit(at("table.csv"), "--json", "--out", out),
      await fit(at("table.parquet"), "--json"),
    ]
    expect(csv.stderr).toMatch(
      /^backend: simd\nread in parts [3-8] times: 900 rows, of which the search saw 900; the evidence is that of all rows, /,
    )
    expect(csv.code).toBe(0)
    const expressions = (stdout: string): ReadonlyArray<string> =>
      (JSON.parse(stdout) as { readonly models: ReadonlyArray<{ readonly expression: string }> }).models.map(
        ({ expression }) => expression.replaceAll(/(\d\.\d{4})\d+/g, "$1"),
      )
    expect(expressions(csv.stdout)[0]).toBe("3*x0*x1")
    expect(expressions(parquet.stdout)).toEqual(expressions(csv.stdout))
    expect(JSON.parse(readFileSync(join(out, "fit.json"), "utf8"))).toMatchObject({ data: { rows: 900 } })
    expect(readFileSync(join(out, "report.txt"), "utf8")).toContain("900 rows")
  })

  it.each([
    [["--group", "x0"], "--group needs all rows in memory"],
    [["--where", "x0 > 2"], "--where needs all rows in memory"],
    [["--column", "z=x0^2"], "--column needs all rows in memory"],
    [["--objective", "elbo"], "--objective elbo|--effort is for"],
    [["--noise", "heavy"], "its noise is additive"],
    [["--features", "x7"], 'there is no column "x7"; the columns are'],
  ])("refuses %j in one line", async (flags, message) => {
    const { code, stderr } = await fit(at("table.csv"), ...flags)
    expect(code).toBe(1)
    expect(stderr.split("\n").filter((line) => !line.startsWith("backend"))).toHaveLength(2)
    expect(stderr).toMatch(new RegExp(message))
  })

  it("names the file and the row, and formats that are not read in parts", async () => {
    expect((await fit(at("wrong.csv"))).stderr).toMatch(
      /^vasst: .*wrong\.csv: row 1 \(line 2\), column "x0": "nine" is not a number; /m,
    )
    expect((await fit(at("table.csv.gz"))).stderr).toContain(
      "this is packed with gzip, which is not read in parts",
    )
    expect((await fit("-")).stderr).toContain("standard input: this can be read once")
    expect((await fit(at("missing.csv"))).stderr).toContain("there is no such file")
    expect((await fit(folder)).stderr).toContain("this is a directory")
  })
})
