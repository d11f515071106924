import { spawnSync } from "node:child_process"
import { gzipSync } from "node:zlib"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Cells from "../../../../src/data/Cells.ts"
import type * as Frame from "../../../../src/data/Frame.ts"
import { run } from "../../../support/cli.ts"
import { at, bytesOf, read, texts } from "../../../support/tables.ts"

const frameOf = async (name: string): Promise<Frame.Frame> => Result.getOrThrow(await read(bytesOf(name)))

/** What a cell says: numbers as numbers, dates by their day. */
const cell = (text: string): number | string => {
  const number = Cells.numberOf(text)
  return Number.isNaN(number) ? text.replace(/^(\d{4}-\d\d-\d\d)T00:00:00.000Z$/, "$1") : number
}

const columns = ["x", "n", "small", "single", "y", "group", "kind", "day", "gap", "serial", "flag"]

describe("a table is the same in every format", () => {
  it.each([
    "table.tsv",
    "table16.csv",
    "table.jsonl",
    "table.json",
    "none.parquet",
    "snappy.parquet",
    "gzip.parquet",
    "brotli.parquet",
    "zstd.parquet",
    "lz4.parquet",
    "uncompressed.arrow",
    "lz4.arrow",
    "zstd.arrow",
    "stream.arrows",
  ])("%s", async (name) => {
    const [csv, other] = [await frameOf("table.csv"), await frameOf(name)]
    expect(other.rows).toBe(40)
    expect(other.columns.slice(0, columns.length)).toEqual(columns)
    for (const one of columns) expect(texts(other, one).map(cell)).toEqual(texts(csv, one).map(cell))
  })

  it("records.npy, without dates and missing values", async () => {
    const [csv, other] = [await frameOf("table.csv"), await frameOf("records.npy")]
    for (const one of ["x", "n", "y", "group", "flag"])
      expect(texts(other, one).map((text) => cell(text.toLowerCase()))).toEqual(texts(csv, one).map(cell))
    expect(texts(other, "serial")).toEqual(texts(csv, "serial"))
  })

  it.each(["matrix.npy", "fortran.npy"])("%s, without names", async (name) => {
    const [csv, other] = [await frameOf("table.csv"), await frameOf(name)]
    expect(other.columns).toEqual(["x0", "x1"])
    expect(texts(other, "x0")).toEqual(texts(csv, "x"))
    expect(texts(other, "x1")).toEqual(texts(csv, "y"))
  })

  it("numbers of two and four bytes", async () => {
    expect(texts(await frameOf("vector.npy"), "x0").slice(0, 3)).toEqual(["0.5", "0.625", "0.75"])
    expect(texts(await frameOf("big.npy"), "x1").slice(0, 2)).toEqual(["1.75", "2.171875"])
  })

  it("an Arrow file whose packed blocks refer to one another", async () => {
    const { rows, values } = await frameOf("many.arrow")
    expect(rows).toBe(20_000)
    expect(values[0]).toEqual(Float64Array.from({ length: 20_000 }, (_, i) => (i % 977) / 4))
  })
})

