import { spawnSync } from "node:child_process"
import { readSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { causeOf, reasonOf } from "../../../src/internal/systemCode.ts"

/** What is thrown by a call. */
const thrown = (call: () => unknown): unknown => {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error("nothing was thrown")
}

describe("a failure of the system", () => {
  it("is told in words: a descriptor that is closed", () => {
    const error = thrown(() => readSync(2 ** 30, new Uint8Array(1)))
    expect(error).toMatchObject({ code: "EBADF" })
    expect(reasonOf(error)).toBe("it is closed")
    expect(reasonOf(causeOf({ reason: { cause: error } }))).toBe("it is closed")
  })

  it("is told in a sentence with its code where there are no words for it", () => {
    for (const code of ["EOVERFLOW", "constructor", "__proto__"])
      expect(reasonOf({ code })).toBe(`the system cannot do this, and says ${code}`)
  })

  it("has a code, or no reason is told", () => {
    for (const failure of [undefined, null, "EBADF", {}, { code: 9 }, new Error("EBADF")])
      expect(reasonOf(failure)).toBeUndefined()
  })
})

describe("standard input that is closed", () => {
  it("is told by the command line", () => {
    // Node opens what is closed at its start; a descriptor that is for writing alone cannot be read either.
    const script =
      '"$node" --disable-warning=ExperimentalWarning src/cli/main.ts fit - --target y 0> /dev/null'
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], {
      env: { ...process.env, node: process.execPath },
      encoding: "utf8",
    })
    expect([status, stdout, stderr]).toEqual([1, "", "vasst: standard input: it is closed\n"])
  })
})
