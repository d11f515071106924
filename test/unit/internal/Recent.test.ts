import { describe, expect, it } from "vitest"
import * as Recent from "../../../src/internal/Recent.ts"

describe("the latest values", () => {
  it("are as many as are kept, whatever was asked for", () => {
    const recent = Recent.make<number>(3)
    for (let i = 0; i < 1000; i++) {
      recent.of(`${i % 17}`, () => i)
      expect(recent.size()).toBe(Math.min(3, i + 1))
    }
  })

  it("are made anew once they were left out, and known until then", () => {
    const recent = Recent.make<string>(2)
    const made: Array<string> = []
    const ask = (key: string): string =>
      recent.of(key, (known) => {
        if (known === undefined) made.push(key)
        return known ?? key
      })
    for (const key of ["a", "b", "a", "c", "a", "b"]) expect(ask(key)).toBe(key)
    expect(made).toEqual(["a", "b", "c", "b"])
  })

  it("may be replaced by what is made of them", () => {
    const recent = Recent.make<number>(1)
    expect([1, 2, 3].map(() => recent.of("a", (known = 0) => known + 1))).toEqual([1, 2, 3])
  })
})