describe("the command line reads", () => {
  const said = async (path: string, ...flags: ReadonlyArray<string>): Promise<string> =>
    (await run(["fit", path, "--target", "y", "--features", "x", ...flags])).stderr

  it.each(["table.csv.gz", "table.jsonl.gz", "table.json", "snappy.parquet", "lz4.arrow", "stream.arrows"])(
    "%s",
    async (name) => {
      const { code, stderr } = await run(["fit", at(name), "--target", "y", "--features", "x"])
      expect([code, stderr]).toEqual([0, "backend: fake\n"])
    },
  )

  it("packed tables of standard input", async () => {
    const { code } = await run(["fit", "-", "--target", "y", "--features", "x,n"], {
      stdin: gzipSync(bytesOf("zstd.parquet")),
    })
    expect(code).toBe(0)
  })

  it.each([
    ["day", 'row 1, column "day": "2024-02-27T00:00:00.000Z" is a date; give a number'],
    ["serial", 'row 1, column "serial": "9007199254740993" is a whole number beyond 2^53; a number has'],
    ["group", 'row 1, column "group": "north" is not a number; correct it'],
    ["flag", 'row 1, column "flag": "true" is not a number; correct it'],
  ])("and complains about %s alike", async (name, message) => {
    for (const file of ["zstd.parquet", "zstd.arrow"])
      expect((await run(["fit", at(file), "--target", "y", "--features", `x,${name}`])).stderr).toContain(
        message,
      )
    const csv = (await run(["fit", at("table.csv"), "--target", "y", "--features", `x,${name}`])).stderr
    const line = Number(/row (\d+)/.exec(message)![1]) + 1
    expect(csv).toContain(message.replace(/^row \d+/, `$& (line ${line})`).replace("T00:00:00.000Z", ""))
  })

  it("rows that lack a value are left out alike, and said", async () => {
    for (const file of ["zstd.parquet", "zstd.arrow", "table.csv"])
      expect((await run(["fit", at(file), "--target", "y", "--features", "x,gap"])).stderr).toBe(
        "left out: 8 of 40 rows, which lack a value of gap (8)\nbackend: fake\n",
      )
  })

  it("the format that is named, and says where it is another one", async () => {
    expect(await said(at("none.parquet"), "--input-format", "arrow")).toMatch(
      /: this is not Arrow IPC, but Parquet; leave --input-format out, or correct it\n$/,
    )
    expect(await said(at("table.csv"), "--input-format", "npy")).toMatch(/: this is not NumPy .npy; leave/)
    expect(await said(at("table.tsv"), "--input-format", "tsv")).toBe("backend: fake\n")
    expect(await said(at("table.csv"), "--input-format", "tsv")).toMatch(
      /header \(line 1\) has a quote inside a value/,
    )
  })

  it("decimal commas where it is told so", async () => {
    const stdin = "a;y\n1,5;2,5\n2,25;3\n3;4,125\n"
    expect((await run(["fit", "-", "--target", "y"], { stdin })).stderr).toMatch(/or add --decimal comma/)
    let found: ReadonlyArray<number> = []
    await run(["fit", "-", "--target", "y", "--decimal", "comma"], {
      stdin,
      fit: (data) => {
        found = [...data.y, ...data.columns[0]!]
        throw new Error("seen")
      },
    })
    expect(found).toEqual([2.5, 3, 4.125, 1.5, 2.25, 3])
    const { stderr } = await run(["fit", "-", "--target", "y", "--decimal", "comma"], { stdin: "a,y\n1,2\n" })
    expect(stderr).toMatch(/columns are separated by commas here/)
  })

  it("new rows of any format for predictions", async () => {
    const { stderr } = await run(["predict", "nowhere", at("snappy.parquet")])
    expect(stderr).toMatch(/nowhere/)
  })
})

