import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../../src/evidence/columns.ts"
import { logSumExp } from "../../../../src/numeric/logSum.ts"
import * as Selected from "../../../../src/evidence/selected.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Link from "../../../../src/prob/Link.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { midpoints } from "../../../support/midpoints.ts"
import { dataset, problem } from "../../../support/selected.ts"

const prior = Dist.normal(0, 10)
const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.add, Operator.mul, Operator.exp, Operator.sin],
  constants: { c: Constant.fitted(prior) },
})
const [a, b] = [Tree.leaf(0), Tree.leaf(1)]
const c = (value?: number): Tree.Tree => Tree.leaf(2, value)
const operator = (name: string) => grammar.operators.findIndex((one) => one.name === name)
const times = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(operator("mul"), [x, y])
const plus = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(operator("add"), [x, y])
const sin = (x: Tree.Tree) => Tree.branch(operator("sin"), [x])
const exp = (x: Tree.Tree) => Tree.branch(operator("exp"), [x])

type Law = (a: number, b: number) => number

const make = (
  law: Law,
  options: {
    readonly noise: number
    readonly rows?: number
    readonly links?: ReadonlyArray<Link.Link>
    readonly noiseOn?: "link"
  },
) => {
  const { noise, rows = 60, links, noiseOn } = options
  const generator = Rng.generator(Rng.key(5))
  const draw = () => Float64Array.from({ length: rows }, () => 0.5 + 2 * generator.next())
  const columns = { a: draw(), b: draw() }
  const y = Float64Array.from(
    { length: rows },
    (_, i) => law(columns.a[i]!, columns.b[i]!) + noise * generator.normal(),
  )
  const data = dataset(columns, y)
  const { likelihood } = problem(grammar, {
    trees: 2,
    depth: 4,
    ...(links && { links }),
    ...(noiseOn && { noise: noiseOn }),
  })
  return Selected.make(likelihood, Effect.runSync(Columns.make(grammar, data)), y)
}

/** log of the integral of prior times evidence over a box, by the midpoint rule on a grid. */
const integral = (
  selected: Selected.Selected,
  link: number,
  trees: (numbers: ReadonlyArray<number>) => ReadonlyArray<Tree.Tree>,
  box: ReadonlyArray<readonly [number, number]>,
  points: number,
): number => {
  const grid = midpoints(box, points)
  const cell = box.reduce((log, [low, high]) => log + Math.log((high - low) / points), 0)
  const heights = grid.map(
    (numbers) =>
      selected.assess(link, trees(numbers))!.logEvidence +
      numbers.reduce((sum, value) => sum + Dist.logDensity(prior, value), 0),
  )
  return logSumExp(heights) + cell
}

/** What `learn` and `assess` say together. */
const learnt = (selected: Selected.Selected, link: number, trees: ReadonlyArray<Tree.Tree>) => {
  const refined = selected.fitConstants(link, trees)!
  return {
    ...refined,
    logEvidence: selected.assess(link, refined.trees)!.logEvidence + refined.logVolume,
    box: Array.from(
      refined.numbers,
      (value, j) => [value - 8 * refined.deviations[j]!, value + 8 * refined.deviations[j]!] as const,
    ),
  }
}

describe("fitted numbers", () => {
  it("are found, and integrated out as numerical integration has it", () => {
    for (const noise of [0.02, 0.2]) {
      const selected = make((x) => 2 * Math.sin(1.7 * x), { noise })
      const trees = (value: number) => [sin(times(c(value), a))]
      const { numbers, deviations, logEvidence, box } = learnt(selected, 0, trees(1.5))
      expect(Math.abs(numbers[0]! - 1.7)).toBeLessThan(4 * deviations[0]!)
      const exact = integral(selected, 0, ([value]) => trees(value!), box, 400)
      expect(Math.abs(logEvidence - exact)).toBeLessThan(0.05)
    }
  })

  it("are integrated out two at a time, beside another tree", () => {
    const selected = make((x, z) => Math.exp(-0.8 * x) + 0.5 * z + Math.sin(2 * z + 0.4), {
      noise: 0.05,
      rows: 200,
    })
    const trees = (p: number, q: number) => [exp(times(c(p), a)), plus(b, sin(plus(c(q), plus(b, b))))]
    const { logEvidence, box, numbers } = learnt(selected, 0, trees(-0.5, 0.2))
    expect(numbers.length).toBe(2)
    // Two numbers that are not one: the probability of that is a half.
    const exact = Math.log(0.5) + integral(selected, 0, ([p, q]) => trees(p!, q!), box, 60)
    expect(Math.abs(logEvidence - exact)).toBeLessThan(0.1)
  })

  it("are fitted through links, with noise on either side", () => {
    const law: Law = (x) => 1 / (Math.exp(0.6 * x) + 0.5)
    for (const noiseOn of [undefined, "link" as const]) {
      const selected = make(law, {
        noise: 0.003,
        rows: 200,
        links: [Link.inverse],
        ...(noiseOn && { noiseOn }),
      })
      const trees = (value: number) => [exp(times(c(value), a))]
      const { numbers, deviations, logEvidence, box } = learnt(selected, 0, trees(1))
      expect(Math.abs(numbers[0]! - 0.6)).toBeLessThan(5 * deviations[0]!)
      const exact = integral(selected, 0, ([value]) => trees(value!), box, 200)
      expect(Math.abs(logEvidence - exact)).toBeLessThan(0.05)
    }
  })

  it("are exact where the law is", () => {
    const selected = make((x) => 3 + 2 * Math.exp(-x / (2 * Math.PI)), { noise: 0 })
    const { numbers } = learnt(selected, 0, [exp(times(c(-0.3), a))])
    expect(Math.abs(numbers[0]! + 1 / (2 * Math.PI))).toBeLessThan(1e-9)
  })

  it("cost nothing where they change nothing, and earn nothing", () => {
    const selected = make((x) => 3 * x, { noise: 0.1 })
    const { logEvidence, deviations } = learnt(selected, 0, [times(c(2), a)])
    expect(deviations[0]).toBeCloseTo(10, 6)
    expect(logEvidence).toBeCloseTo(selected.assess(0, [a])!.logEvidence, 6)
  })

  it("are one number where their values are equal, and tell how often numbers are shared", () => {
    const selected = make((x, z) => Math.exp(-0.7 * x) * Math.sin(0.7 * z), { noise: 0.01, rows: 100 })
    const trees = (p?: number, q?: number) => [times(exp(times(c(p), a)), sin(times(c(q), b)))]
    expect(learnt(selected, 0, trees(-0.5, -0.5)).numbers.length).toBe(1)
    expect(learnt(selected, 0, trees(-0.5, 0.5)).numbers.length).toBe(2)
    expect(learnt(selected, 0, trees()).numbers.length).toBe(2)
  })

  it("are no matter of trees that have none, or of a place where there is no law", () => {
    const selected = make((x) => x, { noise: 0.1 })
    expect(selected.fitConstants(0, [a])).toBeUndefined()
    expect(selected.fitConstants(7, [times(c(2), a)])).toBeUndefined()
    expect(selected.fitConstants(0, [exp(times(exp(times(c(1e200), a)), c(1e200)))])).toBeUndefined()
  })
})
