import { readFileSync } from "node:fs"
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Hooks, Settings } from "../../../src/cli/Fitter.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Document from "../../../src/report/Document.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import * as Progress from "../../../src/report/Progress.ts"
import { fake, fitted, ranked, run } from "../../support/cli.ts"

let directory = ""
const at = (name: string): string => path.join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "vasst-cli-"))
  await writeFile(at("data.csv"), "a,b,y\n1,2,3\n2,3,5\n3,5,8\n4,7,11\n5,8,13\n6,8,14\n")
})

afterAll(() => rm(directory, { recursive: true }))

const decodeDocument = Schema.decodeUnknownSync(Schema.fromJsonString(Document.Document))

describe("vasst", () => {
  it("shows its commands", async () => {
    const help = await run(["--help"])
    expect(help.code).toBe(0)
    expect(help.stderr).toBe("")
    expect(help.stdout).toContain("vasst <subcommand> [flags]")
    expect(help.stdout).toMatch(/^ {2}fit .*\n {2}resume .*\n {2}operators .*/m)
    expect(help.stdout).not.toContain("\u001B")
    expect(await run([])).toEqual(help)
  })

  it("shows its version", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, stdout: "vasst 1.2.3\n", stderr: "" })
  })
})

describe("vasst operators", () => {
  it("lists every operator with formula, domain and complexity", async () => {
    const { code, stdout, stderr } = await run(["operators"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout.split("\n")[0]).toMatch(/^name +arity +formula +domain +complexity +commutative$/)
    for (const name of Object.keys(Operator.shipped)) expect(stdout).toMatch(new RegExp(`^${name} `, "m"))
    expect(stdout).toMatch(/^div +2 +x\/y +y != 0 +1 +no$/m)
    expect(stdout).toMatch(/^sqrt +1 +sqrt\(x\) +x >= 0 +1 +no$/m)
    expect(stdout).toMatch(/^log +1 +log\(x\) +x > 0 +1 +no$/m)
    expect(stdout).toMatch(/^mul +2 +x\*y +all numbers +1 +yes$/m)
  })
})

describe("vasst fit", () => {
  it("prints the backend, the ranked laws and the best law", async () => {
    expect(await run(["fit", at("data.csv"), "--target", "y"])).toEqual({
      code: 0,
      stderr: "backend: fake\n",
      stdout: [
        "rank  log posterior  probability  RMSE train  RMSE LOO  RMSE test  complexity  y",
        "   1         -12.35        0.750     0.01235     0.015        0.5           3  1.5 + 2*a",
        "   2         -13.00        0.250     0.01235     0.015        0.5           5  1.5 + 2*a",
        "",
        "y = 1.5 + 2*a\nnumbers: 1.5000 ± 0.0040",
        "",
      ].join("\n"),
    })
  })

  /** What a fit is asked for by these flags. */
  const asked = async (flags: string): Promise<{ readonly data: Dataset; readonly settings: Settings }> => {
    const calls: Array<{ readonly data: Dataset; readonly settings: Settings }> = []
    const { stderr } = await run(
      ["fit", at("data.csv"), "--target", "y", ...flags.split(" ").filter(Boolean)],
      {
        fit: fake({}, (data, settings) => calls.push({ data, settings })),
      },
    )
    expect(stderr).toBe("backend: fake\n")
    return calls[0]!
  }
  const nothing = {
    operators: undefined,
    trees: undefined,
    depth: undefined,
    testFraction: undefined,
    time: undefined,
    seed: undefined,
  }
  const common = "--operators mul,sin,mul --trees 2 --depth 4 --test-fraction 0 --time 1.5 --seed 42"
  const told = { operators: ["mul", "sin"], trees: 2, depth: 4, testFraction: 0, time: 1.5, seed: 42 }

  it("searches with the library's settings unless told otherwise", async () => {
    const { data, settings } = await asked("")
    expect(data).toMatchObject({ features: ["a", "b"], target: "y", rows: 6 })
    const threads = { effort: undefined, workers: undefined }
    const own = { ...threads, links: undefined, constants: undefined, fitted: undefined }
    expect(settings).toEqual({ ...nothing, ...own, objective: "inclusive" })
  })

  it("passes every flag of a search on", async () => {
    const { data, settings } = await asked(
      `${common} --features b --links log,identity --constants 1,pi,-2.5 --learned 1e2`,
    )
    expect(data.features).toEqual(["b"])
    const own = { links: [Link.log, Link.identity], constants: [1, Math.PI, -2.5], fitted: 100 }
    expect(settings).toEqual({ ...told, ...own, objective: "inclusive" })
    expect((await asked("--constants none --objective inclusive")).settings).toMatchObject({ constants: [] })
  })

  it("passes every flag of the paper's method on", async () => {
    const flags = "--objective elbo --steps 1 --draws 10 --learning-rate 1e-2 --backend cpu"
    expect((await asked(`${common} ${flags}`)).settings).toEqual({
      ...told,
      objective: "elbo",
      steps: 1,
      draws: 10,
      learningRate: 0.01,
      backend: "cpu",
    })
    expect((await asked("--objective elbo")).settings).toEqual({
      ...nothing,
      objective: "elbo",
      steps: undefined,
      draws: undefined,
      learningRate: undefined,
      backend: undefined,
    })
  })

  it("reads standard input, tabs and a byte order mark", async () => {
    const seen: Array<Dataset> = []
    const stdin = "\uFEFFa\ty\r\n1\t2\r\n2\t4\r\n3\t7\r\n"
    const { code } = await run(["fit", "-", "--target", "y", "--trees", "1"], {
      stdin,
      fit: fake({}, (data) => seen.push(data)),
    })
    expect([code, seen[0]?.rows]).toEqual([0, 3])
  })

  it("prints the ten best, cut to the terminal", async () => {
    const long = Term.add(1, Term.sin(Term.add(Term.variable("a"), Term.cos(Term.exp(Term.variable("b"))))))
    const fit = (data: Dataset) =>
      Effect.succeed(
        fitted(data, {
          models: Array.from({ length: 12 }, () => ranked(data, { expression: long, rmseTest: undefined })),
        }),
      )
    const { stdout } = await run(["fit", at("data.csv"), "--target", "y"], { fit, columns: 88 })
    const lines = stdout.split("\n")
    expect(lines).toHaveLength(15)
    expect(lines[10]).toBe(
      "  10         -12.35        0.750     0.01235     0.015           3  1 + sin(a + cos(exp…",
    )
    expect(lines[12]).toBe("y = 1 + sin(a + cos(exp(b)))")
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(88)
  })

  it("shows a progress line on a terminal, and takes it away", async () => {
    const fit = (data: Dataset, _: Settings, { onBackend, onProgress }: Hooks) =>
      Effect.sync(() => {
        onBackend("fake", undefined)
        for (const step of [1, 2, 3])
          onProgress?.(Progress.ofStep({ step, steps: 3, elbo: -10, elboTrend: 1, seconds: step }))
        return fitted(data)
      })
    const terminal = await run(["fit", at("data.csv"), "--target", "y"], { fit, columns: 80 })
    expect(terminal.stderr).toMatch(
      /^backend: fake\n\rstep 1\/3 {3}ELBO -10 \(\+1 a step\) {3}2 s left\rstep 2\/3/,
    )
    expect(terminal.stderr).toMatch(/\r +\r$/)
    const pipe = await run(["fit", at("data.csv"), "--target", "y"], { fit })
    expect(pipe.stderr).toBe("backend: fake\n")
  })

  it("stops at Ctrl-C and prints what there is", async () => {
    let press = (): void => undefined
    const fit = (data: Dataset, _: Settings, { onBackend, stop }: Hooks) =>
      Effect.sync(() => {
        onBackend("fake", "the fast one is missing")
        press()
        return fitted(data, { stopReason: stop.aborted ? "interrupted" : "steps" })
      })
    const { code, stdout, stderr } = await run(["fit", at("data.csv"), "--target", "y", "--json"], {
      fit,
      onFit: (interrupt) => {
        press = interrupt
      },
    })
    expect(code).toBe(0)
    expect(decodeDocument(stdout).stopReason).toBe("interrupted")
    expect(stderr).toBe(
      "backend: fake (the fast one is missing)\n" +
        "stopping; ranking the laws found so far (Ctrl-C again to leave at once)\n",
    )
  })

  it("prints one JSON document", async () => {
    const { stdout } = await run(["fit", at("data.csv"), "--target", "y", "--json"])
    const document = decodeDocument(stdout)
    expect(document.models).toHaveLength(2)
    expect(document).toMatchObject({
      target: "y",
      objective: "fake",
      backend: "fake",
      seed: 7,
      stopReason: "steps",
      seconds: 1.5,
    })
    expect(document.best).toEqual(document.models[0])
    expect(document.best).toEqual({
      expression: "1.5 + 2*a",
      sympy: "1.5 + 2*a",
      numpy: "1.5 + 2*a",
      javascript: "1.5 + 2*a",
      latex: "1.5 + 2 a",
      link: "identity",
      terms: ["a"],
      coefficients: [1.5, 2],
      numbers: [{ value: 1.5, error: 0.004 }],
      lmpse: -12.345,
      logEvidence: -10,
      logPrior: -2.345,
      posterior: 0.75,
      probability: null,
      complexity: 3,
      noise: null,
      law: null,
      alike: [],
      rmseTrain: 0.0123456,
      rmseTest: 0.5,
      rmseLoo: 0.015,
    })
  })

  it("has null for errors that are no numbers", async () => {
    const fit = (data: Dataset) =>
      Effect.succeed(
        fitted(data, {
          models: [
            ranked(data, { rmseTrain: Infinity, rmseTest: undefined }),
            ranked(data, { rmseTest: Number.NaN }),
          ],
        }),
      )
    const { stdout } = await run(["fit", at("data.csv"), "--target", "y", "--json"], { fit })
    expect(stdout).not.toMatch(/NaN|Infinity/)
    const document = decodeDocument(stdout)
    expect([document.best.rmseTrain, document.best.rmseTest, document.models[1]?.rmseTest]).toEqual([
      null,
      null,
      null,
    ])
  })

  it("does not work out what a table leaves out", async () => {
    const read: Array<number> = []
    const fit = (data: Dataset) => {
      const models = Array.from({ length: 12 }, (_, index) => {
        const { expression, ...rest } = ranked(data)
        return {
          ...rest,
          get expression() {
            read.push(index)
            return expression
          },
        }
      })
      return Effect.succeed(fitted(data, { models }))
    }
    const { code } = await run(["fit", at("data.csv"), "--target", "y"], { fit })
    expect(code).toBe(0)
    expect([...new Set(read)]).toEqual(Array.from({ length: 10 }, (_, index) => index))
  })

  it("writes four files into a directory that it makes", async () => {
    const out = at("runs/first")
    const { code, stdout } = await run(["fit", at("data.csv"), "--target", "y", "--json", "--out", out])
    expect(code).toBe(0)
    expect(await readFile(path.join(out, "fit.json"), "utf8")).toBe(stdout)
    expect(await readFile(path.join(out, "models.csv"), "utf8")).toBe(
      "rank,lmpse,log_evidence,log_prior,posterior,probability,rmse_train,rmse_test,rmse_loo,complexity,expression,sympy\n" +
        '1,-12.345,-10,-2.345,0.75,"",0.0123456,0.5,0.015,3,1.5 + 2*a,1.5 + 2*a\n' +
        '2,-13,-10,-2.345,0.25,"",0.0123456,0.5,0.015,5,1.5 + 2*a,1.5 + 2*a\n',
    )
    expect(await readFile(path.join(out, "report.txt"), "utf8")).toBe(
      [
        `data      ${at("data.csv")}: 6 rows`,
        "target    y",
        "features  a, b",
        "objective fake",
        "backend   fake",
        "seed      7",
        "ended     after 2000 steps and 2 s (steps)",
        "",
        "rank  log posterior  probability  RMSE train  RMSE LOO  RMSE test  complexity  y",
        "   1         -12.35        0.750     0.01235     0.015        0.5           3  1.5 + 2*a",
        "   2         -13.00        0.250     0.01235     0.015        0.5           5  1.5 + 2*a",
        "",
        "y = 1.5 + 2*a\nnumbers: 1.5000 ± 0.0040",
        "",
      ].join("\n"),
    )
    expect((await readdir(out)).sort()).toEqual(["fit.json", "models.csv", "record.json", "report.txt"])
  })
})

describe("the example data", () => {
  for (const [file, target] of [
    ["planets.csv", "period"],
    ["boyle.csv", "pressure"],
  ] as const)
    it(`${file} needs no flag but the target`, async () => {
      const { code, stderr } = await run(["fit", `examples/data/${file}`, "--target", target])
      expect([code, stderr]).toEqual([0, "backend: fake\n"])
    })

  const numbers = (file: string): ReadonlyArray<ReadonlyArray<number>> =>
    readFileSync(`examples/data/${file}`, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").map(Number))

  it("obeys Kepler's third law to a tenth of a percent", () => {
    for (const [a = 0, period = 0] of numbers("planets.csv"))
      expect(Math.abs(period / a ** 1.5 - 1)).toBeLessThan(1e-3)
  })

  it("obeys Boyle's law to two percent", () => {
    for (const [volume = 0, pressure = 0] of numbers("boyle.csv"))
      expect(Math.abs((volume * pressure) / 1408 - 1)).toBeLessThan(0.02)
  })
})
