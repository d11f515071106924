// What the reproduction of the paper is made of: its data, its judge, its statistics, and that "published" is what the
// library does.
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { describe, expect, test } from "vitest"
import { append, lines } from "../../../bench/harness/lines.ts"
import { isReduced, make, problemOf, problems, termOf } from "../../../bench/problems.ts"
import { judge } from "../../../bench/recovery.ts"
import * as Arms from "../../../bench/reproduce/arms.ts"
import { type FitCase, keyOf } from "../../../bench/reproduce/case.ts"
import { published } from "../../../bench/library/settings.ts"
import { failureRate, tail } from "../../../bench/reproduce/check.ts"
import { runFit } from "../../../bench/reproduce/fit.ts"
import { runGradient } from "../../../bench/reproduce/gradient.ts"
import { familyOf, grammarOf, modelOf } from "../../../bench/library/paper.ts"
import { sd, signTest } from "../../../bench/harness/statistics.ts"
import * as Paper from "../../../bench/reproduce/paper.ts"
import { worker } from "../../../bench/harness/worker.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Plan from "../../../src/prob/Plan.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Infer from "../../../src/infer/Fit.ts"
import * as Vasst from "../../../src/models/vasst.ts"
import * as Backend from "../../../src/vi/Backend.ts"
import * as Rng from "../../../src/random/Rng.ts"

const fitCase = (of: Partial<FitCase>): FitCase => ({
  kind: "fit",
  problem: "sim2",
  features: "reduced",
  noise: 0.1,
  seed: 3,
  settings: {},
  ...of,
})

describe("the problems", () => {
  test.each(problems)("$name: one law in the variables and in the reduced features", (problem) => {
    const raw = make(problem, 0, 5, 50, "raw")
    const law = scalarFunction(termOf(problem.rawFormula), raw.data.features)
    for (let i = 0; i < 50; i++) {
      const row = raw.data.columns.map((column) => column[i]!)
      expect(law(row) / raw.truth[i]!).toBeCloseTo(1, 12)
    }
    const reduced = make(problem, 0, 5, 50)
    expect([...reduced.truth]).toEqual([...raw.truth])
    expect(reduced.data.features.length < raw.data.features.length).toBe(
      isReduced(problem) && problem.name !== "ADA",
    )
  })

  test("problems with as many variables have data of their own", () => {
    const [fce, ftc] = ["FCE", "FTC"].map((name) => make(problemOf(name), 0, 1, 20, "raw").data.columns[0]!)
    expect(fce).not.toEqual(ftc)
  })

  test("noise levels of a seed share features, and noise is scaled", () => {
    const cl = problemOf("CL")
    const [one, two] = [0.1, 0.2].map((noise) => make(cl, noise, 2, 40))
    expect(one!.data.columns).toEqual(two!.data.columns)
    for (let i = 0; i < 40; i++)
      expect(two!.data.y[i]! - two!.truth[i]!).toBeCloseTo(2 * (one!.data.y[i]! - one!.truth[i]!), 12)
  })
})

describe("recovery", () => {
  const by = judge(problemOf("CPE"))
  const of = (...terms: ReadonlyArray<string>) => by.recovery(terms.map(termOf))

  test.each([
    { terms: ["x0*x1/x2", "x0*x1"], found: true, alone: true },
    // The same span, written otherwise.
    { terms: ["x0*x1/x2 + 3*x0*x1", "x0*x1/x2 - 2*x0*x1 + 7"], found: true, alone: true },
    { terms: ["x0*x1*(1/x2 - 1)", "x2/x2", "2*x0*x1*(1 - 1/x2)"], found: true, alone: true },
    { terms: ["x0*x1/x2", "x0*x1", "x2"], found: true, alone: false },
    { terms: ["x0*x1*(1/x2 - 1)", "x0*x1"], found: true, alone: false },
    { terms: ["x0*x1/x2"], found: false, alone: false },
    { terms: ["x0*x1*(1/x2 - 1.00001)"], found: false, alone: false },
    { terms: ["log(x0 - 100)", "x0*x1*(1/x2 - 1)"], found: false, alone: false },
    { terms: [], found: false, alone: false },
  ])("$terms", ({ terms, found, alone }) => {
    expect(of(...terms)).toEqual({ found, alone })
  })

  test("a law under a link is one for g(y)", () => {
    const cl = judge(problemOf("CL"))
    const terms = [termOf("log(x0)"), termOf("log(x1)")]
    expect(cl.recovery(terms).found).toBe(false)
    expect(cl.recovery(terms, Term.log(Term.variable("y"))).found).toBe(true)
  })
})

