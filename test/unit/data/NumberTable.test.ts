import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as NumberTable from "../../../src/data/NumberTable.ts"

const all = (names: ReadonlyArray<string>) => names
const read = (text: string, choose: (names: ReadonlyArray<string>) => ReadonlyArray<string> = all) =>
  NumberTable.read(text, ",", choose)

describe("a table of numbers", () => {
  it("has the columns that are asked for, in that order", () => {
    const table = read("a,b,c\n1,two,3\n4,five,-6e-1\n", () => ["c", "a"])
    expect(table?.names).toEqual(["c", "a"])
    expect(table?.rows).toBe(2)
    expect(table?.columns.map((column) => [...column])).toEqual([
      [3, -0.6],
      [1, 4],
    ])
  })

  it("may end without a line break, and have those of other systems", () => {
    expect(read("a,b\r\n1,2\r\n3,4")?.columns.map((column) => [...column])).toEqual([
      [1, 3],
      [2, 4],
    ])
  })

  for (const [name, text] of [
    ["nothing below the header", "a,b\n"],
    ["a text", "a,b\n1,x\n"],
    ["an empty cell", "a,b\n1,\n"],
    ["a short row", "a,b\n1\n"],
    ["a long row", "a,b\n1,2,3\n"],
    ["a blank line", "a,b\n1,2\n\n3,4\n"],
    ["white space", "a,b\n1, 2\n"],
    ["quotes", 'a,b\n"1",2\n'],
    ["a quoted header", '"a",b\n1,2\n'],
    ["a byte order mark", "\uFEFFa,b\n1,2\n"],
    ["a name twice", "a,a\n1,2\n"],
    ["a hexadecimal", "a,b\n0x10,2\n"],
    ["a sign alone", "a,b\n-,2\n"],
    ["a point alone", "a,b\n.,2\n"],
    ["an exponent without digits", "a,b\n1e,2\n"],
    ["a number that overflows", "a,b\n1e400,2\n"],
    ["not a number", "a,b\nNaN,2\n"],
  ] as const)
    it(`with ${name} is for the general parser`, () => expect(read(text)).toBeUndefined())

  it("leaves quotes and line breaks of columns beside to the general parser, which knows their ends", () => {
    const first = () => ["a"]
    expect(read('a,b\n1,"x\n2,y"\n', first)).toBeUndefined()
    expect(read("a,b,c\n1,x\n2,y,z\n", first)).toBeUndefined()
    expect(read("a,b\n1,x\n2,y\n", first)?.rows).toBe(2)
  })

  it("is what data sets are read by, with the errors of the general parser", async () => {
    const fails = (text: string, target: string) =>
      Effect.runPromise(Effect.map(Effect.flip(Data.fromCsv(text, { target })), ({ message }) => message))
    expect(await fails("a,y\n1,2\n2,x\n", "y")).toMatch(/row 2 \(line 3\), column "y": "x" is not a number/)
    expect(await fails("a,y\n1,2\n2,3\n", "z")).toMatch(/there is no column "z"/)
    expect(await fails("a,y\n1,2\n2,2\n", "y")).toMatch(/is 2 in all 2 rows/)
  })
})
