import { describe, expect, it } from "vitest"
import * as RestartAgreement from "../../../src/search/RestartAgreement.ts"

/** How many restarts agree after each of some: the score of each, and the best before it. */
const counts = (
  ends: ReadonlyArray<readonly [own: number | undefined, before: number | undefined]>,
): ReadonlyArray<number> => {
  let agreeing = 0
  return ends.map(([own, before]) => (agreeing = RestartAgreement.count(agreeing, own, before)))
}

describe("restarts of a search agree", () => {
  it("when two have ended at the best score", () => {
    expect(RestartAgreement.needed).toBe(2)
    expect(
      counts([
        [10, undefined],
        [9.95, 10],
      ]),
    ).toEqual([1, 2])
  })

  it("not when the second alone found what is best", () => {
    expect(
      counts([
        [10, undefined],
        [12, 10],
        // The next one misses it, and the one after that does not.
        [10, 12],
        [12.05, 12],
      ]),
    ).toEqual([1, 1, 1, 2])
  })

  it("not before one has found anything", () => {
    expect(
      counts([
        [undefined, undefined],
        [undefined, undefined],
        [1, undefined],
        [undefined, 1],
      ]),
    ).toEqual([0, 0, 1, 1])
  })
})
