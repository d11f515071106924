import { describe, expect, it } from "vitest"
import { ranks } from "../../../src/numeric/ranks.ts"

describe("ranks", () => {
  it("are places among distinct values, as shares", () => {
    expect([...ranks(Float64Array.of(3e9, -1, 3e9, 0, 1e-30))]).toEqual([0.75, 0, 0.75, 0.25, 0.5])
    expect([...ranks(Float64Array.of(5, 5))]).toEqual([0, 0])
    expect([...ranks(new Float64Array(0))]).toEqual([])
  })
})
