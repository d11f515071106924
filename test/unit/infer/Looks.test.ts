import { describe, expect, it } from "vitest"
import * as Looks from "../../../src/infer/Looks.ts"

describe("Looks", () => {
  it("computes a value first when the fit has run for some time, and then so seldom that it takes a share of the time", () => {
    let now = 0
    const looks = Looks.make<number>({ first: 1, share: 0.1 }, () => now)
    const costing = (cost: number) => (seconds: number) =>
      looks.at(seconds, () => {
        now += cost
        return seconds
      })
    // After a look of 0.3 s the next is due 3 s later, and after one that takes nothing at once.
    expect([0, 0.99, 1, 1.1, 3.99].map(costing(0.3))).toEqual([undefined, undefined, 1, 1, 1])
    expect([4, 4.1].map(costing(0))).toEqual([4, 4.1])
  })

  it("takes at most its share of a long fit, and the first look", () => {
    let [now, spent, count] = [0, 0, 0]
    const looks = Looks.make<void>(Looks.usual, () => now)
    for (let seconds = 0; seconds < 1000; seconds += 0.01)
      looks.at(seconds, () => {
        const cost = 0.1 + 0.3 * Math.abs(Math.sin(++count))
        now += cost
        spent += cost
      })
    expect(count).toBeGreaterThan(100)
    expect(spent).toBeLessThanOrEqual(Looks.usual.share * 1000 + 0.4)
  })
})
