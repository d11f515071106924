import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Noise from "../../../src/evidence/Noise.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Document from "../../../src/report/Document.ts"
import { fitted, ranked, run } from "../../support/cli.ts"
import { dataset } from "../../support/selected.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-run-"))
const at = (name: string): string => path.join(folder, name)
const term = (text: string) => Result.getOrThrow(parse(text))
const data = dataset({ mass: [1, 2, 3], other: [3, 1, 2] }, [1, 2, 4])

const models = [
  ranked(data, {
    expression: term("2.25*mass^1.7"),
    posterior: 0.8,
    complexity: 3,
    logEvidence: 20,
    law: () => ({
      formula: term("a*mass^b"),
      names: ["a", "b"],
      values: Float64Array.of(2.25, 1.7),
      covariance: Float64Array.of(0.01, 0, 0, 0.0001),
      noise: Noise.additive,
      sigma: 0.1,
      freedom: 20,
    }),
    alike: [ranked(data, { expression: term("mass^1.7*2.25") })] as never,
  }),
  ranked(data, { expression: term("3.5*mass*other"), posterior: 0.2, complexity: 5, logEvidence: 12 }),
]

/** A law over two groups: k1 is 2 and 5 in them, 3 on the mean. */
const overStars = () => {
  const law = (group?: number) => ({
    formula: term("k1*mass"),
    names: ["k1"],
    values: Float64Array.of([2, 5][group ?? -1] ?? 3),
    covariance: Float64Array.of(group === undefined ? 1 : 0.01),
    noise: Noise.additive,
    sigma: 0.1,
    freedom: 20,
  })
  const varying = [
    { name: "k1", mean: 3, meanError: 0.7, spread: 1.2, values: [2, 5], errors: [0.1, Number.NaN] },
  ]
  const groups = { column: "star", labels: ["Vega", "Sirius"], varying, noiseByGroup: [0.1, 0.2], law }
  return { ...ranked(data, { expression: term("k1*mass"), law }), groups }
}

