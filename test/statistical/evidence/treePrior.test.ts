import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Evidence from "../../../src/evidence/conjugate.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Dist from "../../../src/prob/Dist.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Likelihood from "../../../src/evidence/Likelihood.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Skeleton from "../../../src/prob/Skeleton.ts"
import * as Sym from "../../../src/prob/Sym.ts"
import { gammaQ } from "../../../src/numeric/Special.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import * as Rng from "../../../src/random/Rng.ts"

// Seeds are fixed: a failure is a change, not bad luck. The stated rates are those of a new seed.

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin, Operator.cos],
}).pipe(
  Grammar.forbid({ inside: "sin", operator: "sin" }),
  Grammar.forbid({ inside: "cos", operator: "mul" }),
)
const split = Prior.depthDecay(0.9, 0.4)
const prior: TreePrior.TreePrior = { grammar, depth: 2, split, operators: [1, 2, 0.7], terminals: [1, 3] }
const forest: Tree.Forest = {
  _tag: "Forest",
  grammar,
  depth: 2,
  split,
  trees: 2,
  weights: { operators: Sym.make("o", "simplex", [], 3), terminals: Sym.make("t", "simplex", [], 2) },
  sites: { split: "s", operator: "p", terminal: "u" },
}

/** Ensembles by ancestral sampling: weights, then skeletons, then pruning. */
const draw = (count: number, seed: number): Ensemble.Draws => {
  const keys = Rng.split(Rng.key(seed), 3)
  const operators = Dist.sample(Dist.dirichlet(prior.operators), keys[0], count)
  const terminals = Dist.sample(Dist.dirichlet(prior.terminals), keys[1], count)
  const random = Rng.generator(keys[2])
  const nodes = Skeleton.size(prior.depth)
  const size = count * forest.trees * nodes
  const pick = (weights: Float64Array, m: number, h: number): number => {
    let u = random.next()
    let k = 0
    while (k < m - 1 && u > weights[h * m + k]!) u -= weights[h * m + k++]!
    return k
  }
  const draws = {
    split: new Uint8Array(size),
    operator: new Uint8Array(size),
    terminal: new Uint8Array(size),
  }
  for (let i = 0; i < size; i++) {
    const h = Math.floor(i / (forest.trees * nodes))
    draws.split[i] = random.next() < Prior.splitProbability(split, Skeleton.depthOf(i % nodes)) ? 1 : 0
    draws.operator[i] = pick(operators, 3, h)
    draws.terminal[i] = pick(terminals, 2, h)
  }
  return draws
}

const orders = (trees: ReadonlyArray<Tree.Tree>): number => {
  const variants = (tree: Tree.Tree): number =>
    tree._tag === "Leaf"
      ? 1
      : tree.children.reduce((product, child) => product * variants(child), 1) *
        (tree.children.length === 2 && Tree.key(tree.children[0]!) !== Tree.key(tree.children[1]!) ? 2 : 1)
  const [first, second] = trees.map(Tree.key)
  return trees.reduce((product, tree) => product * variants(tree), first === second ? 1 : 2)
}

const draws = 60_000
const drawn = Ensemble.fromDraws(forest, draw(draws, 11))
const last = Math.log1p(-Prior.splitProbability(split, prior.depth))
const logDrawn = (trees: ReadonlyArray<Tree.Tree>): number =>
  TreePrior.logPrior(prior)(trees) - TreePrior.deepest(prior, trees) * last + Math.log(orders(trees))

describe("ancestral draws", () => {
  it("have the frequencies of the collapsed prior (chi square, fails once in 10,000 seeds)", () => {
    const expected = drawn.map(({ ensemble }) => draws * Math.exp(logDrawn(ensemble.trees)))
    // Rare ensembles, drawn or not, make one cell.
    let statistic = 0
    let cells = 0
    let restSeen = draws
    let restExpected = draws
    drawn.forEach((one, i) => {
      if (expected[i]! < 10) return
      statistic += (one.draws - expected[i]!) ** 2 / expected[i]!
      cells++
      restSeen -= one.draws
      restExpected -= expected[i]!
    })
    statistic += (restSeen - restExpected) ** 2 / restExpected
    expect(cells).toBeGreaterThan(100)
    expect(gammaQ(cells / 2, statistic / 2)).toBeGreaterThan(1e-4)
  })

  it.effect("average the evidence to the marginal of the enumeration (five standard errors)", () =>
    Effect.gen(function* () {
      const a = Float64Array.of(0.5, 1, 1.5, 2, 2.5, 3)
      const b = Float64Array.of(1, -1, 2, 0, 1, -2)
      const y = Float64Array.of(1.1, -0.9, 3.2, 0.1, 2.4, -5.8)
      const data: Dataset = { features: ["a", "b"], columns: [a, b], target: "y", y, rows: 6 }
      const likelihood = Likelihood.conjugateLinear(forest, { mu0: 0, sigma0: 10, a0: 2, b0: 2 })
      const { logMarginal } = yield* Enumerate.enumerate(likelihood, prior, data)
      const columns = yield* Columns.make(grammar, data)
      let sum = 0
      let squares = 0
      for (const { ensemble, draws: times } of drawn) {
        const values = ensemble.trees.map((tree) => columns.column(tree).values)
        const ratio = Math.exp(Evidence.posterior(likelihood, y, values).logEvidence - logMarginal)
        sum += times * ratio
        squares += times * ratio ** 2
      }
      const error = Math.sqrt((squares / draws - (sum / draws) ** 2) / draws)
      expect(error).toBeLessThan(0.05)
      expect(Math.abs(sum / draws - 1)).toBeLessThan(5 * error)
    }),
  )
})
