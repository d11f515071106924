import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Csv from "../../../src/data/Csv.ts"

const cells = (text: string) =>
  Effect.map(Csv.parse(text), ({ columns, rows }) => [columns, ...rows.map((row) => row.cells)])

const message = (text: string) => Effect.map(Effect.flip(Csv.parse(text)), (error) => error.message)

const table = [
  ["a", "b"],
  ["1", "2"],
  ["3", "4"],
]

describe("Csv.parse", () => {
  for (const [name, text] of [
    ["commas", "a,b\n1,2\n3,4\n"],
    ["tabs", "a\tb\n1\t2\n3\t4\n"],
    ["semicolons", "a;b\n1;2\n3;4\n"],
    ["CRLF", "a,b\r\n1,2\r\n3,4\r\n"],
    ["CR", "a,b\r1,2\r3,4\r"],
    ["mixed line endings", "a,b\r\n1,2\n3,4\r"],
    ["no line ending at the end", "a,b\n1,2\n3,4"],
    ["a byte order mark", "\uFEFFa,b\n1,2\n3,4\n"],
    ["a byte order mark before a quote", '\uFEFF"a",b\n1,2\n3,4\n'],
    ["blank lines", "\na,b\n\n1,2\n  \n3,4\n\n\n"],
    ["blanks", "a b\n1 2\n3 4\n"],
    ["blanks that align columns", "  a   b  \n 1   2\n  3 4 \n"],
    ["remarks above", "# of Tuesday, 9 a.m.\n#\n\na,b\n1,2\n3,4\n"],
    ["names in a remark", "# made by a program\r\n# a,b\r\n1,2\r\n3,4\r\n"],
    ["names in a remark and blanks", "# a b\n1 2\n3 4\n"],
    ["rows without a value at the end", "a,b\n1,2\n3,4\n,\n , \n"],
    ["white space around cells", " a , b\n 1,2 \n3\t, 4\n"],
    ["quoted cells", '"a","b"\n"1",2\n3, "4" \n'],
  ] as const)
    it.effect(`accepts ${name}`, () => Effect.map(cells(text), (rows) => expect(rows).toEqual(table)))

  it.effect("counts the lines of remarks, and keeps names that begin with #", () =>
    Effect.gen(function* () {
      const { rows } = yield* Csv.parse("# one\n# two\nx,y\n1,2\n")
      expect(rows.map(({ line }) => line)).toEqual([4])
      for (const text of ["#,x\n1,2\n", "#1,x\n1,2\n", "#1;x\na;2\n"])
        expect((yield* Csv.parse(text)).columns).toEqual([text.split(/[,;]/)[0], "x"])
    }),
  )

  it.effect("keeps delimiters, line breaks and doubled quotes of quoted cells", () =>
    Effect.map(cells('"a,""x""";"b;\nc"\n1;2\n'), (rows) =>
      expect(rows).toEqual([
        ['a,"x"', "b;\nc"],
        ["1", "2"],
      ]),
    ),
  )

  it.effect("does not count delimiters inside quotes", () =>
    Effect.map(cells('"x,y,z,u";b\n1;2\n'), ([columns]) => expect(columns).toEqual(["x,y,z,u", "b"])),
  )

  it.effect("keeps empty cells of tables with tabs", () =>
    Effect.map(cells("a\tb\tc\n\t1\t\n1\t\t2\n"), ([, ...rows]) =>
      expect(rows).toEqual([
        ["", "1", ""],
        ["1", "", "2"],
      ]),
    ),
  )

  it.effect("knows the line of a row below blank lines and line breaks", () =>
    Effect.map(Csv.parse('a,b\n\n1,2\n"x\ny",3\r\n4,5\n'), ({ rows }) =>
      expect(rows.map(({ line }) => line)).toEqual([3, 5, 6]),
    ),
  )

  for (const [name, text, expected] of [
    ["an empty file", "", "there are no data: expected a row of column names, and rows of numbers below it"],
    [
      "blank lines only",
      "\n \n",
      "there are no data: expected a row of column names, and rows of numbers below it",
    ],
    [
      "a header only",
      "a,b,long name\n",
      'there is a header (a, b, "long name"), but no row of values below it',
    ],
    ["a header above empty cells", "a,b\n,\n", "there is a header (a, b), but no row of values below it"],
    [
      "a short row",
      "a,b,c\n1,2,3\n\n1,2\n",
      "row 2 (line 4) has 2 values, but the header names 3 columns; " +
        "add or remove values, or quote values that hold a delimiter",
    ],
    [
      "a long row",
      "a\n1\n1,2\n",
      "row 2 (line 3) has 2 values, but the header names 1 column; " +
        "add or remove values, or quote values that hold a delimiter",
    ],
    [
      "columns of one name",
      "a,b,a\n1,2,3\n",
      'the column "a" occurs twice in the header; rename one of the two',
    ],
    [
      "a quote that stays open",
      'a,b\n1,"2\n3,4\n',
      'row 1 has a quote that is never closed; add the missing "',
    ],
    [
      "a header whose quote stays open",
      'a,"b\n1,2\n',
      'the header has a quote that is never closed; add the missing "',
    ],
    [
      "a quote inside a value",
      'a,b\n1,2"3\n',
      'row 1 (line 2) has a quote inside a value; write the whole value in quotes and double the quote inside ("")',
    ],
    ["a binary file", "a,b\n\0\u0001", "this is a binary file, not text; save the data as CSV"],
  ] as const)
    it.effect(`refuses ${name}`, () => Effect.map(message(text), (text) => expect(text).toBe(expected)))

  it.effect("reads wide tables", () => {
    const names = Array.from({ length: 20_000 }, (_, j) => `column${j}`)
    return Effect.map(Csv.parse(`${names.join()}\n${names.map((_, j) => j).join()}\n`), ({ columns, rows }) =>
      expect([columns.length, rows[0]?.cells[19_999]]).toEqual([20_000, "19999"]),
    )
  })
})

