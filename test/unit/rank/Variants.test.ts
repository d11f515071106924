import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Data from "../../../src/data/Data.ts"
import * as Columns from "../../../src/evidence/columns.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Law from "../../../src/models/law.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Tree from "../../../src/prob/Tree.ts"
import { leastSquares } from "../../../src/numeric/leastSquares.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Ensembles from "../../../src/rank/Ensemble.ts"
import * as Variants from "../../../src/rank/Variants.ts"

const grammar = LawGrammar.make(["x"])
const place = (operator: Operator.Operator): number => Grammar.placeOf(grammar, operator)
const terminal = grammar.terminals.findIndex(({ fitted }) => fitted !== undefined)
const x = Tree.leaf(grammar.terminals.findIndex(({ term }) => term._tag === "Variable"))
const one = Tree.leaf(
  grammar.terminals.findIndex(
    ({ term, fitted }) => term._tag === "Constant" && fitted === undefined && term.value === 1,
  ),
)
const number = (value: number): Tree.Tree => Tree.leaf(terminal, value)
const branch =
  (operator: Operator.Operator) =>
  (...children: ReadonlyArray<Tree.Tree>): Tree.Tree =>
    Tree.branch(place(operator), children)
const [add, sub, mul, div, pow] = [Operator.add, Operator.sub, Operator.mul, Operator.div, Operator.pow].map(
  branch,
) as [
  ReturnType<typeof branch>,
  ReturnType<typeof branch>,
  ReturnType<typeof branch>,
  ReturnType<typeof branch>,
  ReturnType<typeof branch>,
]
const [log, sqrt, exp] = [branch(Operator.log), branch(Operator.sqrt), branch(Operator.exp)]

const texts = (tree: Tree.Tree): ReadonlyArray<string> =>
  Variants.of(grammar)(tree).map((one) => infix(Tree.toNamedTerm(grammar, one)))

const rows = 40
const data = await Effect.runPromise(
  Data.fromRows({
    X: Array.from({ length: rows }, (_, i) => [6 + i / 3]),
    y: Array.from({ length: rows }, (_, i) => i),
    features: ["x"],
  }),
)
const columns = await Effect.runPromise(Columns.make(grammar, data))

describe("variants of a tree", () => {
  it.each([
    ["log(5 + x)", log(add(number(5), x)), "log(1 + 0.2*x)"],
    ["log(x - 5)", log(sub(x, number(5))), "log(0.2*x - 1)"],
    ["log(5 - x / 100)", log(sub(number(5), div(x, number(100)))), "log(1 - 0.2*(x/100))"],
    ["log(x + -5)", log(add(x, number(-5))), "log(0.2*x - 1)"],
    ["1 / (x + 4)", div(one, add(x, number(4))), "1/(1 + 0.25*x)"],
    ["1 / sqrt(4 + 3 x)", div(one, sqrt(add(number(4), mul(number(3), x)))), "1/sqrt(1 + 0.75*x)"],
    ["exp(x / 9 - 1)", exp(sub(div(x, number(9)), one)), "exp(x/9)"],
    ["exp(2 + x / 9) x", mul(exp(add(number(2), div(x, number(9)))), x), "exp(x/9)*x"],
    ["x exp(1 - x / 9)", mul(x, exp(sub(one, div(x, number(9))))), "x*(1/exp(x/9))"],
    ["(x + 4)^0.7", pow(add(x, number(4)), number(0.7)), "exp(0.7*log(1 + 0.25*x))"],
  ])("has %s over its number, which spans the same functions", (_, tree, text) => {
    const found = Variants.of(grammar)(tree)
    expect(found).toHaveLength(1)
    const [variant] = found as [Tree.Tree]
    expect(infix(Tree.toNamedTerm(grammar, variant))).toBe(text)
    const ones = new Float64Array(rows).fill(1)
    const { rss } = leastSquares([ones, columns.column(tree).values], columns.column(variant).values)
    expect(rss).toBeLessThan(1e-20)
  })

  it.each([
    ["x^0.502", pow(x, number(0.502)), ["sqrt(x)"]],
    ["x^-1.98", pow(x, number(-1.98)), ["1/x^2"]],
    ["x^1.03", pow(x, number(1.03)), ["x"]],
    ["x^3.1", pow(x, number(3.1)), ["x*x^2"]],
    ["x^0.7", pow(x, number(0.7)), []],
    ["2^x", pow(number(2), x), []],
    ["log(x)", log(x), []],
    ["exp(x)", exp(x), []],
    ["x + exp(x - 1)", add(x, exp(sub(x, one))), []],
    ["x / (5 + x)", div(x, add(number(5), x)), []],
  ])("of %s are %s", (_, tree, expected) => {
    expect(texts(tree)).toEqual(expected)
  })

  it("stand after their ensembles, each once", () => {
    const made = [log(add(number(5), x)), log(add(number(5), x)), pow(x, number(0.5))].map((tree) => ({
      ensemble: Ensembles.ofSet(grammar, [tree]),
      draws: 2,
    }))
    const found = Variants.beside(grammar, made, 2)
    expect(found).toHaveLength(4)
    expect(found[0]).toBe(made[0])
    expect(found[1]?.draws).toBe(1)
    expect(found.slice(2)).toEqual(made.slice(1))
    const bare = LawGrammar.make(["x"], { fitted: "none" })
    expect(Variants.beside(bare, made, 2)).toBe(made)
  })
})

it("the parts of an ensemble are those of three trees, and of more those with one less", () => {
  const trees = [x, log(x), pow(x, number(0.5)), div(x, add(number(5), x))]
  const sizes = [1, 2, 3, 4].map((count) =>
    Variants.shortened(grammar, [{ ensemble: Ensembles.ofSet(grammar, trees.slice(0, count)) }])
      .map(({ ensemble }) => ensemble.trees.length)
      .toSorted((a, b) => a - b),
  )
  expect(sizes).toEqual([[], [1, 1], [1, 1, 1, 2, 2, 2], [3, 3, 3, 3]])
})

// Two numbers say what three would: the law is 0 at 0, and so is its form.
it.each([1, 2])("a law that is 0 at 0 is found as one, seed %d", async (seed) => {
  const normal = Rng.generator(Rng.key(seed))
  const X = Array.from({ length: 24 }, (_, i) => [10 * (i + 1)])
  const y = X.map(([x = 0]) => 3 * Math.log(1 + 0.05 * x) + 0.003 * normal.normal())
  const options: Law.Options = { operators: ["add", "mul", "log"], effort: 300_000, workers: 1 }
  const { best } = await Effect.runPromise(Law.fit({ X, y, features: ["x"] }, options))
  expect(infix(best.expression)).toMatch(/^[\d.]+\*log\(0\.0[\d.]+\*x \+ 1\)$/)
})