describe("a file that cannot be read is one complaint", () => {
  it.each([
    ["complex.npy", /has the type "<c16"; columns are of numbers or texts/],
    ["cube.npy", /has 3 dimensions/],
  ])("%s", async (name, message) => {
    expect(Result.getFailure(await read(bytesOf(name)))).toMatchObject({
      value: expect.stringMatching(message),
    })
  })

  it.each(["zstd.parquet", "none.parquet", "lz4.arrow", "stream.arrows", "records.npy", "matrix.npy"])(
    "%s, cut off anywhere",
    async (name) => {
      const bytes = bytesOf(name)
      for (let length = 12; length < bytes.length; length += 61) {
        const found = await read(bytes.subarray(0, length))
        // A stream may end behind any of its parts, and then has fewer rows.
        if (name === "stream.arrows" && Result.isSuccess(found)) expect(found.success.rows).toBe(25)
        else
          expect(Result.isFailure(found) && found.failure).toMatch(
            /^file: (this .* file is (broken|cut off)|there are columns|this array|the header of this|there are no columns)/,
          )
      }
    },
  )

  it("a gzip file that is cut off, or broken", async () => {
    const packed = gzipSync(bytesOf("table.csv"))
    const cut = await run(["fit", "-", "--target", "y"], { stdin: packed.subarray(0, 300) })
    expect(cut.stderr).toMatch(/^vasst: standard input: the gzip data are cut off \(300 bytes, \d+ unpacked/)
    packed[200] = packed[200]! ^ 255
    const wrong = await run(["fit", "-", "--target", "y"], { stdin: packed })
    expect(wrong.stderr).toMatch(/^vasst: standard input: the gzip data are broken \(/)
    const twice = await run(["fit", "-", "--target", "y"], { stdin: gzipSync(packed) })
    expect(twice.stderr).toMatch(/packed with gzip twice/)
  })

  it("a small gzip file of more than the memory holds", () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from("x,y\n"), Buffer.alloc(120 * 2 ** 20, "1,2\n")]))
    const args = ["--max-old-space-size=100", "src/cli/main.ts", "fit", "-", "--target", "y"]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", input: bomb })
    expect([status, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(
      /^vasst: standard input: unpacked, this needs \d+ MB of memory, .*max-old-space-size=\d+\n$/,
    )
  })

  it.each([
    ["zip", [0x50, 0x4b, 3, 4, 0], "this is a zip archive or a spreadsheet, not text; save it as CSV first"],
    ["zstd", [0x28, 0xb5, 0x2f, 0xfd, 0], "this is a zstd archive; unpack it first, or pack it with gzip"],
    [
      "UTF-16 without its mark",
      [0x61, 0, 0x2c, 0, 0x62, 0],
      "this looks like UTF-16 without its byte order mark; save the data as CSV in UTF-8",
    ],
    ["HDF5", [0x89, 0x48, 0x44, 0x46, 0], "this is HDF5; save the table as CSV or Parquet first"],
  ])("%s", async (_, bytes, message) => {
    expect(await read(Uint8Array.from(bytes))).toEqual(Result.fail(`file: ${message}`))
  })
})

describe("JSON lines", () => {
  const json = (text: string) => read(new TextEncoder().encode(text))

  it("keep whole numbers beyond 2^53, and say that they do not fit", async () => {
    const frame = Result.getOrThrow(await json('{"id": 9007199254740993, "y": 1e400}\n{"id": 1, "y": 2}\n'))
    expect(texts(frame, "id")).toEqual(["9007199254740993", "1"])
    expect(texts(frame, "y")).toEqual(["1e400", "2"])
  })

  it("may have lists and objects in columns, which are texts", async () => {
    const frame = Result.getOrThrow(await json('{"y": 1, "meta": {"v": [1, 2]}}\n{"y": 2, "meta": [3]}\n'))
    expect(texts(frame, "y")).toEqual(["1", "2"])
    expect(texts(frame, "meta")).toEqual(['{"v":[1,2]}', "[3]"])
  })

  it("may lack keys, have lists with a header, and names that objects have", async () => {
    const frame = Result.getOrThrow(
      await json('{"__proto__": 1}\n\n{"constructor": null, "__proto__": 2, "mass [kg]": 3}\n'),
    )
    expect(frame.columns).toEqual(["__proto__", "constructor", "mass"])
    expect(frame.units).toEqual({ mass: "kg" })
    expect(texts(frame, "__proto__")).toEqual(["1", "2"])
    expect(texts(frame, "constructor")).toEqual(["", ""])
    expect([...frame.lines!]).toEqual([1, 3])
    const lists = Result.getOrThrow(await json('["a", "b"]\n[1, 2]\n[3, "x"]\n'))
    expect([texts(lists, "a"), texts(lists, "b")]).toEqual([
      ["1", "3"],
      ["2", "x"],
    ])
  })

  it.each([
    [
      '{"a": 1}\n{"a": NaN}\n',
      "file: row 2 (line 2) is no JSON; NaN and infinity are no numbers of JSON: write null",
    ],
    [
      '{"a": 1}\n{"a": \n',
      'file: row 2 (line 2) is no JSON: each line holds one object, such as {"x": 1.5, "y": 2}',
    ],
    ['{"a": 1}\n[1]\n', 'file: row 2 (line 2) is no object; each row is one, such as {"x": 1.5, "y": 2}'],
    ['{"a": 1, "a [m]": 2}\n', 'file: the column "a" occurs twice; rename one of the two'],
    ["[]\n", 'file: there are no data: expected an object such as {"x": 1.5, "y": 2} on each line'],
  ])("%j is a complaint", async (text, message) => {
    expect(await json(text)).toEqual(Result.fail(message))
  })
})
