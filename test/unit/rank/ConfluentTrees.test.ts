// Two terms that are one function with nearly the same numbers have a limit: checked against differences of their columns.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Columns from "../../../src/evidence/columns.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import * as ConfluentTrees from "../../../src/rank/ConfluentTrees.ts"
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
const [add, mul, pow] = [make(Operator.add), make(Operator.mul), make(Operator.pow)]
const [exp, cos, sin] = [make(Operator.exp), make(Operator.cos), make(Operator.sin)]

const confluent = ConfluentTrees.of(grammar)
const text = (tree: Tree.Tree): string => infix(Tree.toNamedTerm(grammar, tree))
const texts = (one: Tree.Tree, other: Tree.Tree): ReadonlyArray<ReadonlyArray<string>> =>
  confluent(one, other).map((trees) => trees.map(text))

const waves = (a: number, p: number): Tree.Tree => sin(add(mul(number(a), x), number(p)))

describe("confluent limits of two trees", () => {
  it("are the derivatives by the numbers that differ", () => {
    expect(texts(cos(mul(number(6), x)), cos(mul(number(6.5), x)))).toEqual([["sin(6.25*x)*x"]])
    expect(texts(pow(x, number(2.5)), pow(x, number(2.5)))).toEqual([])
    expect(texts(waves(2, 1), waves(2.1, 1))).toEqual([["cos(2.05*x + 1)*x"]])
    expect(texts(waves(2, 1), waves(2.1, 1.05))).toEqual([["cos(2.05*x + 1.025)*x"], ["cos(2.05*x + 1.025)"]])
  })

  it("are none of numbers that are far apart, or of different functions", () => {
    expect(texts(cos(mul(number(6), x)), cos(mul(number(7), x)))).toEqual([])
    expect(texts(cos(mul(number(6), x)), cos(mul(number(-6), x)))).toEqual([])
    expect(texts(cos(mul(number(6), x)), sin(mul(number(6.1), x)))).toEqual([])
    expect(texts(cos(mul(number(6), x)), cos(mul(number(6.1), z)))).toEqual([])
  })

  it("have the columns that differences tend to", async () => {
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
    const h = 1e-5
    for (const of of [
      (c: number): Tree.Tree => cos(mul(number(c), x)),
      (c: number): Tree.Tree => mul(z, exp(mul(number(c), x))),
      (c: number): Tree.Tree => pow(add(x, number(c)), number(1.5)),
      (c: number): Tree.Tree => pow(add(x, z), number(c)),
    ]) {
      const [below, above] = [of(2 - h), of(2 + h)]
      const under = column(below)
      const difference = column(above).map((value, i) => (value - under[i]!) / (2 * h))
      const [limit] = confluent(below, above)
      const size = leastSquares([], difference).rss
      expect(leastSquares(limit!.map(column), difference).rss / size).toBeLessThan(1e-9)
    }
  })

  it("take the place of both trees, or of one, and no ensemble grows", () => {
    const ensemble = Ensembles.ofSet(grammar, [cos(mul(number(6), x)), cos(mul(number(6.5), x)), z], 0)
    const made = Variants.limiting(grammar, [{ ensemble }]).map(({ ensemble: { trees } }) =>
      trees.map(text).toSorted(),
    )
    expect(made).toContainEqual(["sin(x*6.25)*x", "z"])
    expect(made).toContainEqual(["cos(x*6)", "sin(x*6.25)*x", "z"])
    expect(made.every(({ length }) => length <= 3)).toBe(true)
  })
})
