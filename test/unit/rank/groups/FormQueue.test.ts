// The order in which forms of groups are fitted.
import { describe, expect, it } from "vitest"
import * as FormQueue from "../../../../src/rank/groups/FormQueue.ts"

const form = (name: string, numbers: number, score: number) => ({
  name,
  numbers,
  score,
  work: FormQueue.workOf(numbers),
})
const names = (list: ReadonlyArray<{ readonly name: string }>): string =>
  list.map(({ name }) => name).join("")

describe("FormQueue", () => {
  it("gives each number of numbers the same time, and forms of as many numbers in the order of their scores", () => {
    const list = [
      form("f", 4, 900),
      form("e", 3, 901),
      form("d", 2, 880),
      form("c", 3, 902),
      form("a", 2, 890),
      form("b", 2, 885),
    ]
    // Work up to each: 16 (a), 32 (b), 48 (d), 81 (c), 162 (e), 256 (f).
    expect(names(FormQueue.make(10, 1000).chosen(list, 6))).toBe("abdcef")
    expect(names(FormQueue.make(10, 1000).chosen(list, 2))).toBe("ab")
  })

  it("has those last that could not come to the best, were all their numbers shared", () => {
    const queue = FormQueue.make(10, 1000)
    // A number of each group's own costs nine times half the log of the rows more than a shared one: 62.2 for two.
    const [near, far] = [form("n", 2, 938), form("f", 2, 937)]
    expect(names(queue.chosen([far, near, form("t", 4, 1000)], 3))).toBe("ntf")
    expect([near, far].map(queue.isHopeful)).toEqual([true, false])
    // The best of all lists counts.
    queue.chosen([form("b", 3, 1001)], 1)
    expect(queue.isHopeful(near)).toBe(false)
  })
})
