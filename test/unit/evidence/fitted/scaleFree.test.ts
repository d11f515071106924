import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../../src/evidence/columns.ts"
import { tiedFits } from "../../../../src/evidence/fitted/tiedFit.ts"
import * as ParametricTrees from "../../../../src/evidence/fitted/ParametricTrees.ts"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import * as Selected from "../../../../src/evidence/selected.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { add, c, exponential as rate, grammar, mul, pow, x } from "../../../support/fittedTrees.ts"
import { dataset, problem } from "../../../support/selected.ts"

const problemOf = (law: (x: number) => number, unit = 1, noise = 0.02) => {
  const generator = Rng.generator(Rng.key(11))
  const column = Float64Array.from({ length: 40 }, () => unit * (0.2 + 3 * generator.next()))
  const y = column.map((value) => law(value / unit) + noise * generator.normal())
  const data = dataset({ x: column }, y)
  const columns = Effect.runSync(Columns.make(grammar, data))
  const { likelihood } = problem(grammar, { trees: 2, depth: 3 })
  return { y, columns, selected: Selected.make(likelihood, columns, y) }
}

const evidence = ({ selected }: ReturnType<typeof problemOf>, tree: Tree.Tree): number => {
  const fitted = selected.fitConstants(0, [tree])!
  return selected.assess(0, fitted.trees)!.logEvidence + fitted.logVolume
}

describe("constants with the prior of coefficients", () => {
  it("cost what one more column of a linear model costs, given the residual", () => {
    const { y, selected } = problemOf((t) => 2 * Math.exp(-0.7 * t))
    const fitted = selected.fitConstants(0, [rate(-1)])!
    const target = GPrior.target(y, { a: 3, resolution: 1e-7 })
    const found = selected.assess(0, fitted.trees)!
    const log = (rank: number) => GPrior.logBayesFactor({ ...target, rank, rss: found.rss })
    expect(fitted.numbers[0]).toBeCloseTo(-0.7, 1)
    expect(fitted.logVolume).toBeCloseTo(log(2) - log(1), 9)
    expect(fitted.deviations[0]).toBeGreaterThan(0)
  })

  it("have one evidence in all units of the data", () => {
    const law = (t: number) => 2 * Math.exp(-0.7 * t)
    const plain = evidence(problemOf(law), rate(-1))
    for (const unit of [1e-20, 1e-3, 1e9])
      expect(evidence(problemOf(law, unit), rate(-1 / unit))).toBeCloseTo(plain, 6)
  })

  it("cost nothing where a coefficient does the same", () => {
    const made = problemOf((t) => 2 * t)
    const scaled = made.selected.fitConstants(0, [Tree.branch(mul, [c(3), x])])!
    expect(scaled.logVolume).toBeCloseTo(0, 9)
    const shifted = made.selected.fitConstants(0, [Tree.branch(add, [c(3), x])])!
    expect(shifted.logVolume).toBeCloseTo(0, 9)
  })
})

describe("laws without an intercept of their own", () => {
  const fits = (law: (x: number) => number, tree: Tree.Tree, noise?: number) => {
    const { y, columns, selected } = problemOf(law, 1, noise)
    const free = selected.fitConstants(0, [tree])!
    const parametric = ParametricTrees.make(columns)(free.trees)
    return tiedFits(parametric, y, new Float64Array(y.length).fill(1)).map(([value]) => value!)
  }

  it("are fitted with the constants that they have", () => {
    const power = Tree.branch(pow, [x, c(1)])
    const found = fits((t) => 0.77 * t ** 3.86, power, 0.2)
    expect(Math.min(...found.map((value) => Math.abs(value - 3.86)))).toBeLessThan(0.05)
    const rise = fits((t) => 3 * (1 - Math.exp(-0.5 * t)), rate(-0.3))
    expect(Math.min(...rise.map((value) => Math.abs(value + 0.5)))).toBeLessThan(0.03)
  })

  it("are not tried where the data have an intercept", () => {
    expect(fits((t) => 7 + 2 * Math.exp(-0.7 * t), rate(-0.5))).toEqual([])
  })

  it("are the minimum of the sum of squares that they leave", () => {
    const { y, columns, selected } = problemOf((t) => 3 * (1 - Math.exp(-0.5 * t)))
    const free = selected.fitConstants(0, [rate(-0.3)])!
    const found = tiedFits(ParametricTrees.make(columns)(free.trees), y, new Float64Array(40).fill(1))
    const values = columns.column(x).values
    /** The sum of squares of b (exp(c x) + ratio), b by least squares. */
    const rss = (value: number, ratio: number): number => {
      const column = values.map((t) => Math.exp(value * t) + ratio)
      const [own, cross, all] = [
        column.reduce((sum, one) => sum + one * one, 0),
        column.reduce((sum, one, i) => sum + one * y[i]!, 0),
        y.reduce((sum, one) => sum + one * one, 0),
      ]
      return all - (cross * cross) / own
    }
    expect(found.length).toBeGreaterThan(0)
    for (const [value] of found)
      expect(
        [-1, 0, 1].some(
          (ratio) =>
            rss(value!, ratio) < rss(value! * 1.01, ratio) && rss(value!, ratio) < rss(value! * 0.99, ratio),
        ),
      ).toBe(true)
  })
})
