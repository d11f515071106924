// Files that are broken, odd or hostile: each gives a right table or one line, and never a crash, a trace or a hang.
import { gunzipSync, gzipSync } from "node:zlib"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Format from "../../src/cli/input/Format.ts"
import * as Csv from "../../src/data/Csv.ts"
import type * as Frame from "../../src/data/Frame.ts"
import type { Dataset } from "../../src/data/Data.ts"
import { fake, run } from "../support/cli.ts"
import { bytesOf, read as readTable, texts } from "../support/tables.ts"
import { names, parquetOf } from "./corpus.ts"

/** The longest complaint: names and values are cut in it. */
const longest = 3000

/** A table that holds together, or one line. */
const check = async (
  bytes: Uint8Array,
  settings: Parameters<typeof readTable>[1] = {},
): Promise<Frame.Frame | string> => {
  const found = await readTable(bytes, settings)
  if (Result.isFailure(found)) {
    expect(found.failure).toMatch(/^file: /)
    expect(found.failure.length).toBeLessThan(longest)
    // What a programmer would read.
    expect(found.failure).not.toMatch(/undefined|\[object|TypeError|at .*\.(ts|js):\d/)
    return found.failure
  }
  const frame = found.success
  expect(frame.rows).toBeGreaterThan(0)
  expect(frame.values.length).toBe(frame.columns.length)
  for (const values of frame.values) {
    expect(values.length).toBe(frame.rows)
    if (values instanceof Float64Array) expect(values.every(Number.isFinite)).toBe(true)
    else expect(values.every((one) => typeof one === "string")).toBe(true)
  }
  return frame
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const cells = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    "",
    "NaN",
    "1e999",
    "-",
    "1,5",
    "0x1F",
    "９",
    "2024-01-01",
    "true",
    "null",
    "9007199254740993",
    "∞",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
)
const grids = fc
  .tuple(fc.uniqueArray(names, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([header, rows]) =>
    fc.record({
      header: fc.constant(header),
      rows: fc.array(fc.array(cells, { minLength: header.length, maxLength: header.length }), {
        minLength: rows,
        maxLength: rows,
      }),
    }),
  )

describe("separated values", () => {
  it("that are quoted come back, whatever is in them (2,000 cases)", () =>
    fc.assert(
      fc.asyncProperty(
        grids,
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.boolean(),
        async ({ header, rows }, delimiter, end, mark) => {
          const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
          const text = [header, ...rows].map((row) => row.map(quoted).join(delimiter)).join(end)
          const found = await check(utf8(`${mark ? "\uFEFF" : ""}${text}${end}`), {
            inputFormat: delimiter === "\t" ? "tsv" : undefined,
          })
          if (typeof found === "string") return
          // Units in names and rows without values at the end are left out.
          expect(found.columns).toEqual(header.map((one) => Csv.heading(one).name))
          for (const [k, name] of found.columns.entries())
            if (name !== "" && found.columns.indexOf(name) === k)
              expect(texts(found, name)).toEqual(rows.slice(0, found.rows).map((row) => row[k]!))
        },
      ),
      { numRuns: 2000 },
    ))

  it("of any characters (3,000 cases)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            '"',
            ",",
            ";",
            "\t",
            "\n",
            "\r",
            "1",
            "x",
            " ",
            "\uFEFF",
            "\0",
            "-",
            "e",
            "[",
            "]",
            "é",
          ),
          {
            maxLength: 40,
          },
        ),
        async (parts) => void (await check(utf8(parts.join("")))),
      ),
      { numRuns: 3000 },
    ))
})

describe("JSON lines", () => {
  it("of any values (2,000 cases)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }), fc.jsonValue()),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        fc.boolean(),
        async (values, whole) => {
          const text = whole
            ? JSON.stringify(values)
            : values.map((value) => JSON.stringify(value)).join("\n")
          await check(utf8(text), { data: "file.jsonl" })
        },
      ),
      { numRuns: 2000 },
    ))

  it("with a character changed (1,500 cases)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom("", "{", "}", "[", '"', ",", "\\", "\n", "9".repeat(400), "NaN", "\u0000"),
        async (at, put) => {
          const text = '{"x": 1.5, "__proto__": 2, "y": "3"}\n{"x": 9007199254740993, "y": 1e-400}\n'
          const k = at % text.length
          await check(utf8(`${text.slice(0, k)}${put}${text.slice(k + 1)}`), { data: "file.jsonl" })
        },
      ),
      { numRuns: 1500 },
    ))
})

