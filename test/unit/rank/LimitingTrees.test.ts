import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Columns from "../../../src/evidence/columns.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as LimitingTrees from "../../../src/rank/LimitingTrees.ts"
import * as Ensembles from "../../../src/rank/Ensemble.ts"
import * as Variants from "../../../src/rank/Variants.ts"

const grammar = LawGrammar.make(["x", "z"])
const terminal = grammar.terminals.findIndex(({ fitted }) => fitted !== undefined)
const [x, z] = ["x", "z"].map((name) =>
  Tree.leaf(grammar.terminals.findIndex((one) => one.name === name)),
) as [Tree.Tree, Tree.Tree]
const number = (value: number): Tree.Tree => Tree.leaf(terminal, value)
const make =
  (operator: Operator.Operator) =>
  (...children: ReadonlyArray<Tree.Tree>): Tree.Tree =>
    Tree.branch(Grammar.placeOf(grammar, operator), children)
const add = make(Operator.add)
const sub = make(Operator.sub)
const mul = make(Operator.mul)
const div = make(Operator.div)
const pow = make(Operator.pow)
const square = make(Operator.square)
const log = make(Operator.log)
const exp = make(Operator.exp)
const sin = make(Operator.sin)

const limits = (tree: Tree.Tree): ReadonlyArray<Tree.Tree> => LimitingTrees.of(grammar)(tree)
const text = (tree: Tree.Tree): string => infix(Tree.toNamedTerm(grammar, tree))

describe("limiting cases of a tree", () => {
  it.each([
    ["x (z + c)^2", mul(x, square(add(z, number(1e-7)))), ["x*(z + 1e-7)", "x*z", "x*z^2"]],
    ["sin z exp(c x)", mul(sin(z), exp(mul(number(1e-7), x))), ["sin(z)", "sin(z)*x"]],
    ["x / z^c", div(x, pow(z, number(1e-7))), ["x"]],
    ["log(c + x)", log(add(number(1e7), x)), ["x", "log(x)"]],
    ["(x + c z) / (x + z)", div(add(x, mul(number(1e-7), z)), add(x, z)), ["x/(x + z)"]],
    ["sin(c x / z)", sin(mul(number(1e-7), div(x, z))), ["x/z"]],
  ] as const)("%s loses a number", (_, tree, expected) => {
    expect([...new Set(limits(tree).map(text))].toSorted()).toEqual([...expected].toSorted())
  })

  it("has none without fitted numbers, and is never a number", () => {
    expect(limits(mul(x, sin(z)))).toEqual([])
    expect(limits(exp(number(2)))).toEqual([])
    expect(limits(sub(x, number(2))).map(text)).toEqual(["x"])
  })

  it("is what the tree tends to, but for a coefficient and an intercept", async () => {
    const rows = 60
    const data = await Effect.runPromise(
      Data.fromRows({
        X: Array.from({ length: rows }, (_, i) => [1 + (i % 7) / 7, 1 + (i % 11) / 11]),
        y: Array.from({ length: rows }, (_, i) => i),
        features: ["x", "z"],
      }),
    )
    const columns = await Effect.runPromise(Columns.make(grammar, data))
    const column = (tree: Tree.Tree): Float64Array => columns.column(tree).values.slice()
    const one = new Float64Array(rows).fill(1)
    for (const [tree, limit] of [
      [mul(x, square(add(z, number(1e-6)))), "x*z^2"],
      [mul(sin(z), exp(mul(number(1e-6), x))), "sin(z)"],
      [div(x, pow(z, number(1e-6))), "x"],
      [div(add(x, mul(number(1e-6), z)), add(x, z)), "x/(x + z)"],
      [log(add(number(1e6), x)), "x"],
      [sin(mul(number(1e-6), div(x, z))), "x/z"],
    ] as const) {
      const found = limits(tree).find((made) => text(made) === limit)!
      const whole = column(tree)
      const around = leastSquares([one], whole).rss
      expect(leastSquares([one, column(found)], whole).rss / around).toBeLessThan(1e-9)
    }
  })

  it("takes the place of one tree of an ensemble, each once", () => {
    const ensemble = Ensembles.ofSet(grammar, [exp(mul(number(2), x)), add(z, number(3))], 0)
    const made = Variants.limiting(grammar, [{ ensemble }, { ensemble }])
    expect(made.map(({ ensemble: { trees } }) => trees.map(text).toSorted().join(", ")).toSorted()).toEqual(
      ["exp(x*2), z", "x, z + 3"].toSorted(),
    )
  })
})
