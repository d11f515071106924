import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as TreePrior from "../../../src/evidence/treePrior.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Tree from "../../../src/prob/Tree.ts"

const concentration = fc.double({ min: 0.05, max: 10, noNaN: true })

/** Two or three operators, any forbidden pairs (a grammar with none left to apply included), depth up to 2. */
const priors = fc
  .record({
    operators: fc.subarray([Operator.mul, Operator.sin, Operator.sub], { minLength: 2 }),
    features: fc.constantFrom(["a"], ["a", "b"]),
    depth: fc.integer({ min: 0, max: 2 }),
    alpha: fc.double({ min: 0.05, max: 0.99, noNaN: true }),
    delta: fc.double({ min: 0, max: 3, noNaN: true }),
    pairs: fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 4 }),
    eta: fc.array(concentration, { minLength: 5, maxLength: 5 }),
  })
  .map(({ operators, features, depth, alpha, delta, pairs, eta }): TreePrior.TreePrior => {
    const name = (index: number) => operators[index % operators.length]!.name
    return {
      grammar: {
        ...Grammar.make({ features, operators }),
        forbidden: pairs.map(([inside, operator]) => ({ inside: name(inside), operator: name(operator) })),
      },
      depth,
      split: Prior.depthDecay(alpha, delta),
      operators: eta.slice(0, operators.length),
      terminals: eta.slice(3, 3 + features.length),
    }
  })

it("the prior of all trees of any grammar sums to one, leaf factors at the maximum depth taken out", () => {
  fc.assert(
    fc.property(priors, (prior) => {
      const logPrior = TreePrior.logPrior(prior)
      const last = Math.log1p(-Prior.splitProbability(prior.split, prior.depth))
      let total = 0
      for (const tree of Enumerate.trees(prior.grammar, prior.depth))
        total += Math.exp(logPrior([tree]) - TreePrior.deepest(prior, [tree]) * last)
      expect(total).toBeCloseTo(1, 9)
    }),
  )
})

it("the prior of an ensemble does not depend on the order of trees or of commuting operands", () => {
  fc.assert(
    fc.property(priors, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (prior, picks) => {
      const all = [...Enumerate.trees(prior.grammar, prior.depth)]
      const trees = picks.map((pick) => all[pick % all.length]!)
      const logPrior = TreePrior.logPrior(prior)
      const canonical = trees.map((tree) => Tree.canonical(prior.grammar, tree)).toReversed()
      expect(logPrior(canonical)).toBeCloseTo(logPrior(trees), 9)
    }),
  )
})
