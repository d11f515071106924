import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Evidence from "../../../src/evidence/conjugate.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Constant from "../../../src/prob/Constant.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Sym from "../../../src/prob/Sym.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import { CompileError } from "../../../src/errors/Errors.ts"

const plain = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin, Operator.sub] })
const restricted = plain.pipe(
  Grammar.forbid({ inside: "sin", operator: "sin" }),
  Grammar.forbid({ inside: "sub", operator: "mul" }),
)
const exponential = Grammar.make({
  features: ["a"],
  operators: [
    Operator.unary("power", (x) => x),
    Operator.unary("huge", () => ({ _tag: "Constant", value: 1e150 })),
  ],
})

const data: Dataset = {
  features: ["a", "b"],
  columns: [
    [0.5, 1, 1.5, 2, 2.5, 3],
    [1, -1, 2, 0, 1, -2],
  ].map((column) => Float64Array.from(column)),
  target: "y",
  y: Float64Array.of(1.1, -0.9, 3.2, 0.1, 2.4, -5.8),
  rows: 6,
}

const split = Prior.depthDecay(0.9, 0.5)
const model = (grammar: Grammar.Grammar, depth: number, trees: number) => {
  const sym = (site: string, size: number) => Sym.make(site, "simplex", [], size)
  const weights = {
    operators: sym("o", grammar.operators.length),
    terminals: sym("t", grammar.terminals.length),
  }
  const sites = { split: "s", operator: "p", terminal: "u" }
  const forest: Tree.Forest = { _tag: "Forest", grammar, depth, split, trees, weights, sites }
  const prior: TreePrior.TreePrior = {
    grammar,
    depth,
    split,
    operators: grammar.operators.map((_, k) => 0.5 + k),
    terminals: grammar.terminals.map(() => 1),
  }
  return { prior, likelihood: Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 2 }) }
}

describe("trees", () => {
  it("are counted and listed without repetition, none too deep, none forbidden", () => {
    // depth 1: 2 leaves + 2 * 2 + 2 + 2 * 2
    expect(Enumerate.count(plain, 1)).toBe(12)
    expect(Enumerate.count(plain, 2)).toBe(2 + 144 + 12 + 144)
    // below sin: no sin; below sub: no mul
    expect(Enumerate.count(restricted, 2)).toBe(2 + 144 + (2 + 4 + 4) + (2 + 2 + 4) ** 2)
    for (const grammar of [plain, restricted])
      for (const depth of [0, 1, 2]) {
        const trees = [...Enumerate.trees(grammar, depth)]
        expect(trees.length).toBe(Enumerate.count(grammar, depth))
        expect(new Set(trees.map(Tree.key)).size).toBe(trees.length)
        expect(Math.max(...trees.map(Tree.depth))).toBe(depth)
        const logPrior = TreePrior.logPrior(model(grammar, depth, 1).prior)
        expect(trees.every((tree) => Number.isFinite(logPrior([tree])))).toBe(true)
      }
    expect(Enumerate.count(plain, 40)).toBe(Infinity)
    expect(Enumerate.trees(plain, 40).next().value).toEqual(Tree.leaf(0))
  })
})

describe("enumerate", () => {
  it.effect.each([
    { grammar: plain, depth: 1, K: 2 },
    { grammar: restricted, depth: 2, K: 1 },
    { grammar: plain, depth: 0, K: 3 },
  ])("is the sum over all lists of trees, each scored by itself (%#)", ({ grammar, depth, K }) =>
    Effect.gen(function* () {
      const { prior, likelihood } = model(grammar, depth, K)
      const space = yield* Enumerate.enumerate(likelihood, prior, data)
      const columns = yield* Columns.make(grammar, data)
      const logPrior = TreePrior.logPrior(prior)
      const last = 1 - Prior.splitProbability(split, depth)
      let lists: ReadonlyArray<ReadonlyArray<Tree.Tree>> = [[]]
      for (let k = 0; k < K; k++)
        lists = lists.flatMap((list) => [...Enumerate.trees(grammar, depth)].map((tree) => [...list, tree]))
      const weights = new Map<string, { lists: number; lmpse: number }>()
      let marginal = 0
      let mass = 0
      for (const list of lists) {
        const key = list
          .map((tree) => Tree.key(Tree.canonical(grammar, tree)))
          .sort()
          .join(" ")
        const evidence = Evidence.posterior(
          likelihood,
          data.y,
          list.map((tree) => columns.column(tree).values),
        ).logEvidence
        const lmpse = evidence + logPrior(list)
        weights.set(key, { lists: 1 + (weights.get(key)?.lists ?? 0), lmpse })
        const drawn = logPrior(list) - TreePrior.deepest(prior, list) * Math.log(last)
        marginal += Math.exp(evidence + drawn)
        mass += Math.exp(drawn)
      }
      expect(mass).toBeCloseTo(1, 11)
      expect(space.logMarginal).toBeCloseTo(Math.log(marginal), 9)
      expect(space.inadmissible).toBe(0)
      expect(space.ensembles.length).toBe(weights.size)
      const total = [...weights.values()].reduce((sum, { lmpse }) => sum + Math.exp(lmpse), 0)
      for (const ensemble of space.ensembles) {
        const expected = weights.get(ensemble.trees.map(Tree.key).join(" "))!
        expect(ensemble.lmpse).toBeCloseTo(expected.lmpse, 9)
        expect(ensemble.orders).toBe(expected.lists)
        expect(ensemble.posterior).toBeCloseTo(Math.exp(expected.lmpse) / total, 9)
      }
      expect(space.ensembles.every(({ lmpse }, i) => i === 0 || lmpse <= space.ensembles[i - 1]!.lmpse)).toBe(
        true,
      )
    }),
  )

  it.effect("leaves inadmissible columns out and counts them", () =>
    Effect.gen(function* () {
      const { prior, likelihood } = model(exponential, 1, 2)
      const space = yield* Enumerate.enumerate(likelihood, prior, data)
      // a, power(a), huge(a) make 6 pairs, 3 of them with huge
      expect(space.ensembles.length).toBe(3)
      expect(space.inadmissible).toBe(3)
    }),
  )

  it.effect("refuses fitted constants", () =>
    Effect.gen(function* () {
      const grammar = Grammar.make({
        features: ["a", "b"],
        operators: [Operator.mul],
        constants: { c: Constant.fitted(Dist.normal(0, 1)) },
      })
      const { likelihood, prior } = model(grammar, 1, 1)
      const error = yield* Effect.flip(Enumerate.enumerate(likelihood, prior, data))
      expect(error).toBeInstanceOf(CompileError)
      expect(error.message).toContain("fitted constants is not enumerated")
    }),
  )

  it.effect("refuses more ensembles than the bound, with their number", () =>
    Effect.gen(function* () {
      const { prior, likelihood } = model(plain, 2, 3)
      const error = yield* Effect.flip(Enumerate.enumerate(likelihood, prior, data, { bound: 1000 }))
      expect(error).toBeInstanceOf(CompileError)
      expect(error.message).toContain("more than the bound of 1000")
      const deep = model(plain, 40, 3)
      expect((yield* Effect.flip(Enumerate.enumerate(deep.likelihood, deep.prior, data))).message).toContain(
        "bound",
      )
    }),
  )
})
