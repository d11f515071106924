import { describe, expect, it } from "vitest"
import * as Deadline from "../../../src/rank/Deadline.ts"

describe("a deadline", () => {
  it("tells which share of the time that was left is used up", () => {
    let left = 8
    const used = Deadline.begun({ left: () => left })
    expect([0.25, 1].map(used)).toEqual([false, false])
    left = 5
    expect([0.25, 0.5, 1].map(used)).toEqual([true, false, false])
    left = 0
    expect(used(1)).toBe(true)
  })

  it("has parts, each a deadline with parts of its own", () => {
    let left = 8
    const half = Deadline.parts({ left: () => left })(0.5)
    expect(half.left()).toBe(4)
    left = 6
    const used = Deadline.begun(half)
    expect([half.left(), used(0.4)]).toEqual([2, false])
    left = 5
    expect([half.left(), used(0.4), used(0.6)]).toEqual([1, true, false])
    left = 4
    expect(used(1)).toBe(true)
  })

  it("that has passed is used up, and one that comes from elsewhere is when it is", () => {
    expect(Deadline.begun({ left: () => -1 })(0)).toBe(true)
    let left = Infinity
    const used = Deadline.begun({ left: () => left })
    expect(used(1)).toBe(false)
    left = 0
    expect(used(0.1)).toBe(true)
    expect(Deadline.begun(Deadline.none)(1)).toBe(false)
  })
})