beforeAll(() => {
  const document = Document.make(fitted(data, { models }), "period")!
  fs.mkdirSync(at("run"))
  fs.writeFileSync(at("run/fit.json"), Document.toJson(document))
  const grouped = Document.make(fitted(data, { models: [overStars()] }), "period")!
  fs.writeFileSync(at("stars.json"), Document.toJson(grouped))
  fs.writeFileSync(at("stars.csv"), "mass,star\n2,Vega\n2,Sirius\n2,Deneb\n3,Vega\n")
  fs.writeFileSync(at("new.csv"), "note,mass\nfirst,1\nsecond,4\nthird,-1\n")
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

describe("vasst show", () => {
  it("shows laws, numbers, parts and the front", async () => {
    const { code, stdout, stderr } = await run(["show", at("run")])
    expect(stderr).toBe("")
    expect(code).toBe(0)
    expect(stdout).toContain("a = 2.25 +- 0.1 (95 %: 2.041 to 2.459)")
    expect(stdout).toContain("also found as mass^1.7*2.25 (the same by normal form)")
    expect(stdout).toMatch(/^column mass +1\.000$/m)
    expect(stdout).toMatch(/^column other +0\.200$/m)
    expect(stdout).toMatch(/^operation pow +0\.800$/m)
    expect(stdout).toMatch(/no law as simple has more evidence\n +3 +20\.00 {2}2\.25\*mass\^1\.7\n$/)
  })

  it.each([
    ["infix", "2.25*mass^1.7\n"],
    ["latex", "2.25 mass^{1.7}\n"],
    ["numpy", "2.25*mass**1.7\n"],
    ["javascript", "2.25*mass**1.7\n"],
  ])("writes the best law as %s", async (format, text) => {
    const { stdout } = await run(["show", at("run/fit.json"), "--format", format])
    expect(stdout.replace(/\\mathrm\{(\w+)\}/g, "$1").replace(" \\, ", " ")).toBe(text)
  })

  it("shows the numbers of groups, which are no columns", async () => {
    const { stdout } = await run(["show", at("stars.json")])
    expect(stdout).toMatch(/^Vega +2 ± 0\.1 +0\.1$/m)
    expect(stdout).toMatch(/^Sirius +5 +0\.2$/m)
    expect(stdout).toMatch(/^mean +3 ± 0\.7$/m)
    expect(stdout).toMatch(/^column mass +0\.750$/m)
    expect(stdout).not.toContain("column k1")
  })

  it("writes all laws, one on each line", async () => {
    const { stdout } = await run(["show", at("run"), "--format", "json", "--all"])
    const lines = stdout.trim().split("\n")
    expect(lines.map((line) => JSON.parse(line).expression)).toEqual(["2.25*mass^1.7", "3.5*mass*other"])
  })
})

describe("vasst predict", () => {
  it("prints predictions with bands as CSV, and nothing where no law is defined", async () => {
    const { code, stdout } = await run(["predict", at("run"), at("new.csv"), "--bands", "0.5,0.9"])
    expect(code).toBe(0)
    const [head, first, second, third] = stdout.trim().split("\n")
    expect(head).toBe(
      "prediction,credible_0.5_low,credible_0.5_high,predictive_0.5_low,predictive_0.5_high,credible_0.9_low,credible_0.9_high,predictive_0.9_low,predictive_0.9_high",
    )
    const numbers = first!.split(",").map(Number)
    expect(numbers[0]).toBe(2.25)
    const [, low5, high5, from5, to5, low9, high9, from9, to9] = numbers
    expect([from9, from5, low5, 2.25, high5, to5, to9]).toEqual(
      [from9, from5, low5, 2.25, high5, to5, to9].sort((a, b) => a! - b!),
    )
    expect(low9).toBeLessThan(low5!)
    expect(high9).toBeGreaterThan(high5!)
    expect(Number(second!.split(",")[0])).toBeCloseTo(2.25 * 4 ** 1.7, 9)
    expect(third!.replaceAll('"', "")).toBe(",,,,,,,,")
  })

  it("predicts rows by their groups, and those of others by the mean", async () => {
    const { stdout, stderr } = await run(["predict", at("stars.json"), at("stars.csv"), "--bands", "0.9"])
    expect(stderr).toBe("")
    const lines = stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").map(Number))
    expect(lines.map(([value]) => value)).toEqual([4, 10, 6, 6])
    const width = (line: ReadonlyArray<number>): number => line[2]! - line[1]!
    expect(width(lines[2]!) / width(lines[0]!)).toBeCloseTo(10, 6)
    const without = await run(["predict", at("stars.json"), at("new.csv"), "--bands", "none"])
    expect(without.stdout).toBe("prediction\n3\n12\n-3\n")
  })

  it.each([
    [["predict", "nowhere", "new.csv"], /^vasst: nowhere: there is no such file/],
    [["predict", "run", "new.csv", "--bands", "2"], /^vasst: --bands must be numbers between 0 and 1/],
    [["predict", "run", "wrong.csv"], /there is no column "mass"; did you mean "mas"\?/],
    [["predict", "run", "text.csv"], /row 1 .*column "mass": "x" is not a number; the laws read this column/],
    [["show", "."], /there is no fit\.json in this folder/],
    [["show", "new.csv"], /this is no fit of this version of vasst/],
  ])("says what is wrong with %j in one line", async (args, message) => {
    fs.writeFileSync(at("wrong.csv"), "mas\n1\n")
    fs.writeFileSync(at("text.csv"), "mass,b\nx,1\n")
    const [command, one, ...rest] = args
    const named = rest.map((text) => (text.endsWith(".csv") ? at(text) : text))
    const { code, stdout, stderr } = await run([command!, one === "nowhere" ? one : at(one!), ...named])
    expect(code).toBe(1)
    expect(stdout).toBe("")
    expect(stderr).toMatch(message)
    expect(stderr.trim().split("\n")).toHaveLength(1)
  })
})