describe("Csv.decode", () => {
  const utf16 = (text: string, little: boolean): Uint8Array => {
    const bytes = new Uint8Array(2 * text.length)
    const view = new DataView(bytes.buffer)
    for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), little)
    return bytes
  }

  for (const [name, bytes] of [
    ["UTF-8", new TextEncoder().encode("µ,b\n")],
    ["UTF-8 with a mark", new TextEncoder().encode("\uFEFFµ,b\n")],
    ["little UTF-16", utf16("\uFEFFµ,b\n", true)],
    ["big UTF-16", utf16("\uFEFFµ,b\n", false)],
  ] as const)
    it.effect(`reads ${name}`, () => Effect.map(Csv.decode(bytes), (text) => expect(text).toBe("µ,b\n")))

  for (const [name, bytes, expected] of [
    [
      "Latin-1",
      [0xb5, 0x2c, 0x0a],
      'this is not text in UTF-8; save the data as CSV in UTF-8 ("CSV UTF-8" in Excel)',
    ],
    [
      "a spreadsheet",
      [0x50, 0x4b, 3, 4, 20],
      "this is a zip archive or a spreadsheet, not text; save it as CSV first",
    ],
    ["a gzip archive", [0x1f, 0x8b, 8], "this is a gzip archive, not text; unpack it first"],
  ] as const)
    it.effect(`refuses ${name}`, () =>
      Effect.map(Effect.flip(Csv.decode(Uint8Array.from(bytes))), (error) =>
        expect(error.message).toBe(expected),
      ),
    )
})

describe("messages", () => {
  it("cut long values, keep to one line, and list twenty names", () => {
    expect(Csv.quote("x\ny")).toBe('"x\\ny"')
    expect(Csv.quote("x".repeat(50))).toBe(`"${"x".repeat(40)}..."`)
    expect(Csv.list(Array.from({ length: 23 }, (_, j) => `x${j}`))).toMatch(/^x0, x1, .*, x19, and 3 more$/)
  })
})
