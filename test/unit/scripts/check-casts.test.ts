import { describe, expect, it } from "vitest"
import { check } from "../../../scripts/check-casts.mjs"
import * as Length from "../../../scripts/check-length.mjs"

const lines = (source: string) => check({ "src/a.ts": source }).map(({ line }) => line)

describe("check-casts", () => {
  it("finds casts without a comment beside them", () => {
    expect(lines("export const a = 1 as unknown as string\n")).toEqual([1])
    expect(lines("const b = 1\n\nexport const a = f(\n  b as T,\n)\n")).toEqual([4])
  })

  it("accepts a reason on the line of the cast, or on the line before", () => {
    expect(lines("export const a = b as T // b is checked above\n")).toEqual([])
    expect(lines("// b is checked above\nexport const a = b as T\n")).toEqual([])
    expect(lines("export const a = {\n  b: 1,\n} as T /* the names are those of T */\n")).toEqual([])
  })

  it("knows that constants and renamed imports are no casts", () => {
    expect(lines('import { a as b } from "./b.ts"\nexport const c = [b] as const\n')).toEqual([])
  })
})

describe("check-length", () => {
  it("finds files above the limit", () => {
    const file = (count: number) => ({ "src/a.ts": "export {}\n".repeat(count) })
    expect(Length.check(file(Length.LIMIT))).toEqual([])
    expect(Length.check(file(Length.LIMIT + 1)).map(({ message }) => message)).toEqual([
      "has 301 lines, 300 at most: split it by noun",
    ])
  })
})
