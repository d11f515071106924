import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../../src/evidence/columns.ts"
import * as Evidence from "../../../../src/evidence/conjugate.ts"
import * as ParametricTrees from "../../../../src/evidence/fitted/ParametricTrees.ts"
import * as ConjugateFit from "../../../../src/evidence/fitted/conjugateFit.ts"
import { logSumExp } from "../../../../src/numeric/logSum.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { midpoints } from "../../../support/midpoints.ts"
import { dataset } from "../../../support/selected.ts"

// Fitted numbers under the normal-inverse-gamma prior, against the midpoint rule over a box around the top.

const prior = Dist.normal(0, 3)
const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.add, Operator.mul, Operator.exp, Operator.sin],
  constants: { c: Constant.fitted(prior), s: Constant.fitted(Dist.gamma(2, 1)) },
})
const [a, b] = [Tree.leaf(0), Tree.leaf(1)]
const c = (value: number): Tree.Tree => Tree.leaf(2, value)
const s = (value: number): Tree.Tree => Tree.leaf(3, value)
const operator = (name: string) => grammar.operators.findIndex((one) => one.name === name)
const times = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(operator("mul"), [x, y])
const sin = (x: Tree.Tree) => Tree.branch(operator("sin"), [x])
const exp = (x: Tree.Tree) => Tree.branch(operator("exp"), [x])

const hyper = (trees: number) => ({
  mu0: Array.from({ length: trees + 1 }, () => 0.3),
  sigma0: Array.from({ length: trees + 1 }, () => 10),
  a0: 2,
  b0: 0.5,
})

const make = (law: (a: number, b: number) => number, noise: number, rows = 60) => {
  const generator = Rng.generator(Rng.key(5))
  const draw = () => Float64Array.from({ length: rows }, () => 0.5 + 2 * generator.next())
  const data = { a: draw(), b: draw() }
  const y = data.a.map((value, i) => law(value, data.b[i]!) + noise * generator.normal())
  const columns = Effect.runSync(Columns.make(grammar, dataset(data, y)))
  const evidence = (trees: ReadonlyArray<Tree.Tree>): number =>
    Evidence.posterior(
      hyper(trees.length),
      y,
      trees.map((tree) => columns.column(tree).values),
    ).logEvidence
  const learn = (trees: ReadonlyArray<Tree.Tree>) => {
    const refined = ConjugateFit.fitConstants(
      ParametricTrees.make(columns, { apart: true })(trees),
      hyper(trees.length),
      y,
      (terminal) => grammar.terminals[terminal]!.fitted!,
    )!
    return { ...refined, logEvidence: evidence(refined.trees) + refined.logVolume }
  }
  return { evidence, learn }
}

/** log of the integral of evidence times prior over a box, by the midpoint rule. */
const integral = (
  height: (numbers: ReadonlyArray<number>) => number,
  box: ReadonlyArray<readonly [number, number]>,
  points: number,
): number => {
  const grid = midpoints(box, points)
  return logSumExp(grid.map(height)) + box.reduce((log, [l, h]) => log + Math.log((h - l) / points), 0)
}

describe("fitted numbers under the conjugate prior", () => {
  it("are found from afar, and integrated out as numerical integration has it", () => {
    for (const noise of [0.02, 0.2]) {
      const { evidence, learn } = make((x) => 2 * Math.sin(1.7 * x), noise)
      const trees = (value: number) => [sin(times(c(value), a))]
      const { numbers, deviations, logEvidence } = learn(trees(1.3))
      expect(Math.abs(numbers[0]! - 1.7)).toBeLessThan(4 * deviations[0]!)
      const box = [[numbers[0]! - 8 * deviations[0]!, numbers[0]! + 8 * deviations[0]!] as const]
      const exact = integral(([v]) => evidence(trees(v!)) + Dist.logDensity(prior, v!), box, 400)
      expect(Math.abs(logEvidence - exact)).toBeLessThan(0.02)
    }
  })

  it("are integrated out two at a time, one of them positive, beside another tree", () => {
    const { evidence, learn } = make((x, z) => Math.exp(-0.8 * x) + 0.5 * z + Math.sin(2 * z), 0.05, 200)
    const trees = (p: number, q: number) => [exp(times(c(p), a)), sin(times(s(q), b)), b]
    const { numbers, deviations, logEvidence } = learn(trees(-0.5, 1.8))
    expect(numbers.length).toBe(2)
    const box = Array.from(
      numbers,
      (value, j) => [value - 7 * deviations[j]!, value + 7 * deviations[j]!] as const,
    )
    const exact = integral(
      ([p, q]) =>
        evidence(trees(p!, q!)) + Dist.logDensity(prior, p!) + Dist.logDensity(Dist.gamma(2, 1), q!),
      box,
      60,
    )
    expect(Math.abs(logEvidence - exact)).toBeLessThan(0.1)
  })

  it("stand at a top: the evidence is flat there and lower around", () => {
    const { evidence, learn } = make((x) => 3 * x, 0.1)
    // c x with a coefficient: the prior of coefficients likes a c of some size.
    const trees = (value: number) => [times(c(value), a)]
    const { numbers } = learn(trees(0.4))
    const height = (v: number): number => evidence(trees(v)) + Dist.logDensity(prior, v)
    const [top] = numbers
    expect(Math.abs((height(top! + 1e-4) - height(top! - 1e-4)) / 2e-4)).toBeLessThan(1e-2)
    for (const away of [0.9, 1.1]) expect(height(top! * away)).toBeLessThan(height(top!))
  })

  it("are numbers of their own where their values are equal", () => {
    const { learn } = make((x, z) => Math.exp(0.7 * x) + Math.sin(1.4 * z), 0.05)
    const { numbers } = learn([exp(times(c(1), a)), sin(times(c(1), b))])
    expect(numbers[0]).toBeCloseTo(0.7, 1)
    expect(numbers[1]).toBeCloseTo(1.4, 1)
  })
})
