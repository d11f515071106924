import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as CsvChunks from "../../../src/data/CsvChunks.ts"
import * as Data from "../../../src/data/Data.ts"

const bytes = (text: string | Uint8Array, size: number): Stream.Stream<Uint8Array> => {
  const all = typeof text === "string" ? new TextEncoder().encode(text) : text
  return Stream.fromIterable(
    Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.subarray(k * size, (k + 1) * size)),
  )
}

const read = (
  text: string | Uint8Array,
  size: number,
  wanted: CsvChunks.Wanted = { target: "y" },
): Promise<{
  readonly columns: ReadonlyArray<ReadonlyArray<number>>
  readonly chunks: number
  readonly units: object
}> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { chunks, units } = yield* CsvChunks.open(bytes(text, size), wanted)
      const parts = yield* Stream.runCollect(chunks.chunks)
      const columns = [...chunks.features, chunks.target].map((_, j) =>
        parts.flatMap((part) => Array.from(part.columns[j] ?? part.y)),
      )
      return { columns, chunks: parts.length, units }
    }),
  )

const complaint = (text: string | Uint8Array, size: number, wanted?: CsvChunks.Wanted): Promise<string> =>
  read(text, size, wanted).then(
    () => "no complaint",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

describe("a CSV file in chunks", () => {
  const plain = `a,b,y\n${Array.from({ length: 50 }, (_, k) => `${k / 4},${-k}e-1,${k * k}`).join("\n")}\n`

  it("has the numbers that the whole text has, wherever it is cut", async () => {
    const whole = await Effect.runPromise(Data.fromCsv(plain, { target: "y" }))
    for (const size of [1, 7, 64, 1000]) {
      const found = await read(plain, size)
      expect(found.columns).toEqual([...whole.columns, whole.y].map((column) => [...column]))
    }
    expect((await read(plain, 64)).chunks).toBeGreaterThan(5)
    expect((await read(plain, 64, { target: "a", features: ["y"] })).columns).toEqual(
      [whole.y, whole.columns[0]!].map((column) => [...column]),
    )
  })

  it("reads a byte order mark, other line ends, tabs, units, quoted cells and a last line without an end", async () => {
    const text = `\uFEFFname\tmass [kg]\ty\r\n"a\n""b"""\t1\t2\r\nc\t 3 \t4\r\n\r\n"d"\t5\t6`
    for (const size of [3, 11, 500]) {
      const found = await read(text, size, { target: "y", features: ["mass"] })
      expect(found.columns).toEqual([
        [1, 3, 5],
        [2, 4, 6],
      ])
      expect(found.units).toEqual({ mass: "kg" })
    }
  })

  it("says where a wrong cell is, in rows and lines of the file", async () => {
    const wrong = plain.replace("7.5,", "seven,")
    for (const size of [20, 64, 10_000])
      expect(await complaint(wrong, size)).toMatch(
        /^row 31 \(line 32\), column "a": "seven" is not a number; /,
      )
    expect(await complaint(plain.replace("7.5,-30e-1", "7.5"), 64)).toMatch(
      /has 2 values, but the header names 3/,
    )
  })

  it("refuses unknown columns, other encodings and files without rows", async () => {
    expect(await complaint(plain, 64, { target: "z" })).toContain('there is no column "z"')
    expect(await complaint(new Uint8Array([97, 44, 121, 10, 0xff, 0xfe, 10]), 4)).toContain(
      "not text in UTF-8",
    )
    expect(await complaint("a,y", 64)).toContain("no row below the header")
    expect(await complaint("y\n1\n2\n", 64)).toContain("no feature")
    expect(await complaint("a,a,y\n1,2,3\n", 64)).toContain("occurs twice")
  })
})
