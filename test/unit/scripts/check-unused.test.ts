import { describe, expect, it } from "vitest"
import { unused } from "../../../scripts/check-unused.mjs"

const names = (sources: Record<string, string>, pages: ReadonlyArray<string> = []) =>
  unused(sources, pages, new Set(["src/open.ts"])).map(({ file, name }) => `${file}: ${name}`)

describe("check-unused", () => {
  it("finds modules that nothing reaches, also by way of others", () => {
    const sources = {
      "src/open.ts": 'import { a } from "./a.ts"\nexport const o = a',
      "src/a.ts": "export const a = 1",
      "src/b.ts": 'import { c } from "./c.ts"\nexport const b = c',
      "src/c.ts": "export const c = 1",
    }
    expect(names(sources)).toEqual(["src/b.ts: the module", "src/c.ts: the module"])
    expect(names({ ...sources, "bench/run.ts": 'import { b } from "../src/b.ts"\nb' })).toEqual([])
  })

  it("finds exports that are named nowhere, in comments neither", () => {
    const sources = {
      "src/open.ts": 'import * as A from "./a.ts"\n// A.c, A.d\nexport const o = A.a',
      "src/a.ts": "export const a = 1\nexport const b = 2\nexport const c = 3\nexport type d = typeof b\n",
    }
    expect(names(sources)).toEqual(["src/a.ts: c", "src/a.ts: d"])
    expect(names(sources, ["A.c"])).toEqual(["src/a.ts: d"])
  })

  it("leaves public modules alone", () => {
    expect(names({ "src/open.ts": "export const a = 1" })).toEqual([])
  })

  it("knows imports of the package by name", () => {
    const sources = { "src/a.ts": "export const a = 1", "examples/x.ts": 'import { a } from "vasst/a"\na' }
    expect(names(sources)).toEqual([])
  })
})
