import { describe, expect, it } from "vitest"
import { SettingError } from "../../../../src/errors/Setting.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Prior from "../../../../src/prob/Prior.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Restriction from "../../../../src/prob/tree/Restriction.ts"

const grammar = Grammar.make({
  features: ["a", "b"],
  operators: [Operator.mul, Operator.sin, Operator.sub],
  constants: { c: Constant.fitted(Dist.normal(0, 1)) },
})
const [a, b, c] = [Tree.leaf(0), Tree.leaf(1), Tree.leaf(2, 0.5)] as const
const mul = (x: Tree.Tree, y: Tree.Tree): Tree.Tree => Tree.branch(0, [x, y])
const sin = (x: Tree.Tree): Tree.Tree => Tree.branch(1, [x])

const log = (tree: Tree.Tree, ...restrictions: ReadonlyArray<Tree.Restriction>): number =>
  Restriction.compile(grammar, restrictions).log(tree)

describe("restrictions", () => {
  it("limit nodes and uses, each by itself and together", () => {
    const tree = mul(sin(a), sin(b)) // 5 nodes
    expect(log(tree)).toBe(0)
    expect(log(tree, Tree.atMostNodes(5))).toBe(0)
    expect(log(tree, Tree.atMostNodes(4))).toBe(-Infinity)
    expect(log(tree, Tree.atMostUses("sin", 2))).toBe(0)
    expect(log(tree, Tree.atMostUses("sin", 1))).toBe(-Infinity)
    expect(log(tree, Tree.atMostUses("sub", 0), Tree.atMostUses("a", 1))).toBe(0)
    expect(log(mul(a, a), Tree.atMostUses("a", 1))).toBe(-Infinity)
    expect(log(tree, Tree.atMostUses("sin", 2), Tree.atMostNodes(4))).toBe(-Infinity)
  })

  it("add their logarithms, and are asked about canonical trees without values", () => {
    const seen: Array<string> = []
    const own = Tree.logPrior((tree) => {
      seen.push(Tree.key(tree))
      return -1.5
    })
    const perNode: Tree.Restriction = {
      name: "half a nat for each node",
      rule: ({ operators, terminals }) => ({
        _tag: "Counted",
        operators: operators.map(() => 1),
        terminals: terminals.map(() => 1),
        log: (nodes) => -nodes / 2,
      }),
    }
    // mul(b, c = 0.5): the canonical order of operands is by key
    expect(log(mul(c, b), own, perNode)).toBe(-3)
    expect(seen).toEqual(["o0(t1,t2)"])
    // What is excluded already is not asked about.
    expect(log(mul(c, b), own, Tree.atMostNodes(2))).toBe(-Infinity)
    expect(seen).toHaveLength(1)
  })

  it("are checked", () => {
    expect(() => log(a, Tree.atMostUses("cos", 1))).toThrow(
      'the restriction to at most 1 of "cos": the grammar has no operator or terminal "cos"; it has mul, sin, sub, a, b, c',
    )
    expect(() => log(a, Tree.atMostUses("cos", 1))).toThrow(Grammar.GrammarError)
    expect(() => Tree.atMostNodes(0)).toThrow(SettingError)
    expect(() => Tree.atMostUses("sin", 0.5)).toThrow(SettingError)
    expect(() =>
      log(
        sin(a),
        Tree.logPrior(() => NaN, "mine"),
      ),
    ).toThrow(
      'the restriction "mine" must give a number, or -Infinity to exclude a tree, but gives NaN for the tree sin(a)',
    )
    expect(() =>
      log(
        sin(a),
        Tree.logPrior(() => Infinity),
      ),
    ).toThrow(SettingError)
  })
})

describe("a table of split probabilities", () => {
  it("says p_d by depth, and its last entry for all that is deeper", () => {
    const table = Prior.splitTable([0.9, 0.6, 0.3])
    expect([0, 1, 2, 3, 7].map((d) => Prior.splitProbability(table, d))).toEqual([0.9, 0.6, 0.3, 0.3, 0.3])
    expect(Prior.splits(table, 1).map((dist) => dist.mean())).toEqual([[0.9], [0.6], [0.6]])
  })

  it("is of probabilities that leave either open", () => {
    expect(() => Prior.splitTable([])).toThrow(SettingError)
    expect(() => Prior.splitTable([0.9, 1])).toThrow(
      "the split probability at depth 1 must be greater than 0 and less than 1, but is 1",
    )
    expect(() => Prior.splitTable([NaN])).toThrow(SettingError)
  })
})
