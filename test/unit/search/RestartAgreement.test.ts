import { describe, expect, it } from "vitest"
import * as RestartAgreement from "../../../src/search/RestartAgreement.ts"

describe("starts of a search agree", () => {
  it("when two have ended at the best score", () => {
    const { ended } = RestartAgreement.make()
    expect(ended(10, undefined)).toBe(false)
    expect(ended(9.95, 10)).toBe(true)
  })

  it("not when the second alone found what is best", () => {
    const { ended } = RestartAgreement.make()
    expect(ended(10, undefined)).toBe(false)
    expect(ended(12, 10)).toBe(false)
    // The next one misses it, and the one after that does not.
    expect(ended(10, 12)).toBe(false)
    expect(ended(12.05, 12)).toBe(true)
  })

  it("not before one has found anything", () => {
    const { ended } = RestartAgreement.make()
    expect(ended(undefined, undefined)).toBe(false)
    expect(ended(undefined, undefined)).toBe(false)
    expect(ended(1, undefined)).toBe(false)
    expect(ended(undefined, 1)).toBe(false)
  })

  it("when as many have ended there as are asked for", () => {
    const { ended } = RestartAgreement.make(3)
    expect([ended(1, undefined), ended(1, 1), ended(1, 1)]).toEqual([false, false, true])
  })
})