describe("the method", () => {
  test("what is published here is what the library does", async () => {
    const settings = { steps: 30, draws: 150 }
    const { best, distinct, moved } = await runFit(fitCase({ rows: 300, settings }))
    const problem = problemOf("sim2")
    const fitted = await Effect.runPromise(
      Vasst.fit(make(problem, 0.1, 3, 300).data, { operators: problem.operators, ...settings }).pipe(
        Effect.provide(Infer.seed(3)),
        Effect.provide(Backend.layer("simd")),
      ),
    )
    expect(best.expression).toBe(infix(fitted.best.expression, { precision: 10 }))
    expect(best.lmpse).toBe(fitted.best.lmpse)
    expect(best.rmseTest).toBe(fitted.best.rmseTest)
    expect(distinct).toBe(fitted.ranking.distinct)
    // Adam's steps are no longer than the rate, but for its first moments' start.
    expect(moved).toBeGreaterThan(0)
    expect(moved).toBeLessThan(1.5 * settings.steps * published.rate)
  })

  test("restarts share steps and draws", async () => {
    const one = await runFit(
      fitCase({ rows: 200, settings: { steps: 8, draws: 60, restarts: 4, rate: 0.1 } }),
    )
    const alone = await runFit(fitCase({ rows: 200, settings: { steps: 8, draws: 60, rate: 0.1 } }))
    expect(one.moved).toBeLessThan(alone.moved!)
    expect(one.distinct).toBeLessThanOrEqual(60)
  })

  test.each([
    { method: "collapsed", steps: 10 },
    { method: "law", steps: 100 },
  ] as const)("$method finds a law, the same one twice", async ({ method, steps }) => {
    const one = fitCase({ problem: "CL", noise: 0, rows: 300, settings: { method, steps } })
    const { cpu: _, ...result } = await runFit(one)
    expect(result.best.found).toBe(true)
    expect(result.best.rmseTest).toBeLessThan(1e-3)
    const { cpu: __, ...again } = await runFit(one)
    expect(again).toEqual(result)
  })

  test("as many parameters as the paper counts", async () => {
    for (const { depth, count } of Paper.parameters) {
      const program = modelOf(
        grammarOf(["x0", "x1", "x2"], ["add", "mul", "div"]),
        { trees: 3, depth },
        published,
      )
      const plan = await Effect.runPromise(
        Plan.trace(program).pipe(Effect.provide(familyOf(program, published))),
      )
      expect(plan.parameterCount).toBe(count)
    }
  })

  test("splits that start at a half do", async () => {
    const program = modelOf(grammarOf(["x0"], ["add"]), published, published)
    const family = familyOf(program, { ...published, splits: "half", scatter: 0 })
    const plan = await Effect.runPromise(Plan.trace(program).pipe(Effect.provide(family)))
    const { parameters } = Plan.site(plan, "trees.split").factor
    const initial = parameters.flatMap(({ initialise }) => Array.from(initialise(Rng.key(1))))
    expect(initial.length).toBe(45)
    expect(initial.every((logit) => logit === 0)).toBe(true)
  })

  test("gradients vary less with more samples, and more at lower temperatures", async () => {
    const { variances, parameters } = await runGradient({
      kind: "gradient",
      problem: "CPE",
      features: "reduced",
      noise: 0.2,
      seed: 1,
      rows: 50,
      operators: ["add", "mul", "div"],
      depth: 2,
    })
    const total = (temperature: number, samples: number): number =>
      variances.find((one) => !one.trained && one.temperature === temperature && one.samples === samples)!
        .total
    for (const { coordinate, total } of variances) expect(coordinate * parameters).toBeCloseTo(total, 6)
    // 1/8 but for what 100 gradients leave open.
    expect(total(1, 8) / total(1, 1)).toBeGreaterThan(1 / 24)
    expect(total(1, 8) / total(1, 1)).toBeLessThan(1 / 3)
    expect(total(0.25, 8)).toBeGreaterThan(total(1, 8))
  })
})

