import { describe, expect, it } from "vitest"
import { csv, lawOf, rowsOf } from "../../../bench/laws/data.ts"
import { type Answer, formOf, hitOf, lawIn, placeOf, type Run } from "../../../bench/laws/record.ts"
import { caseOf, isMeasured, names, setOf, Unknown } from "../../../bench/laws/sets.ts"
import { figures, groups, summary } from "../../../bench/laws/summary.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Progress from "../../../src/report/Progress.ts"

// The data that a solver is given, and the arithmetic of the figures.

describe("the sets", () => {
  it("have cases by name", () => {
    expect(names).toEqual(expect.arrayContaining(["measured", "srsd-easy"]))
    expect(setOf("srsd-easy").cases).toHaveLength(30)
    expect(setOf("measured").cases).toHaveLength(14)
    expect(setOf("measured-more").cases).toHaveLength(45)
    expect(["srsd-medium", "srsd-hard", "dso"].map((name) => setOf(name).cases.length)).toEqual([40, 50, 89])
    expect(() => setOf("nothing")).toThrow(Unknown)
    expect(() => caseOf(setOf("measured"), "nothing")).toThrow(Unknown)
    for (const name of names) {
      const { cases } = setOf(name)
      expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length)
    }
  })

  it("have rows on which every law is finite, in the ranges of its variables", () => {
    for (const name of names) {
      const set = setOf(name)
      for (const one of set.cases) {
        const { columns, target } = rowsOf(set, one, 0, 1)
        const lengths = Object.values(columns).map((values) => values.length)
        expect(new Set(lengths).size).toBe(1)
        expect(Object.values(columns).every((values) => values.every(Number.isFinite))).toBe(true)
        expect(Object.keys(columns)).toContain(target)
        if (isMeasured(one)) continue
        const group = one.perGroup === undefined ? [] : ["group"]
        expect(Object.keys(columns)).toEqual([
          ...group,
          ...one.variables.map((variable) => variable.name),
          target,
        ])
        for (const { name: feature, low, high, kind } of one.variables) {
          const sizes = columns[feature]!.map((value) => (/-/.test(kind) ? Math.abs(value) : value))
          const rounding = 1e-12 * Math.max(Math.abs(low), Math.abs(high))
          expect(sizes.every((size) => size >= low - rounding && size <= high + rounding)).toBe(true)
          if (kind.endsWith("int")) expect(sizes.every(Number.isInteger)).toBe(true)
          if (kind.startsWith("+-")) expect(columns[feature]!.some((value) => value < 0)).toBe(true)
        }
      }
    }
  })

  it("have groups with noise in proportion to the group", () => {
    const set = setOf("class-sr")
    expect(set.cases).toHaveLength(8)
    const one = caseOf(set, "radioactive-decay")
    const [clean, noisy] = [0, 0.1].map((noise) => rowsOf(set, one, noise, 1, 3).columns)
    expect([...new Set(clean!["group"])]).toEqual([1, 2, 3])
    for (const group of [1, 2, 3]) {
      const rows = clean!["group"]!.flatMap((value, i) => (value === group ? [i] : []))
      expect(rows).toHaveLength(100)
      const square = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value * value, 0)
      const share =
        square(rows.map((i) => noisy!["y"]![i]! - clean!["y"]![i]!)) /
        square(rows.map((i) => clean!["y"]![i]!))
      expect(Math.sqrt(share)).toBeGreaterThan(0.07)
      expect(Math.sqrt(share)).toBeLessThan(0.13)
    }
  })

  it("have measured rows near the law of their source", () => {
    const cases = ["measured", "measured-more"].flatMap((name) => setOf(name).cases.filter(isMeasured))
    // The parameters of Lanczos1, which has no noise, have fewer digits than its rows.
    for (const one of cases.filter(({ name }) => name !== "Lanczos1")) {
      const features = Object.keys(one.columns).filter((name) => name !== one.target)
      const law = scalarFunction(lawOf(one), features)
      const y = one.columns[one.target]!
      const predicted = y.map((_, i) => law(features.map((name) => one.columns[name]![i]!)))
      const logarithmic = one.residuals === "logarithmic"
      const residuals = y.map((value, i) =>
        logarithmic ? Math.log(value / predicted[i]!) : value - predicted[i]!,
      )
      const size = Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / y.length)
      expect(size / one.rmse!).toBeCloseTo(1, 2)
    }
  })

  it("have noise in proportion to the target, the same standard normals at every level", () => {
    const set = setOf("srsd-easy")
    const one = caseOf(set, "ii.34.29b")
    const clean = rowsOf(set, one, 0, 1).columns["y"]!
    const [low, high] = [0.01, 0.1].map((noise) => rowsOf(set, one, noise, 1).columns["y"]!)
    const errors = clean.map((y, i) => (low![i]! / y - 1) / 0.01)
    // 2000 squares of standard normals: five standard deviations of their mean. Seeds are fixed.
    const variance = errors.reduce((sum, e) => sum + e * e, 0) / errors.length
    expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 2000))
    clean.forEach((y, i) => expect((high![i]! / y - 1) / 0.1).toBeCloseTo(errors[i]!, 6))
    expect(rowsOf(set, one, 0.1, 2).columns).not.toEqual(rowsOf(set, one, 0.1, 1).columns)
  })

  it("are written with all digits", () => {
    const rows = { target: "y", columns: { x: [0.1, 1e-30], y: [1 / 3, -2e20] } }
    expect(csv(rows)).toBe("x,y\n0.1,0.3333333333333333\n1e-30,-200000000000000000000\n")
  })
})

