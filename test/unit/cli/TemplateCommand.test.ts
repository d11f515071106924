// Templates on the command line: fits, what is written and shown of them, predictions, and mistakes.
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Fitter } from "../../../src/cli/Fitter.ts"
import * as LibraryFitter from "../../../src/cli/LibraryFitter.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Document from "../../../src/report/Document.ts"
import { run } from "../../support/cli.ts"

const { fit } = Effect.runSync(
  Effect.provide(
    Effect.map(Fitter, (service) => service),
    LibraryFitter.layer,
  ),
)
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Document.Document))

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-template-"))
const at = (name: string): string => path.join(folder, name)
afterAll(() => fs.rmSync(folder, { recursive: true }))

const operators = ["--operators", "mul,square"]
const decay = ["fit", at("decay.csv"), "--target", "y", "--template", "f(t)*exp(-g(x))", ...operators]
const fall = [
  "fit",
  at("fall.csv"),
  "--template",
  "height = f(t)",
  "--template",
  "speed = D(f)(t)",
  ...operators,
]

beforeAll(() => {
  const random = Rng.generator(Rng.key(3))
  const decays = Array.from({ length: 100 }, () => {
    const [t, x, dy] = [3 * random.next(), 2 * random.next(), 0.02 + 0.03 * random.next()]
    return [t, x, (1.3 + 0.7 * t * t) * Math.exp(-0.8 * x) + dy * random.normal(), dy].join(",")
  })
  fs.writeFileSync(at("decay.csv"), ["t,x,y,dy", ...decays].join("\n"))
  const falls = Array.from({ length: 80 }, () => {
    const t = 4 * random.next()
    return [t, 2 * t - 0.5 * t * t + 0.3 * random.normal(), 2 - t + 0.02 * random.normal(), 0.3, 0.02].join(
      ",",
    )
  })
  fs.writeFileSync(at("fall.csv"), ["t,height,speed,dh,dv", ...falls].join("\n"))
})

