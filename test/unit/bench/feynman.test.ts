import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { rSquared, rows, sample } from "../../../bench/feynman/data.ts"
import { benchmark, benchmarks, equation, truth, units, Unknown } from "../../../bench/feynman/equations.ts"
import { compare, pair, report } from "../../../bench/feynman/comparison.ts"
import { type Improvement, type Run, secondsToHit } from "../../../bench/feynman/record.ts"
import { type Judged, judged, summary } from "../../../bench/feynman/results.ts"
import * as Dimension from "../../../src/expr/Dimension.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import { interpretWith } from "../../../src/expr/term/Interpret.ts"
import * as Unit from "../../../src/expr/Unit.ts"
import * as Units from "../../../src/expr/Units.ts"

// What the record's figures are made of: the data that a search is given, and the arithmetic of its table.

describe("the samples of the benchmark", () => {
  const { feynman, paper } = benchmarks

  it("are of a hundred equations, by name, in ranges that their laws have values on", () => {
    expect(feynman.equations).toHaveLength(100)
    expect(new Set(feynman.equations.map(({ name }) => name)).size).toBe(100)
    expect(benchmark("paper").equations).toHaveLength(7)
    expect(() => benchmark("nguyen")).toThrow(Unknown)
    expect(() => equation(feynman, "I.0.0")).toThrow(Unknown)
    for (const one of feynman.equations) {
      const { train, test } = sample(feynman, one, 0, 1)
      expect([train.rows, test.rows]).toEqual([rows.train, rows.all - rows.train])
      one.variables.forEach(({ name, low, high }, k) => {
        expect(train.features[k]).toBe(name)
        for (const part of [train, test])
          expect(part.columns[k]!.every((value) => value >= low && value <= high)).toBe(true)
      })
    }
  })

  it("have columns in units in which each law has the unit of its target", () => {
    const wrong = feynman.equations.filter((one) => {
      const { features, target } = sample(feynman, one, 0, 1).train
      const texts = units[one.name]!
      const measured = Units.of(texts)
      const unitOf = (name: string): Unit.Unit => Unit.ofColumn(measured, name)!
      const law = interpretWith(Dimension.algebra)(truth(one))((name) => Dimension.quantity(unitOf(name)))
      const areAll = Object.keys(texts).toSorted().join() === [...features, target].toSorted().join()
      return !(areAll && law !== undefined && Dimension.suits(law, unitOf(target)))
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it("have noise that is a share of the root mean square of the target, and none in the test rows", () => {
    for (const name of ["I.12.11", "III.19.51", "I.6.2"]) {
      const one = equation(feynman, name)
      const clean = sample(feynman, one, 0, 3)
      const law = scalarFunction(truth(one), clean.train.features)
      const at = (columns: ReadonlyArray<Float64Array>, i: number) => law(columns.map((column) => column[i]!))
      expect([...clean.train.y].every((y, i) => y === at(clean.train.columns, i))).toBe(true)
      const size = Math.sqrt(clean.train.y.reduce((sum, y) => sum + y * y, 0) / rows.train)
      const [low, high] = [sample(feynman, one, 0.01, 3), sample(feynman, one, 0.1, 3)]
      for (const [noise, { sigma, train, test }] of [
        [0.01, low],
        [0.1, high],
      ] as const) {
        expect(sigma).toBeCloseTo(noise * size, 12)
        expect(train.columns).toEqual(clean.train.columns)
        expect([...test.y].every((y, i) => y === at(test.columns, i))).toBe(true)
        const errors = [...train.y].map((y, i) => (y - clean.train.y[i]!) / sigma)
        const variance = errors.reduce((sum, e) => sum + e * e, 0) / errors.length
        // 1800 squares of standard normals: five standard deviations of their mean. Seeds are fixed.
        expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 1800))
      }
      // The noise levels of a seed share their errors.
      const ratio = (i: number) =>
        (high.train.y[i]! - clean.train.y[i]!) / (low.train.y[i]! - clean.train.y[i]!)
      for (let i = 0; i < 50; i++) expect(ratio(i)).toBeCloseTo(10, 5)
    }
  })

  it("have the paper's noise as a standard deviation, whatever the size of the target", () => {
    expect(paper.equations.map((one) => sample(paper, one, 0.2, 1).sigma)).toEqual(
      paper.equations.map(() => 0.2),
    )
  })

  it("differ by seed", () => {
    const one = equation(feynman, "I.12.11")
    expect(sample(feynman, one, 0, 1).train.columns).not.toEqual(sample(feynman, one, 0, 2).train.columns)
    expect(sample(feynman, one, 0, 1)).toEqual(sample(feynman, one, 0, 1))
  })

  it("are measured by R2 around the mean of the test rows", () => {
    const y = Float64Array.of(1, 2, 3, 6)
    expect(rSquared(y, y)).toBe(1)
    expect(rSquared(y, Float64Array.of(3, 3, 3, 3))).toBe(0)
    expect(rSquared(y, Float64Array.of(1, 2, 3, 5))).toBeCloseTo(1 - 1 / 14, 14)
    expect(rSquared(y, Float64Array.of(1, 2, 3, NaN))).toBeNaN()
  })
})

describe("seconds to hit", () => {
  const course: ReadonlyArray<Improvement> = [
    { seconds: 1, expression: "a", r2: 0.9 },
    { seconds: 2, expression: "b", r2: 1 },
    { seconds: 3, expression: "c", r2: 0.99 },
    { seconds: 4, expression: "d", r2: 1 - 1e-12 },
    { seconds: 5, expression: "e", r2: 1 },
  ]

  it("are those of the first exact formula that was kept, without noise", () => {
    expect(secondsToHit(course, "e", 0)).toBe(4)
    expect(secondsToHit(course.slice(0, 2), "b", 0)).toBe(2)
  })

  it("are those of the formula that was given in the end where noise is, or where no formula is exact", () => {
    expect(secondsToHit(course, "e", 0.1)).toBe(5)
    expect(secondsToHit(course.slice(0, 3), "c", 0)).toBe(3)
    expect(secondsToHit(course, "f", 0.1)).toBeNull()
    expect(secondsToHit([], "f", 0)).toBeNull()
  })
})

const run = (change: Partial<Run>): Run => ({
  set: "feynman",
  solver: "vasst",
  equation: "I.12.1",
  noise: 0,
  seed: 1,
  budget: 30,
  expression: "x",
  r2: 1,
  complexity: 3,
  seconds: 2,
  cpu: 2,
  secondsToHit: 1,
  stop: "converged",
  ...change,
})

const verdict = (recovered: boolean, form = recovered): Judged["verdict"] => ({
  recovered,
  form,
  rule: "symbolic",
  reason: "",
  nodes: 7,
  srbench: recovered,
})

describe("two files of runs", () => {
  const judgedRun = (seed: number, recovered: boolean, cpu: number | null): Judged => ({
    ...run({ seed, cpu }),
    verdict: verdict(recovered),
  })
  // Found in both, lost, gained twice, found in neither; and a problem that the other file lacks on either side.
  const before = [
    judgedRun(1, true, 2),
    judgedRun(2, true, 2),
    judgedRun(3, false, 4),
    judgedRun(4, false, null),
    judgedRun(5, false, 1),
    judgedRun(6, true, 1),
  ]
  const after = [
    judgedRun(7, true, 1),
    judgedRun(5, false, 1),
    judgedRun(4, true, 3),
    judgedRun(3, true, 2),
    judgedRun(2, false, 4),
    judgedRun(1, true, 4),
  ]

  it("are paired by problem, and compared by what was found and by CPU seconds", () => {
    const { pairs, unpaired } = pair(before, after)
    expect(unpaired).toEqual({ before: 1, after: 1 })
    const { lost, gained, p, cpu, ...counts } = compare(pairs)
    expect(counts).toEqual({ pairs: 5, foundBefore: 2, foundAfter: 3 })
    expect(lost.map((one) => one.before.seed)).toEqual([2])
    expect(gained.map((one) => one.after.seed)).toEqual([3, 4])
    expect(p).toBe(1)
    // Ratios 2, 2, 1/2 and 1: logarithms log 2 times 1, 1, -1, 0, whose mean is 1/4 and variance 11/12.
    expect(cpu).toMatchObject({ pairs: 4, total: 11 / 9 })
    expect(Math.log2(cpu!.mean)).toBeCloseTo(1 / 4, 12)
    expect(Math.log2(cpu!.high)).toBeCloseTo(1 / 4 + (1.96 * Math.sqrt(11 / 12)) / 2, 12)
    expect(Math.log2(cpu!.low)).toBeCloseTo(1 / 4 - (1.96 * Math.sqrt(11 / 12)) / 2, 12)
  })

  it("are reported with the problems that were lost and gained", () => {
    const text = report(pair(before, after))
    expect(text).toContain("Not compared: 1 runs only before, 1 runs only after.")
    expect(text).toContain("| feynman, noise 0 | 5 | 2 | 3 | 1 | 2 | 1.000 | 1.189 |")
    expect(text).toMatch(/Lost:\s+- I\.12\.1 at noise 0, seed 2:[^]*Gained:\s+- I\.12\.1 at noise 0, seed 3:/)
  })

  it("differ by more than chance where ten problems are lost and none is gained", () => {
    const all = (recovered: boolean) => Array.from({ length: 10 }, (_, i) => judgedRun(i, recovered, 1))
    const lost = compare(pair(all(true), all(false)).pairs)
    expect(lost.p).toBeCloseTo(2 / 1024, 12)
    expect(lost.cpu).toMatchObject({ total: 1, mean: 1, low: 1, high: 1, median: 1 })
  })

  it("have one run of a problem each", () => {
    expect(() => pair([...before, before[0]!], after)).toThrow("several runs")
  })
})

describe("the table of a record", () => {
  const runs: ReadonlyArray<Judged> = [
    { ...run({ secondsToHit: 0.5 }), verdict: verdict(true) },
    { ...run({ secondsToHit: 2, seconds: 9 }), verdict: verdict(true) },
    { ...run({ secondsToHit: 20 }), verdict: verdict(true) },
    { ...run({ secondsToHit: 0.1, r2: 0.9995 }), verdict: verdict(false, true) },
    { ...run({ secondsToHit: null, r2: null }), verdict: verdict(false) },
  ]

  it("counts as recovered what the judge says, and takes times of those alone", () => {
    expect(summary(runs)).toEqual({
      runs: 5,
      recovered: 3,
      srbench: 3,
      form: 1,
      close: 4,
      medianR2: 1,
      hit: { median: 2, largest: 20 },
      medianNodes: 7,
      medianSeconds: 2,
    })
    expect(summary(runs.slice(3)).hit).toBeUndefined()
  })

  it("has no figure by SRBench's rounding where not all runs were judged by it", () => {
    const { srbench: _, ...without } = runs[0]!.verdict
    expect(summary([...runs, { ...run({}), verdict: without }]).srbench).toBeUndefined()
  })

  it("is not made of runs without their verdicts", () => {
    const file = join(mkdtempSync(join(tmpdir(), "vasst-")), "runs.jsonl")
    const write = (name: string, list: ReadonlyArray<unknown>) =>
      writeFileSync(name, list.map((one) => `${JSON.stringify(one)}\n`).join(""))
    const verdicts = file.replace(".jsonl", ".judged.jsonl")
    write(file, [run({}), run({ seed: 2 })])
    const line = { ...run({}), verdict: verdict(true) }
    write(verdicts, [line])
    expect(() => judged(file)).toThrow("is not judged")
    write(verdicts, [line, { ...line, seed: 2, expression: "another" }])
    expect(() => judged(file)).toThrow("is not judged")
    write(verdicts, [line, { ...line, seed: 2 }])
    expect(judged(file).map(({ seed, verdict: { recovered } }) => [seed, recovered])).toEqual([
      [1, true],
      [2, true],
    ])
  })
})