describe("binary files", () => {
  const files = [
    ["none.parquet", 250],
    ["zstd.parquet", 250],
    ["snappy.parquet", 200],
    ["brotli.parquet", 200],
    ["gzip.parquet", 200],
    ["lz4.parquet", 200],
    ["uncompressed.arrow", 400],
    ["lz4.arrow", 400],
    ["zstd.arrow", 300],
    ["stream.arrows", 400],
    ["records.npy", 700],
    ["matrix.npy", 500],
    ["table.csv.gz", 300],
    ["table16.csv", 300],
  ] as const

  it.each(files)("%s with bytes changed, put in, or taken out (%i cases)", async (name, numRuns) => {
    const bytes = bytesOf(name)
    const plain = await check(name.endsWith(".gz") ? gunzipSync(bytes) : bytes)
    expect(plain).toEqual(await check(bytes))
    let [packed, read] = [0, 0]
    const places = fc.oneof(
      fc.nat({ max: Math.min(200, bytes.length - 1) }),
      fc.nat({ max: bytes.length - 1 }),
      fc.integer({ min: Math.max(0, bytes.length - 300), max: bytes.length - 1 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(places, fc.constantFrom(0, 1, 127, 128, 255), fc.constantFrom("change", "cut", "add")),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        async (edits) => {
          let wrong = Uint8Array.from(bytes)
          for (const [place, value, kind] of edits) {
            const at = place % Math.max(1, wrong.length)
            if (kind === "change") wrong[at] = value
            else if (kind === "cut") wrong = wrong.slice(0, at)
            else wrong = Uint8Array.from([...wrong.subarray(0, at), value, ...wrong.subarray(at)])
          }
          const found = await check(wrong)
          // The checksum tells of other values: what is read of a packed table is the table.
          if (Format.isGzip(wrong) && typeof found !== "string") {
            expect(found).toEqual(plain)
            read++
          }
          if (Format.isGzip(wrong)) packed++
        },
      ),
      { numRuns },
    )
    // Most are told, and some changes say nothing, such as that of the time.
    if (name.endsWith(".gz")) {
      expect(packed).toBeGreaterThan(numRuns / 2)
      expect(read).toBeGreaterThan(0)
      expect(read).toBeLessThan(packed / 2)
    } else expect(packed).toBe(0)
  })

  it("of which the first bytes alone are right (500 cases)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          "PAR1",
          "ARROW1\0\0",
          "\u0093NUMPY",
          "\u00ff\u00ff\u00ff\u00ff",
          "\u001f\u008b",
          "PK\u0003\u0004",
        ),
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom("", "PAR1", "ARROW1"),
        async (first, middle, last) => {
          const raw = (text: string): ReadonlyArray<number> => Array.from(text, (one) => one.charCodeAt(0))
          const bytes = Uint8Array.from([...raw(first), ...middle, ...raw(last)])
          await check(bytes)
        },
      ),
      { numRuns: 500 },
    ))
})

describe("Parquet that is written here", () => {
  it("comes back, whatever is in it (300 cases)", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          names.filter((name) => Csv.heading(name.trim()).name === name),
          { minLength: 1, maxLength: 4 },
        ),
        fc.array(fc.oneof(fc.double(), fc.constant(null)), { minLength: 1, maxLength: 6 }),
        async (header, values) => {
          const found = await check(parquetOf(header, values))
          if (typeof found === "string") {
            expect(found).toMatch(/occurs twice/)
            return
          }
          expect(found.columns).toEqual(header)
          for (const name of header)
            expect(texts(found, name)).toEqual(values.map((value) => (value === null ? "" : String(value))))
        },
      ),
      { numRuns: 300 },
    ))
})

it("packed tables with a byte changed are told by the command line, but for bytes that say nothing", async () => {
  const text = utf8("x,y\n1,2\n2,3\n3,5\n")
  const fitOf = async (stdin: Uint8Array) => {
    const seen: Array<Dataset> = []
    const outcome = await run(["fit", "-", "--target", "y"], {
      stdin,
      fit: fake({}, (data) => seen.push(data)),
    })
    return { ...outcome, seen }
  }
  const plain = await fitOf(text)
  expect([plain.code, plain.seen.length]).toEqual([0, 1])
  const packed = gzipSync(text)
  const silent: Array<number> = []
  for (let at = 2; at < packed.length; at++) {
    const wrong = Uint8Array.from(packed)
    wrong[at] = wrong[at]! ^ 0x55
    const found = await fitOf(wrong)
    if (found.code === 0) {
      silent.push(at)
      expect(found).toEqual(plain)
    } else {
      expect(found.stderr).toMatch(/^vasst: standard input: the gzip data are (broken|cut off) [^\n]+\n$/)
      expect(found.seen).toEqual([])
    }
  }
  // The time of packing, its effort and its system.
  expect(silent).toEqual([4, 5, 6, 7, 8, 9])
})
