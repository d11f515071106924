import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../support/cli.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-score-"))
const file = path.join(folder, "springs.csv")
beforeAll(() => {
  const rows = Array.from({ length: 30 }, (_, i) => {
    const mass = 1 + i / 10
    return `${mass},${(i * 7) % 30},${2 * mass ** 1.5 + Math.sin(9 * i) / 20}`
  })
  fs.writeFileSync(file, `mass,other,period\n${rows.join("\n")}\n`)
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

describe("vasst score", () => {
  it("prints numbers with intervals, odds, errors and the farthest rows", async () => {
    const { code, stdout, stderr } = await run(["score", "a*mass^b", file, "--target", "period"])
    expect(stderr).toBe("")
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^period = a\*mass\^b\nperiod = (2|1\.99)\S*\*mass\^1\.\S+\n\na = \S+ \+- \S+ \(95 %: /,
    )
    expect(stdout).toMatch(/^odds against the mean alone: 1e\d+ to 1 /m)
    expect(stdout).toMatch(/^row \d+ has .* sigma\)$/m)
  })

  it("predicts later rows from earlier ones with --future", async () => {
    const { code, stdout } = await run(["score", "a*mass^b", file, "--target", "period", "--future", "mass"])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^leave-future-out RMSE 0\.0\d+, log density 1\.\d\d a row: 15 later rows from those before, (100|9\d|8\d) % of them in bands of 90 %$/m,
    )
    const lost = await run(["score", "a*mass^b", file, "--target", "period", "--future", "time"])
    expect(lost.code).not.toBe(0)
    expect(lost.stderr).toBe(
      'vasst: there is no column "time" to say the order of rows; the columns are mass, other\n',
    )
  })

  it("prints one JSON document with --json", async () => {
    const { stdout } = await run(["score", "a*mass^b", file, "--target", "period", "--json"])
    const { numbers, covariance, logOdds } = JSON.parse(stdout)
    expect(numbers.map(({ name }: { name: string }) => name)).toEqual(["a", "b"])
    expect(numbers[1].low).toBeLessThan(1.5)
    expect(numbers[1].high).toBeGreaterThan(1.5)
    expect(covariance).toHaveLength(2)
    expect(logOdds[0]).toMatchObject({ against: "the mean alone" })
  })

  it.each([
    [
      ["score", "a*mas^b", "--target", "period"],
      /^vasst: there is no column "mas" \(at column 3 of the formula\); did you mean "mass"\?/,
    ],
    [
      ["score", "a*(mass", "--target", "period"],
      /^vasst: the formula cannot be read: expected "\)" at column 8/,
    ],
    [["score", "log(0 - mass)", "--target", "period"], /has no finite value on every row/],
    [
      ["score", "a*mass"],
      /^vasst: name the column to explain with --target; the columns are: mass, other, period/,
    ],
    [
      ["score", "a*mass", "--target", "period", "--against", "nowhere"],
      /^vasst: nowhere: there is no such file/,
    ],
    [["score", "a*mass", "--target", "period", "--against", folder], /there is no fit\.json in this folder/],
    [["score", "a*mass", "--target", "period", "--against", file], /this is no fit of this version of vasst/],
  ])("says what is wrong with %j in one line", async (args, message) => {
    const [command, formula, ...rest] = args
    const { code, stdout, stderr } = await run([command!, formula!, file, ...rest])
    expect(code).toBe(1)
    expect(stdout).toBe("")
    expect(stderr).toMatch(message)
    expect(stderr.trim().split("\n")).toHaveLength(1)
  })
})
