import { describe, expect, it } from "vitest"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Ensemble from "../../../src/rank/Ensemble.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin, Operator.sub] })
const [a, b] = [Tree.leaf(0), Tree.leaf(1)]

describe("Ensemble", () => {
  it("does not distinguish the order of trees, nor of operands that commute", () => {
    const product = Tree.branch(0, [Tree.branch(1, [a]), b])
    const swapped = Tree.branch(0, [b, Tree.branch(1, [a])])
    const first = Ensemble.make(grammar, [product, a])
    const second = Ensemble.make(grammar, [a, swapped])
    expect(first).toEqual(second)
    expect(Ensemble.Eq.equals(first, second)).toBe(true)
    expect(first.key).toBe(first.trees.map(Tree.key).join(" "))
  })

  it("distinguishes what does not commute, and how often a tree occurs", () => {
    const of = (...trees: ReadonlyArray<Tree.Tree>) => Ensemble.make(grammar, trees)
    expect(of(Tree.branch(2, [a, b])).key).not.toBe(of(Tree.branch(2, [b, a])).key)
    expect(Ensemble.Eq.equals(of(a, a, b), of(a, b, b))).toBe(false)
  })
})

describe("fromDraws", () => {
  it("prunes every draw, and counts equal ensembles", () => {
    // Two trees of depth 1: nodes 0, 1, 2. The arrays hold three draws of two trees.
    const draws = {
      //      sin(a), b | b, sin(a), unused parts differ | a*b, a*b with operands swapped
      split: [1, 0, 0, /**/ 0, 1, 1, /*|*/ 0, 0, 0, /**/ 1, 1, 1, /*|*/ 1, 0, 0, /**/ 1, 0, 0],
      operator: [1, 0, 0, /**/ 2, 0, 0, /*|*/ 0, 0, 0, /**/ 1, 2, 2, /*|*/ 0, 0, 0, /**/ 0, 0, 0],
      terminal: [1, 0, 1, /**/ 1, 0, 0, /*|*/ 1, 1, 1, /**/ 0, 0, 0, /*|*/ 0, 0, 1, /**/ 0, 1, 0],
    }
    const found = Ensemble.fromDraws({ grammar, depth: 1, trees: 2 }, draws)
    const product = Tree.branch(0, [a, b])
    expect(found).toEqual([
      { ensemble: Ensemble.make(grammar, [Tree.branch(1, [a]), b]), draws: 2 },
      { ensemble: Ensemble.make(grammar, [product, product]), draws: 1 },
    ])
  })
})
