import { describe, expect, it } from "vitest"
import * as TreePrior from "../../../../src/evidence/treePrior.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Link from "../../../../src/prob/Link.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Restriction from "../../../../src/prob/tree/Restriction.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin, Operator.exp, Operator.div],
  constants: { "2": 2 },
})
const [a, b, two] = [Tree.leaf(0), Tree.leaf(1), Tree.leaf(2)] as const
const mul = (x: Tree.Tree, y: Tree.Tree): Tree.Tree => Tree.branch(0, [x, y])
const sin = (x: Tree.Tree): Tree.Tree => Tree.branch(1, [x])
const exp = (x: Tree.Tree): Tree.Tree => Tree.branch(2, [x])

const isAllowed = (restriction: Tree.Restriction, ...trees: ReadonlyArray<Tree.Tree>): boolean =>
  isLaw(restriction, Link.identity, ...trees)

/** Whether a prior allows a law: its trees, and all together under a link. */
const isLaw = (
  restriction: Tree.Restriction,
  link: Link.Link,
  ...trees: ReadonlyArray<Tree.Tree>
): boolean => {
  const { log } = Restriction.compile(grammar, [restriction])
  const law = TreePrior.ofLaw({ grammar, restrictions: [restriction] }, [link])
  return trees.every((tree) => log(tree) === 0) && (law?.(0, trees) ?? 0) === 0
}

describe("what may appear", () => {
  it("must be in one of the trees", () => {
    const contains = Tree.contains("b")
    expect(isAllowed(contains, a, sin(b))).toBe(true)
    expect(isAllowed(contains, a, sin(a))).toBe(false)
    expect(isAllowed(contains)).toBe(false)
  })

  it("is counted for each tree, or for the law with its link", () => {
    const once = Tree.atMostUses("sin", 1)
    expect(isAllowed(once, sin(a), sin(b))).toBe(true)
    expect(isAllowed(once, mul(sin(a), sin(b)))).toBe(false)
    const inLaw = Tree.inLaw(once)
    expect(isAllowed(inLaw, a, sin(b))).toBe(true)
    expect(isAllowed(inLaw, sin(a), sin(b))).toBe(false)
    // y = sin(... sin(b)) under the link arcsin y.
    expect(isLaw(inLaw, Link.arcsin, sin(b))).toBe(false)
    expect(isLaw(once, Link.arcsin, sin(b))).toBe(true)
    expect(isLaw(Tree.inLaw(Tree.atMostUses("div", 0)), Link.inverse, a)).toBe(false)
    expect(isLaw(Tree.inLaw(Tree.atMostNodes(3)), Link.log, a, b)).toBe(true)
    expect(isLaw(Tree.inLaw(Tree.atMostNodes(3)), Link.log, a, sin(b))).toBe(false)
  })

  it("is nowhere inside of an operator, nor of the link", () => {
    const plain = Tree.notInside("exp", "exp")
    expect(isAllowed(plain, mul(exp(a), exp(b)))).toBe(true)
    expect(isAllowed(plain, exp(mul(a, exp(b))))).toBe(false)
    expect(isLaw(plain, Link.log, a, exp(b))).toBe(false)
    expect(isLaw(plain, Link.identity, a, exp(b))).toBe(true)
    expect(isAllowed(Tree.notInside("a", "sin"), sin(mul(two, b)), a)).toBe(true)
    expect(isAllowed(Tree.notInside("a", "sin"), sin(mul(two, a)))).toBe(false)
  })

  it("is over some columns only, and any constants", () => {
    const over = Tree.over("sin", ["a"])
    expect(isAllowed(over, mul(sin(mul(two, a)), b))).toBe(true)
    expect(isAllowed(over, sin(mul(b, a)))).toBe(false)
  })

  it("is said to be missing with the nearest name", () => {
    const compile = (restriction: Tree.Restriction) => () => Restriction.compile(grammar, [restriction])
    expect(compile(Tree.contains("sni"))).toThrow(
      'the restriction to laws that contain "sni": the grammar has no operator or terminal "sni"; did you mean "sin"?',
    )
    expect(compile(Tree.over("sin", ["c"]))).toThrow('"c"; it has mul, sin, exp, div, a, b, 2')
    expect(compile(Tree.notInside("sin", "a"))).toThrow('no "sin" inside of "a": "a" is no operator')
  })
})
