import { describe, expect, it } from "vitest"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Prior from "../../../src/prob/Prior.ts"
import * as Skeleton from "../../../src/prob/Skeleton.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Tree from "../../../src/prob/Tree.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin, Operator.sub],
  constants: { two: 2 },
})
const [a, b, two] = [Tree.leaf(0), Tree.leaf(1), Tree.leaf(2)]
const mul = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(0, [x, y])
const sin = (x: Tree.Tree) => Tree.branch(1, [x])
const sub = (x: Tree.Tree, y: Tree.Tree) => Tree.branch(2, [x, y])

describe("a skeleton", () => {
  it("is full and in heap order", () => {
    expect([0, 1, 2, 3].map(Skeleton.size)).toEqual([1, 3, 7, 15])
    expect(Array.from({ length: 15 }, (_, node) => Skeleton.depthOf(node))).toEqual([
      0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
    ])
  })

  it("has split probabilities that decay with depth", () => {
    const decay = Prior.depthDecay(0.95, 2)
    expect(Prior.splitProbability(decay, 0)).toBe(0.95)
    expect(Prior.splitProbability(decay, 3)).toBeCloseTo(0.95 / 16, 15)
    expect(Prior.splits(decay, 1)).toMatchObject([
      { name: "Bernoulli", parameters: { probability: 0.95 } },
      { name: "Bernoulli", parameters: { probability: 0.95 / 4 } },
      { name: "Bernoulli", parameters: { probability: 0.95 / 4 } },
    ])
  })
})

describe("Tree.prune", () => {
  const all = (value: number) => Array.from({ length: 7 }, () => value)

  it("keeps the nodes {0, 1, 2, 5, 6} in the figure of the paper", () => {
    // (D, N) = (2, 7): e_1 = 0 removes 3 and 4; node 2 expands into a binary operator; 5 and 6 lie at the maximum depth.
    const tree = Tree.prune(grammar, 2, {
      split: [1, 0, 1, 1, 1, 1, 1],
      operator: [0, 1, 2, 0, 0, 0, 0],
      terminal: [0, 1, 0, 0, 0, 2, 1],
    })
    expect(tree).toEqual(mul(b, sub(two, b)))
    expect(Tree.size(tree)).toBe(5)
    expect(Tree.depth(tree)).toBe(2)
  })

  it("drops the right subtree below an operator of one argument", () => {
    const tree = Tree.prune(grammar, 2, {
      split: all(1),
      operator: [1, 0, 2, 0, 0, 0, 0],
      terminal: [0, 0, 0, 1, 2, 0, 0],
    })
    expect(tree).toEqual(sin(mul(b, two)))
  })

  it("makes a leaf of a root that does not expand, and of every root at depth 0", () => {
    expect(Tree.prune(grammar, 2, { split: all(0), operator: all(0), terminal: all(2) })).toEqual(two)
    expect(Tree.prune(grammar, 0, { split: [1], operator: [0], terminal: [1] })).toEqual(b)
  })

  it("makes a leaf of a node whose operator is forbidden in its context", () => {
    const ruled = grammar.pipe(Grammar.forbid({ inside: "sin", operator: "mul" }))
    const skeleton = { split: all(1), operator: [1, 2, 0, 0, 0, 0, 0], terminal: [0, 0, 1, 0, 0, 0, 0] }
    expect(Tree.prune(ruled, 2, skeleton)).toEqual(sin(sub(a, a)))
    // Not only for children: mul lies two levels below sin.
    const deep = {
      split: [...all(1), ...all(1), 1],
      operator: [1, 2, 0, 0, 1],
      terminal: [0, 0, 0, 2, 1, 0, 0, 0, 0, 0],
    }
    expect(Tree.prune(ruled, 3, deep)).toEqual(sin(sub(two, sin(a))))
    expect(Tree.prune(grammar, 3, deep)).toEqual(sin(sub(mul(a, a), sin(a))))
  })

  it("reads one tree of many at its offset", () => {
    const skeleton = { split: [0, 0, 0, 1, 0, 0], operator: [0, 0, 0, 2, 0, 0], terminal: [0, 0, 0, 0, 1, 2] }
    expect(Tree.prune(grammar, 1, skeleton)).toEqual(a)
    expect(Tree.prune(grammar, 1, skeleton, 3)).toEqual(sub(b, two))
  })
})

describe("a tree", () => {
  const tree = mul(sin(mul(b, a)), sub(two, a))

  it("is a term over the features", () => {
    const [x, y] = [Term.variable("a"), Term.variable("b")]
    expect(Tree.toTerm(grammar, tree)).toEqual(Term.mul(Term.sin(Term.mul(y, x)), Term.sub(2, x)))
  })

  it("has a key that tells trees apart", () => {
    expect(Tree.key(tree)).toBe("o0(o1(o0(t1,t0)),o2(t2,t0))")
    expect(Tree.key(mul(a, b))).not.toBe(Tree.key(mul(b, a)))
  })

  it("has one canonical order of the operands that commute, and leaves the others", () => {
    expect(Tree.canonical(grammar, mul(sin(mul(b, a)), sub(b, a)))).toEqual(
      Tree.canonical(grammar, mul(sub(b, a), sin(mul(a, b)))),
    )
    expect(Tree.canonical(grammar, sub(b, a))).toEqual(sub(b, a))
    const once = Tree.canonical(grammar, tree)
    expect(Tree.canonical(grammar, once)).toEqual(once)
    expect(tree).toEqual(mul(sin(mul(b, a)), sub(two, a)))
  })

  it("has size, depth and complexity", () => {
    expect([Tree.size(a), Tree.depth(a), Tree.complexity(grammar, a)]).toEqual([1, 0, 1])
    expect([Tree.size(tree), Tree.depth(tree), Tree.complexity(grammar, tree)]).toEqual([8, 3, 8])
    const heavy = Grammar.make({
      features: ["a"],
      operators: [Operator.unary("f", (x) => x, { complexity: 7 })],
    })
    expect(Tree.complexity(heavy, Tree.branch(0, [Tree.branch(0, [a])]))).toBe(15)
  })
})
