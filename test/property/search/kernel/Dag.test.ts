import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Grammar } from "../../../../src/prob/Grammar.ts"
import * as GrammarOf from "../../../../src/prob/Grammar.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Skeleton from "../../../../src/prob/Skeleton.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Dag from "../../../../src/search/kernel/Dag.ts"
import { arbitraryGrammar, arbitrarySkeleton } from "../../../../src/testing/arbitraryModel.ts"
import { runs } from "../../../support/property.ts"

/** Few operators and features, so that equal subtrees and mirrored operands are common. */
const forests = arbitraryGrammar({ features: 2, operators: 3, constants: 1 }).chain((grammar) =>
  fc.integer({ min: 1, max: 4 }).chain((depth) =>
    fc.record({
      grammar: fc.constant(grammar),
      depth: fc.constant(depth),
      skeletons: fc.array(arbitrarySkeleton(grammar, depth), { minLength: 1, maxLength: 20 }),
    }),
  ),
)

const keyOf = (grammar: Grammar, tree: Tree.Tree): string => Tree.key(Tree.canonical(grammar, tree))

/** Swaps the operands of commutative operators at random. */
const mirrored = (grammar: Grammar, tree: Tree.Tree, coin: () => boolean): Tree.Tree => {
  if (tree._tag === "Leaf") return tree
  const children = tree.children.map((child) => mirrored(grammar, child, coin))
  const swap = grammar.operators[tree.operator]!.commutative && coin()
  return Tree.branch(tree.operator, swap ? children.toReversed() : children)
}

describe("the graph of all trees", () => {
  it("has one node for what is equal in canonical form, and only for that", () => {
    fc.assert(
      fc.property(forests, fc.infiniteStream(fc.boolean()), ({ grammar, depth, skeletons }, coins) => {
        const dag = Dag.make(grammar)
        const numbers = new Map<string, number>()
        const coin = () => coins.next().value
        for (const skeleton of skeletons) {
          const tree = Tree.prune(grammar, depth, skeleton)
          const id = dag.intern(tree)
          const key = keyOf(grammar, tree)
          expect(numbers.get(key) ?? id).toBe(id)
          numbers.set(key, id)
          expect(Tree.key(dag.tree(id))).toBe(key)
          const before = dag.size()
          expect(dag.intern(mirrored(grammar, tree, coin))).toBe(id)
          expect(dag.intern(dag.tree(id))).toBe(id)
          expect(dag.size()).toBe(before)
        }
        expect(new Set(numbers.values()).size).toBe(numbers.size)
        // Nodes are the distinct subtrees, beside the terminals.
        const subtrees = new Set(grammar.terminals.map((_, terminal) => `t${terminal}`))
        const visit = (tree: Tree.Tree): void => {
          subtrees.add(Tree.key(tree))
          if (tree._tag === "Branch") tree.children.forEach(visit)
        }
        for (const id of numbers.values()) visit(dag.tree(id))
        expect(dag.size()).toBe(subtrees.size)
      }),
      runs(200),
    )
  })

  it("reads draws of skeletons as Tree.prune does", () => {
    fc.assert(
      fc.property(forests, ({ grammar, depth, skeletons }) => {
        const dag = Dag.make(grammar)
        const flat = {
          split: Int32Array.from(skeletons.flatMap(({ split }) => Array.from(split))),
          operator: Int32Array.from(skeletons.flatMap(({ operator }) => Array.from(operator))),
          terminal: Int32Array.from(skeletons.flatMap(({ terminal }) => Array.from(terminal))),
        }
        skeletons.forEach((skeleton, i) => {
          const id = dag.prune(depth, flat, i * Skeleton.size(depth))
          expect(dag.prune(depth, skeleton)).toBe(id)
          const size = dag.size()
          expect(dag.intern(Tree.prune(grammar, depth, skeleton))).toBe(id)
          expect(dag.size()).toBe(size)
        })
      }),
      runs(200),
    )
  })

  it("has operands before what is made of them, and counts who asks", () => {
    fc.assert(
      fc.property(forests, ({ grammar, depth, skeletons }) => {
        const dag = Dag.make(grammar)
        const roots = skeletons.map((skeleton) => dag.prune(depth, skeleton))
        const records = dag.records()
        const asked = new Int32Array(dag.size())
        for (const root of roots) asked[root]! += 1
        for (let id = 0; id < dag.size(); id++) {
          const [operator, left, right] = records.subarray(id * Dag.width, (id + 1) * Dag.width)
          if (operator! < 0) {
            expect(id).toBeLessThan(grammar.terminals.length)
            continue
          }
          expect(left).toBeLessThan(id)
          expect(right).toBeLessThan(id)
          expect(right! >= 0).toBe(grammar.operators[operator!]!.arity === 2)
          for (const operand of new Set([left!, right!])) if (operand >= 0) asked[operand]! += 1
        }
        expect(Array.from(asked, (_, id) => records[id * Dag.width + Dag.ASKED])).toEqual([...asked])
      }),
      runs(100),
    )
  })

  it("grows beyond any size that it starts with", () => {
    const grammar = GrammarOf.make({ features: ["a", "b"], operators: [Operator.sub, Operator.mul] })
    const dag = Dag.make(grammar)
    const ids = new Map<string, number>()
    const layer = (below: ReadonlyArray<number>, operator: number): ReadonlyArray<number> =>
      below.flatMap((left) => below.map((right) => dag.apply(operator, left, right)))
    const differences = layer(layer([0, 1], 0).concat([0, 1]), 0)
    const products = layer([...new Set(differences)], 1)
    for (const id of new Set([...differences, ...products])) ids.set(Tree.key(dag.tree(id)), id)
    // 6 operands make 36 differences, four of which are operands themselves; products commute.
    expect(new Set(differences).size).toBe(36)
    expect(new Set(products).size).toBe((36 * 37) / 2)
    for (const [key, id] of ids) expect([key, dag.intern(dag.tree(id))]).toEqual([key, id])
    expect(dag.size()).toBe(2 + 36 + (36 * 37) / 2)
  })

  it("has as many terminals as one likes", () => {
    const features = Array.from({ length: 3000 }, (_, i) => `x${i}`)
    const dag = Dag.make(GrammarOf.make({ features, operators: [Operator.mul] }))
    const trees = [1023, 1024, 2999].map((terminal) => Tree.branch(0, [Tree.leaf(0), Tree.leaf(terminal)]))
    expect(trees.map(dag.intern).map(dag.tree)).toEqual(trees)
  })

  it("has no terminal for a value that has been fitted", () => {
    const dag = Dag.make(GrammarOf.make({ features: ["a"], operators: [Operator.mul] }))
    expect(() => dag.intern(Tree.leaf(0, 0.5))).toThrow(
      "the grammar has no terminal for the fitted value 0.5",
    )
  })

  it("refuses what the grammar lacks", () => {
    const dag = Dag.make(GrammarOf.make({ features: ["a"], operators: [Operator.sin] }))
    expect(() => dag.intern(Tree.leaf(1))).toThrow("no terminal 1")
    expect(() => dag.intern(Tree.branch(1, [Tree.leaf(0)]))).toThrow("no operator of this arity 1")
    expect(() => dag.intern(Tree.branch(0, [Tree.leaf(0), Tree.leaf(0)]))).toThrow("arity 0")
    expect(() => dag.prune(1, { split: [1, 0, 0], operator: [1, 0, 0], terminal: [0, 0, 0] })).toThrow(
      "no operator 1",
    )
    expect(() => dag.tree(2)).toThrow("no node 2")
  })
})