describe("statistics", () => {
  test("the tail of the predictive distribution", () => {
    // Jeffreys' prior alone, one trial: each outcome has probability 1/2.
    expect(tail(0, 1, 0, 0)).toBeCloseTo(0.5, 12)
    for (const [n, k, m] of [
      [7, 30, 70],
      [21, 70, 70],
      [5, 0, 3],
    ] as const)
      expect(tail(n, n, k, m)).toBeCloseTo(1, 10)
    // 7 of 10 before, 0 of 2 now: B(7.5, 5.5) / B(7.5, 3.5) = 3.5 4.5 / (11 12).
    expect(tail(0, 2, 7, 10)).toBeCloseTo((3.5 * 4.5) / (11 * 12), 12)
    expect(tail(3, 7, 70, 70)).toBeLessThan(1e-4)
    expect(tail(3, 7, 35, 70)).toBeGreaterThan(0.3)
    // Of what CI runs, each arm can be found wanting.
    for (const [x, n, k, m] of [
      [1, 21, 35, 70],
      [2, 6, 20, 20],
      [4, 7, 70, 70],
    ] as const)
      expect(tail(x, n, k, m)).toBeLessThan(failureRate / 4)
  })

  test("the sign test", () => {
    expect(signTest(5, 0)).toBeCloseTo(2 / 32, 12)
    expect(signTest(2, 8)).toBeCloseTo((2 * (1 + 10 + 45)) / 1024, 12)
    expect(signTest(4, 4)).toBe(1)
    expect(signTest(0, 0)).toBe(1)
    expect(sd([1, 2, 3, 4])).toBeCloseTo(Math.sqrt(5 / 3), 12)
  })
})

describe("the record", () => {
  test("all runs of an arm: 7 problems reduced, 4 raw, 3 noise levels, 10 seeds", () => {
    const cases = Arms.casesOf(Arms.asPublished)
    expect(cases.length).toBe(330)
    expect(new Set(cases.map(keyOf)).size).toBe(330)
    expect(cases.filter(({ top }) => top !== undefined).length).toBe(21)
  })

  test("a case is known by what it runs", () => {
    const one = fitCase({ settings: { rate: 1, steps: 2 } })
    expect(keyOf({ ...fitCase({ settings: { steps: 2, rate: 1 } }), top: 10 })).toBe(keyOf(one))
    expect(keyOf(fitCase({ settings: { steps: 2, rate: 2 } }))).not.toBe(keyOf(one))
  })

  test("a line that was cut off is none, and the next one is whole", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vasst-"))
    try {
      const file = path.join(folder, "deep", "file.jsonl")
      expect(lines(file)).toEqual([])
      fs.mkdirSync(path.dirname(file))
      fs.writeFileSync(file, '{"a":"é"}\n{"a":')
      expect(lines(file)).toEqual([{ a: "é" }])
      append(file, { a: 2 })
      append(file, { a: 3 })
      expect(lines(file)).toEqual([{ a: "é" }, { a: 2 }, { a: 3 }])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  test("all tables of the paper are there", () => {
    expect(Paper.expressions.length).toBe(21 * 9)
    expect(Paper.topTen.length).toBe(21 * 10)
    expect(Paper.rmse.length).toBe(2 * 3 * 9)
    expect(Paper.seconds.length).toBe(5 * 3 * 3)
    expect(Paper.ablation.length).toBe(2 * 16)
    expect(
      Paper.rmse.find(
        ({ problem, noise, method }) => problem === "sim2" && noise === 0.2 && method === "PySR",
      ),
    ).toMatchObject({ mean: 0.22836, sd: 0.00429 })
    expect(Paper.recovery("VaSST", "FTC", 0.1)).toBe("no")
    expect(Paper.recovery("DSR", "FTC", 0.1)).toBeUndefined()
  })
})

describe("workers", () => {
  const program = (code: string) => ({ program: process.execPath, parameters: ["-e", code] })
  const echo =
    'require("readline").createInterface({input:process.stdin}).on("line",(l)=>console.log(JSON.stringify({result:l})))'

  test("one answer to each question", async () => {
    const one = worker(program(echo), 0)
    expect(await one.ask({ a: 1 }, 60)).toEqual({ result: '{"a":1}' })
    expect(await one.ask({ a: 2 }, 60)).toEqual({ result: '{"a":2}' })
    one.end()
  })

  test("one that ends without an answer says why, and one that is silent is killed", async () => {
    const failing = worker(program('console.error("no such thing"); process.exit(3)'), 0)
    expect(await failing.ask({}, 60)).toEqual({ error: "ended with 3: no such thing" })
    const silent = worker(program("setInterval(() => 0, 1000)"), 0)
    expect(await silent.ask({}, 0.3)).toEqual({ error: "killed after 0.3 s" })
    silent.end()
  })
})
