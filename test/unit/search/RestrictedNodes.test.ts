import { describe, expect, it } from "vitest"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as Restriction from "../../../src/prob/tree/Restriction.ts"
import * as Enumerate from "../../../src/evidence/enumerate.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Attributes from "../../../src/search/Attributes.ts"
import * as Dag from "../../../src/search/kernel/Dag.ts"
import * as RestrictedNodes from "../../../src/search/RestrictedNodes.ts"

const grammar = Grammar.make({ features: ["a", "b"], operators: [Operator.mul, Operator.sin, Operator.sub] })
const restrictions = [
  Tree.atMostNodes(5),
  Tree.atMostUses("sin", 1),
  // Not a function of sums: what stands below a product, in canonical order.
  Tree.logPrior((tree) => (tree._tag === "Leaf" ? -0.25 : -Tree.key(tree).length / 7)),
]
const trees = [...Enumerate.trees(grammar, 2)]
const none = RestrictedNodes.noNumbers

describe("restrictions of the nodes of a graph", () => {
  it("are those of their trees, whatever is asked first", () => {
    const { log } = Restriction.compile(grammar, restrictions)
    for (const order of [trees, trees.toReversed()]) {
      const dag = Dag.make(grammar)
      const nodes = RestrictedNodes.make(grammar, dag, Restriction.compile(grammar, restrictions), none)
      const ids = order.map(dag.intern)
      order.forEach((tree, i) => expect(nodes.log(ids[i]!)).toBe(log(tree)))
    }
  })

  it("are forgotten with their nodes", () => {
    const { log } = Restriction.compile(grammar, restrictions)
    const dag = Dag.make(grammar)
    const nodes = RestrictedNodes.make(grammar, dag, Restriction.compile(grammar, restrictions), none)
    const random = Rng.generator(Rng.key(5))
    for (let round = 0; round < 30; round++) {
      const mark = dag.size()
      const some = trees.filter(() => random.next() < 0.1)
      const ids = some.map(dag.intern)
      some.forEach((tree, i) => expect(nodes.log(ids[i]!)).toBe(log(tree)))
      // Every other time numbers are given to other trees.
      if (round % 2 === 0) {
        dag.forget(mark)
        nodes.forget(mark)
      }
    }
  })

  it("ask a function of the tree once for each node, and only where the rest allows the tree", () => {
    let asked = 0
    const counting = Tree.logPrior(() => {
      asked++
      return 0
    })
    const dag = Dag.make(grammar)
    const weights = {
      depth: 2,
      split: { alpha: 0.9, delta: 1 },
      operators: [-1, -1, -1],
      terminals: [-1, -1],
    }
    const attributes = Attributes.make(grammar, dag, {
      ...weights,
      restrictions: [Tree.atMostNodes(3), counting],
    })
    const plain = Attributes.make(grammar, dag, weights)
    const ids = [...new Set(trees.map(dag.intern))]
    attributes.update()
    plain.update()
    for (let i = 0; i < 3; i++)
      for (const id of ids)
        expect(attributes.logPrior(id)).toBe(Tree.size(dag.tree(id)) <= 3 ? plain.logPrior(id) : -Infinity)
    expect(asked).toBe(ids.filter((id) => Tree.size(dag.tree(id)) <= 3).length)
  })
})