describe("vasst fit --template", () => {
  it("finds the functions in the holes, writes them in every notation, and predicts with bands", async () => {
    const flags = ["--shape", "f: positive, increasing", "--shape", "g: monotone in x", "--error", "dy"]
    const { code, stdout, stderr } = await run(
      [...decay, ...flags, "--effort", "6000", "--out", at("decay"), "--report", at("decay.html")],
      { fit },
    )
    expect([code, stderr]).toEqual([0, "backend: simd\n"])
    expect(stdout).toMatch(/^f\(t\) = 0\.7\d*\*t\^2 \+ 1\.\d+; positive: proved; increasing in t: proved$/m)
    expect(stdout).toMatch(/^g\(x\) = 0\.\d+\*x; monotone in x: proved$/m)
    expect(stdout).toMatch(
      /terms of a hole up to \d+ nodes were scored; \d of \d independent restarts? .*; .* % unseen$/m,
    )
    const document = decode(fs.readFileSync(at("decay/fit.json"), "utf8"))
    expect(document).toMatchObject({ objective: "template", template: ["f(t)*exp(-g(x))"], target: "y" })
    const { best, models, unseen } = document
    const { holes, outputs } = best.parts!
    expect(holes.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["f", ["t"]],
      ["g", ["x"]],
    ])
    expect(holes[0]!.numpy).toMatch(/t\*\*2/)
    expect(outputs.map(({ target, expression }) => [target, expression])).toEqual([["y", best.expression]])
    const mass = models.reduce((sum, { probability }) => sum + probability!, unseen!.probability)
    expect(mass).toBeCloseTo(1, 9)

    const shown = await run(["show", at("decay")])
    expect(shown.stdout).toContain("g(x) = ")
    expect(shown.stdout).toMatch(/^y = .*exp\(-.\*x\)/m)
    expect((await run(["show", at("decay"), "--format", "sympy"])).stdout).toBe(`${best.sympy}\n`)

    const table = "t,x,dy\n1,0,0.001\n2,1,5\n"
    const predicted = await run(["predict", at("decay"), "-", "--error", "dy", "--bands", "0.5"], {
      stdin: table,
    })
    const [header, first, second] = predicted.stdout
      .trim()
      .split("\n")
      .map((line) => line.split(","))
    expect(header).toEqual([
      "prediction",
      ...["credible", "predictive"].flatMap((kind) => [`${kind}_0.5_low`, `${kind}_0.5_high`]),
    ])
    expect(Number(first![0])).toBeCloseTo(2, 1)
    // The bands of a new response know the error of its row.
    expect(Number(first![4]) - Number(first![3])).toBeLessThan(0.05)
    expect(Number(second![4]) - Number(second![3])).toBeGreaterThan(5)

    const page = fs.readFileSync(at("decay.html"), "utf8")
    expect(page).toContain("positive: proved")
    expect((await run(["report", at("decay")])).code).toBe(0)
  }, 60_000)

  it("finds a function that two columns share, and predicts both", async () => {
    const flags = ["--effort", "8000", "--out", at("fall"), "--error", "height=dh,speed=dv"]
    const { code, stdout } = await run([...fall, ...flags], { fit })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^height = .*, RMSE 0\.\d+, leave-one-out 0\.\d+$/m)
    expect(stdout).toMatch(/^speed = /m)
    expect(stdout).toMatch(/^f\(t\) = /m)
    const record = JSON.parse(fs.readFileSync(at("fall/record.json"), "utf8"))
    expect(record.data.columns.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual(
      [
        ["height", "target"],
        ["speed", "target"],
        ["dh", "error"],
        ["dv", "error"],
        ["t", "feature"],
      ],
    )
    const latex = (await run(["show", at("fall"), "--format", "latex"])).stdout.trim().split("\n")
    expect(latex.map((line) => line.split(" = ")[0])).toEqual(["height", "speed"])
    const shown = (await run(["show", at("fall")])).stdout
    // Both outputs have the same names of numbers.
    expect(shown).toMatch(/^height = .*\ba\b/m)
    expect(shown).toMatch(/^speed = .*\ba\b/m)
    const { stdout: predicted } = await run(["predict", at("fall"), "-"], { stdin: "t\n2\n" })
    const [header, row] = predicted
      .trim()
      .split("\n")
      .map((line) => line.split(","))
    expect(header!.filter((name) => name.endsWith("prediction"))).toEqual([
      "height_prediction",
      "speed_prediction",
    ])
    expect(Number(row![0])).toBeCloseTo(2, 1)
    expect(Number(row![header!.indexOf("speed_prediction")])).toBeCloseTo(0, 1)
    const compared = await run(["compare", at("fall"), at("decay")])
    expect(compared.stderr).toMatch(/explain different columns/)
    expect((await run(["report", at("fall")])).stderr).toMatch(/a report is about one column/)
    const scored = await run(["score", "t", at("fall.csv"), "--target", "height", "--against", at("fall")])
    expect(scored.stderr).toMatch(/its laws explain several columns together/)
  }, 60_000)

  it("has one document for one seed and effort, goes on after an interruption, and ends when it is asked to", async () => {
    const flags = ["--effort", "5000", "--seed", "2", "--json"]
    const [first, again] = [await run([...fall, ...flags], { fit }), await run([...fall, ...flags], { fit })]
    expect(first.code).toBe(0)
    expect(again.stdout).toBe(first.stdout)
    let press = (): void => undefined
    let seen = 0
    const interrupted = await run([...fall, "--seed", "2", "--run", at("run"), "--time", "50"], {
      fit: (data, settings, hooks) =>
        fit(data, settings, {
          ...hooks,
          onProgress: () => {
            if (++seen === 2) press()
          },
        }),
      onFit: (interrupt) => {
        press = interrupt
      },
    })
    expect(interrupted.code).toBe(0)
    expect(interrupted.stderr).toContain(`go on with: vasst resume ${at("run")}`)
    const resumed = await run(["resume", at("run")], { fit })
    expect(resumed.code).toBe(0)
    expect(decode(fs.readFileSync(at("run/fit.json"), "utf8")).stopReason).toBe("converged")
  }, 60_000)

  it.each([
    [
      ["--target", "y", "--template", "f(z)*x"],
      '--template "f(z)*x": there is no column "z" at column 3; the columns are: t, x, y, dy',
    ],
    [
      ["--template", "y = k*f(t)"],
      'there is no column "k" at column 5 (numbers are fitted inside of holes alone)',
    ],
    [["--template", "q = f(t)"], 'there is no column "q" at column 1'],
    [["--template", "f(t)"], "name the column to explain with --target, or in the template"],
    [
      ["--template", "y = f(t) + f(t, x)"],
      "expected f with 1 argument, as before, and not with 2 (give two functions two names) at column 12",
    ],
    [["--template", "y = 2*t"], '--template "y = 2*t": there is no hole'],
    [["--template", "y = f(t"], 'expected ")" at column 8'],
    [["--template", "y = sine(t)"], "sine is not a function; did you mean sin?"],
    [
      ["--target", "x", "--template", "y = f(t)"],
      '--target "x" is none of the columns that the template explains: y',
    ],
    [
      ["--template", "y = f(t)", "--shape", "g: positive"],
      '--shape "g: positive": there is no hole "g"; the holes are: f',
    ],
    [["--template", "y = f(t)", "--shape", "f: wavy"], 'there is no shape "wavy"'],
    [
      ["--target", "y", "--shape", "f: positive"],
      "--shape is for the functions of a template; add --template",
    ],
    [
      ["--template", "y = f(t)", "--links", "log"],
      "--links is for laws of unknown form; leave it out, or --template",
    ],
    [["--template", "y = f(t)", "--objective", "elbo"], "--objective elbo is for laws of unknown form"],
    [
      ["--template", "y = f(t)", "--noise", "heavy"],
      "laws of a template have additive noise, and not --noise heavy",
    ],
    [["--template", "y = f(t)", "--cluster"], "--cluster is for laws of unknown form"],
    [["--template", "y = f(t)", "--stream", "always"], "--template needs all rows in memory"],
    [["--template", "y = f(t)", "--error", "dz"], 'there is no column "dz"'],
    [
      ["--template", "y = f(t)", "--template", "x = g(t)", "--error", "dy"],
      "there are several outputs; write the column of each, such as y=COLUMN,x=COLUMN",
    ],
    [
      ["--template", "y = f(t)", "--template", "x = g(t)", "--report", "r.html"],
      "a report is about one column",
    ],
  ])("%j is a mistake that is told in one line", async (flags, message) => {
    const { code, stdout, stderr } = await run(["fit", at("decay.csv"), ...flags])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^vasst: [^\n]*\n$/)
    expect(stderr).toContain(message)
  })
})
