import { describe, expect, it } from "vitest"
import * as Needed from "../../support/needed.ts"

describe("a test of many machines", () => {
  it("runs where nothing is missing", () => {
    expect(Needed.skipped("it", undefined, { VASST_CI: "1" })).toBe(false)
  })

  it("is skipped where something is missing, and fails there with VASST_CI=1", () => {
    expect(Needed.skipped("it", "PostgreSQL server", {})).toBe(true)
    expect(() => Needed.skipped("it", "PostgreSQL server", { VASST_CI: "1" })).toThrow(
      "it cannot run, and VASST_CI asks for all tests: there is no PostgreSQL server",
    )
  })

  it("is skipped without root rights, whoever asks", () => {
    expect(Needed.skipped("it", Needed.root, { VASST_CI: "1" })).toBe(true)
  })
})
