import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as ConstantFitting from "../../../src/search/ConstantFitting.ts"
import type { ApproximateEvidence } from "../../../src/search/ApproximateEvidence.ts"
import * as SearchSpace from "../../../src/search/SearchSpace.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as LocalSearch from "../../support/localSearch.ts"
import { dataset } from "../../support/selected.ts"

const { add, cos, div, exp, mul, sin } = Operator
const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [add, mul, div, sin, cos, exp],
  constants: { "1": 1, c: Constant.fitted(Dist.normal(0, 10)) },
})

type Law = (a: number, b: number) => number

const prepare = (law: Law) => {
  const generator = Rng.generator(Rng.key(3))
  const draw = () => Float64Array.from({ length: 300 }, () => 0.2 + 2 * generator.next())
  const columns = { a: draw(), b: draw() }
  const data = dataset(
    columns,
    columns.a.map((a, i) => law(a, columns.b[i]!)),
  )
  const uniform = (count: number) => Array.from({ length: count }, () => -Math.log(count))
  const weights = { depth: 4, split: { alpha: 0.95, delta: 1 }, operators: uniform(6), terminals: uniform(4) }
  const space = Effect.runSync(SearchSpace.make(grammar, weights, data, 1, Rng.key(4)))
  const fitter = Effect.runSync(ConstantFitting.make(space, grammar, data))
  const target = GPrior.target(data.y, { a: 3, resolution: 1e-6 })
  const [nothing, table] = [GPrior.logNull(target), GPrior.table(target)]
  const evidence = (rank: number, rss: number) => nothing + table(rank, rss)
  return { space, fitter, evidence, total: target.tss }
}

const laws: Readonly<Record<string, readonly [Law, number]>> = {
  "a rate": [(a, b) => Math.exp((-0.37 * a) / b), -0.37],
  "a shift": [(a, b) => 1 / (a * b + 2.6), 2.6],
  "many turns": [(a, b) => Math.cos(11.3 * a * b), 11.3],
}

describe("numbers in trees", () => {
  for (const [name, [law, number]] of Object.entries(laws))
    it(`are found: ${name}`, () => {
      const { space, fitter, evidence } = prepare(law)
      const operator = name === "a rate" ? 2 : 1
      const tree = space.dag.apply(operator, 0, 1)
      const { unit } = space.responses[0]!
      const [best = -1] = fitter!.of(0, [], tree, (rss, numbers) => evidence(1 + numbers, rss * unit))
      const found = Tree.key(space.tree(best))
      const [, value = "NaN"] = /t3=([-\d.e]+)/.exec(found) ?? []
      // A cosine does not tell the sign.
      expect(Math.abs(Number(value))).toBeCloseTo(Math.abs(number), 4)
    })

  it("become simple numbers where those are as good", () => {
    const { space, fitter, evidence } = prepare((a, b) => Math.exp((a * b) / (2 * Math.PI)))
    const { unit } = space.responses[0]!
    const tree = space.dag.apply(1, 0, 1)
    const [best = -1] = fitter!.of(0, [], tree, (rss, numbers) => evidence(1 + numbers, rss * unit))
    expect(Tree.key(space.tree(best))).toContain(`=${1 / (2 * Math.PI)}`.slice(0, 14))
  })

  it("are terminals that keep their values, the same for the same", () => {
    const { space } = prepare((a) => a)
    const ids = [0.5, 0.25, 0.5].map((value) => space.numbers.node(3, value))
    expect(ids[0]).toBe(ids[2])
    expect(ids[0]).not.toBe(ids[1])
    const twice = space.dag.apply(1, ids[0]!, ids[1]!)
    space.attributes.update()
    expect([...new Set(space.kernel.column(twice))]).toEqual([0.125])
    expect(space.attributes.fitted(0, twice)).toBe(2)
    expect(space.attributes.fitted(space.attributes.numbers([ids[0]!]), ids[0]!)).toBe(1)
    expect(space.attributes.varies(twice)).toBe(false)
  })

  it("are fitted by a search, of which the law is found", () => {
    const { space, fitter, evidence, total } = prepare((a, b) => 1 / (a * b + 2.6))
    const approximate: ApproximateEvidence = {
      most: 1,
      links: [0],
      weigh: () => undefined,
      weights: () => undefined,
      bound: () => undefined,
      evidence: (_, rank, rss) => evidence(rank, rss),
      prior: (_, trees, sum) => sum - trees,
    }
    const search = LocalSearch.make(space, approximate, Rng.generator(Rng.key(1)), 500, fitter)
    const rss = (): number => search.leader()?.rss ?? Infinity
    for (let i = 0; i < 300 && rss() > 1e-10 * total; i++) search.step()
    expect(rss() / total).toBeLessThan(1e-10)
    expect(
      search
        .leader()!
        .trees.map((id) => Tree.key(space.tree(id)))
        .join(),
    ).toContain("t3=")
  })
})
