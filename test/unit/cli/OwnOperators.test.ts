import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as LawFitter from "../../../src/cli/LawFitter.ts"
import type { Fitter } from "../../../src/cli/Fitter.ts"
import { run } from "../../support/cli.ts"

/** The search itself. */
const fit: Fitter["Service"]["fit"] = (data, settings, hooks) => {
  if (settings.objective !== "inclusive") throw new Error("the search is asked for")
  return LawFitter.fit(data, settings, hooks)
}

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vasst-operators-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("--operator", () => {
  it("is used by the search, printed by its name, and known to the other commands by the folder alone", async () => {
    const at = (name: string): string => join(folder, name)
    const xs = Array.from({ length: 40 }, (_, i) => -3 + (6 * i) / 39)
    const value = (x: number): number => 2 * Math.exp(-x * x) + 1
    writeFileSync(at("data.csv"), `x,y\n${xs.map((x) => `${x},${value(x)}\n`).join("")}`)
    const fitted = await run(
      ["fit", at("data.csv"), "--target", "y", "--effort", "5000", "--workers", "1"].concat([
        "--operator",
        "gauss(x)=exp(-x^2)",
        "--operator",
        "both(u, v)=gauss(u)*v",
        "--operators",
        "add,mul,gauss",
        "--column",
        "twice=2*x",
        "--features",
        "x,twice",
        "--out",
        at("run"),
      ]),
      { fit },
    )
    expect(fitted.stderr).toBe("backend: simd\n")
    expect(fitted.stdout).toMatch(/^y = 2\*gauss\(x\) \+ 1$/m)

    const shown = await run(["show", at("run")])
    expect([shown.code, shown.stderr]).toEqual([0, ""])
    expect(shown.stdout).toMatch(/operation gauss|gauss\(x\)/)
    expect((await run(["show", at("run"), "--format", "numpy"])).stdout).toBe("2*np.exp(-x**2) + 1\n")

    // The page has the operator in mathematics, in the tree, and in the values of the law.
    expect((await run(["report", at("run")])).stderr).toBe("")
    const page = readFileSync(at("run/report.html"), "utf8")
    expect(page.includes("y = 2 \\operatorname{gauss}\\left(x\\right)")).toBe(true)
    expect(/<svg class="tree".*>gauss<\/text>/.test(page)).toBe(true)
    expect(page.includes("no finite value")).toBe(false)

    const predicted = await run(["predict", at("run"), "-", "--bands", "none"], { stdin: "x\n0\n1\n" })
    expect(predicted.stderr).toBe("")
    const [, first, second] = predicted.stdout.split("\n").map(Number)
    expect(first).toBeCloseTo(value(0), 9)
    expect(second).toBeCloseTo(value(1), 9)

    const scored = await run([
      "score",
      "a*gauss(x) + b",
      at("data.csv"),
      "--target",
      "y",
      "--against",
      at("run"),
    ])
    expect(scored.stderr).toBe("")
    expect(scored.stdout).toMatch(/^y = a\*gauss\(x\) \+ b$/m)
  })

  it.each([
    ["gauss", '--operator: an operator is written as name(x) = formula or name(x, y) = formula, not "gauss"'],
    ["sin(x)=x", "--operator: sin is an operator or function that ships; give the operator another name"],
    ["pi(x)=x", "--operator: pi is a number; give the operator another name"],
    ["f(x)=f(x)+1", "--operator: the operator f stands in its own formula; an operator is made of others"],
    ["f(x)=x+z", '--operator: there is no argument "z" in f(x)'],
    ["f(xval)=xvel", '--operator: there is no argument "xvel" in f(xval); did you mean xval?'],
    ["f(x,y)=x", "--operator: the operator f does not use its argument y"],
    ["f(x,x)=x", "--operator: the operator f has one argument or two of different names, not x, x"],
    ["f(x,y,z)=x+y+z", "--operator: the operator f has one argument or two of different names"],
    ["f()=1", '--operator: the operator f has the argument "", which is no name'],
    [
      "f(sin)=sin",
      '--operator: the operator f has the argument "sin", which is no name or stands for something else',
    ],
    ["f(x)=g(x)", "--operator: the formula of the operator f cannot be read: expected"],
    ["f(x)=", "--operator: the formula of the operator f cannot be read: expected"],
    ["f(x)=1e999*x", "--operator: the formula of the operator f cannot be read:"],
    ["constructor(x)=__proto__", '--operator: there is no argument "__proto__" in constructor(x)'],
    [
      `f(x)=${"sin(".repeat(200)}x${")".repeat(200)}`,
      "--operator: the operator f has 200 operations, and at most 100 are read",
    ],
  ])("%s is a complaint", async (definition, message) => {
    const { code, stdout, stderr } = await run(["fit", "-", "--target", "y", "--operator", definition], {
      stdin: "x,y\n1,2\n2,4\n",
    })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr.startsWith(`vasst: ${message}`)).toBe(true)
  })

  it("is defined once, and named among the operators", async () => {
    const twice = ["--operator", "f(x)=x^3", "--operator", "f(x)=x^4"]
    expect((await run(["fit", "-", "--target", "y", ...twice], { stdin: "x,y\n1,2\n2,4\n" })).stderr).toBe(
      "vasst: --operator: the operator f is defined twice\n",
    )
    const unknown = ["--operator", "gauss(x)=exp(-x^2)", "--operators", "add,gaus"]
    expect(
      (await run(["fit", "-", "--target", "y", ...unknown], { stdin: "x,y\n1,2\n2,4\n" })).stderr,
    ).toMatch(/^vasst: there is no operator "gaus"; did you mean "gauss"\?/)
  })
})
