import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { fake, run } from "../../support/cli.ts"

describe("vasst demo", () => {
  it("lists the data sets of the package", async () => {
    const { code, stdout, stderr } = await run(["demo"])
    expect([code, stderr]).toEqual([0, ""])
    for (const path of stdout.match(/\S+\.csv/g)!) expect(existsSync(path)).toBe(true)
    expect(stdout).toMatch(/^planets +Kepler/m)
    expect(stdout).toMatch(/^boyle +Boyle/m)
  })

  it.each([
    ["planets", "period", 9],
    ["boyle", "pressure", 25],
  ])("%s prints the command and runs it", async (name, target, rows) => {
    const seen: Array<unknown> = []
    const { code, stdout } = await run(["demo", name], {
      fit: fake({}, (data) => void seen.push(data.target, data.rows)),
    })
    expect(code).toBe(0)
    expect(seen).toEqual([target, rows])
    expect(stdout).toMatch(new RegExp(`^\\$ vasst fit \\S+${name}\\.csv --target ${target}$`, "m"))
    expect(stdout).toMatch(new RegExp(`^${target} = 1\\.5 `, "m"))
  })

  it("suggests the name that was meant", async () => {
    const { code, stderr } = await run(["demo", "planet"])
    expect([code, stderr]).toEqual([
      1,
      'vasst: there is no demo "planet"; did you mean planets? the demos are: planets, boyle\n',
    ])
  })
})

describe("vasst doctor", () => {
  it("finds a known law, and says what works", async () => {
    const { code, stdout, stderr } = await run(["doctor"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^Node +ok +v\d+/m)
    expect(stdout).toMatch(/^engine simd +ok /m)
    expect(stdout).toMatch(/^self-test +ok +y = 3\*\(?a\*b\)? - 1, found in \d+\.\d s$/m)
  })

  it("prints a document", async () => {
    const { stdout } = await run(["doctor", "--json"])
    const { checks } = JSON.parse(stdout) as { readonly checks: ReadonlyArray<{ readonly state: string }> }
    expect(checks.length).toBeGreaterThan(7)
    expect(checks.some(({ state }) => state === "fails")).toBe(false)
  })
})
