// Draws from restricted priors: none that a restriction excludes, the others as often as the enumerated prior says.
// Seeds are fixed: a failure is a change, not bad luck. The stated rates are those of a new seed.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as PriorDraws from "../../../src/evidence/priorDraws.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import { gammaQ } from "../../../src/numeric/Special.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Rng from "../../../src/random/Rng.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin] }).pipe(
  Grammar.forbid({ inside: "sin", operator: "sin" }),
)
const priorOf = (split: Prior.Split, restrictions: ReadonlyArray<Tree.Restriction>): TreePrior.TreePrior => ({
  grammar,
  depth: 2,
  split,
  operators: [1, 2],
  terminals: [1, 0.5],
  restrictions,
})
const table = Prior.splitTable([0.8, 0.4, 0.2])
// Few uses, so that no pair of trees has a weight above 16, up to which draws are corrected.
const nesting = Tree.nesting(
  { term: { mul: 3 }, factor: { sin: 4, feature: 1 }, argument: { mul: 2, feature: 5 } },
  () => ({ operators: [1 / 3, 2 / 3], terminals: [2 / 3, 1 / 3] }),
)
const cases: ReadonlyArray<readonly [string, Prior.Split, ReadonlyArray<Tree.Restriction>, number?]> = [
  ["a table alone", table, []],
  ["at most 4 nodes", Prior.depthDecay(0.9, 0.5), [Tree.atMostNodes(4)]],
  ["at most one sine and one a", table, [Tree.atMostUses("sin", 1), Tree.atMostUses("a", 1)]],
  ["a function of the tree", table, [Tree.logPrior((tree) => -Tree.size(tree) / 4)]],
  ["a nesting, at most 4 nodes", table, [nesting, Tree.atMostNodes(4)], 4000],
]

describe("draws from a restricted prior", () => {
  it.effect.each(cases)(
    "have the frequencies of the normalised prior (chi square, fails once in 10,000 seeds): %s",
    ([, split, restrictions, count = 20_000]) =>
      Effect.gen(function* () {
        const prior = priorOf(split, restrictions)
        const drawn = yield* PriorDraws.sample(prior, 2, Rng.key(31), count)
        const seen = new Map<string, number>()
        const keyOf = (trees: ReadonlyArray<Tree.Tree>): string => trees.map(Tree.key).join(" ")
        for (const trees of drawn) seen.set(keyOf(trees), 1 + (seen.get(keyOf(trees)) ?? 0))
        // Every pair of trees in order, weights integrated out.
        const trees = [...Enumerate.trees(grammar, 2)]
        const logPrior = TreePrior.logPrior(prior)
        const last = Math.log1p(-Prior.splitProbability(split, 2))
        const mass = new Map<string, number>()
        let total = 0
        for (const first of trees)
          for (const second of trees) {
            const pair = [first, second]
            const p = Math.exp(logPrior(pair) - TreePrior.deepest(prior, pair) * last)
            mass.set(keyOf(pair), p)
            total += p
          }
        let [statistic, cells, restSeen, restExpected] = [0, 0, count, count]
        for (const [key, p] of mass) {
          const expected = (count * p) / total
          if (p === 0) expect(seen.has(key)).toBe(false)
          if (expected < 10) continue
          statistic += ((seen.get(key) ?? 0) - expected) ** 2 / expected
          cells++
          restSeen -= seen.get(key) ?? 0
          restExpected -= expected
        }
        if (restExpected > 5) statistic += (restSeen - restExpected) ** 2 / restExpected
        expect(cells).toBeGreaterThan(20)
        expect(gammaQ(cells / 2, statistic / 2)).toBeGreaterThan(1e-4)
      }),
  )

  it.effect("fail where rejection cannot draw them", () =>
    Effect.gen(function* () {
      const above = yield* Effect.flip(
        PriorDraws.sample(priorOf(table, [Tree.logPrior(() => 1)]), 1, Rng.key(1), 10),
      )
      expect(above.message).toContain("makes a tree more likely")
      const nothing = yield* Effect.flip(
        PriorDraws.sample(priorOf(table, [Tree.logPrior(() => -Infinity, "nothing")]), 1, Rng.key(1), 1),
      )
      expect(nothing.message).toContain("the restrictions (nothing) accepted only 0 of ")
    }),
  )
})