const answer = (law: boolean, probability: number | null = 0.5): Answer => ({
  expression: "x",
  probability,
  verdict: { law, kind: law ? "law" : "other", reason: "" },
})

const run = (change: Partial<Run>): Run => ({
  set: "measured",
  solver: "vasst",
  case: "a",
  noise: 0,
  seed: 1,
  cores: 1,
  budget: 30,
  answers: [answer(true)],
  wall: 2,
  seconds: 1,
  cpu: 1,
  hit: 0.5,
  stop: "converged",
  by: "here",
  ...change,
})

describe("runs", () => {
  it("have the place of the law", () => {
    expect(placeOf(run({}))).toBe(1)
    expect(placeOf(run({ answers: [answer(false), answer(false), answer(true)] }))).toBe(3)
    expect(placeOf(run({ answers: [answer(false)] }))).toBeUndefined()
    expect(placeOf(run({ answers: [] }))).toBeUndefined()
  })

  it("hit when the answer's form was first the best, whatever its numbers", () => {
    expect(formOf("2.5e-3*x^1.5 + sin(x)")).toBe("#*x^# + sin(x)")
    const course = [
      { seconds: 1, law: "2*x" },
      { seconds: 2, law: "2.1*x + 0.1" },
      { seconds: 3, law: "2.2*x + 3" },
    ]
    expect(hitOf(course, "2.2222*x + 3.01")).toBe(2)
    expect(hitOf(course, "x")).toBeNull()
  })

  it("are read from the program's own texts of progress", () => {
    const report = (best: Progress.Best | undefined) =>
      Progress.ofSearch({ seconds: 2, limit: 30, best: () => best }).text(Infinity)
    expect(lawIn(report({ logPosterior: -3.5, target: "rate", formula: "2.5*x^2 + 1" }), "rate")).toBe(
      "2.5*x^2 + 1",
    )
    expect(lawIn(report(undefined), "rate")).toBeUndefined()
  })

  it("are counted by place, stated probability and time", () => {
    const runs = [
      run({}),
      run({ case: "b", answers: [answer(false, 0.999), answer(true, 0.001)], wall: 4, hit: 3 }),
      run({ case: "c", answers: [], wall: 6, cpu: null, hit: null }),
    ]
    expect(figures(runs)).toEqual({
      runs: 3,
      first: 1,
      ten: 2,
      sureAndWrong: 1,
      stated: (0.5 + 0.999) / 2,
      hit: 0.5,
      wall: 4,
      cpu: 1,
    })
    expect(groups([...runs, run({ cores: 2 })]).map((list) => list.length)).toEqual([3, 1])
    expect(summary(runs).split("\n")).toHaveLength(3)
  })
})
