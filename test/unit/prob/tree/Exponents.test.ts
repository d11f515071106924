import { describe, expect, it } from "vitest"
import * as Result from "effect/Result"
import { SettingError } from "../../../../src/errors/Setting.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Restriction from "../../../../src/prob/tree/Restriction.ts"

const grammar = Grammar.make({
  features: ["x", "y"],
  operators: Operator.named(["add", "mul", "div", "pow", "square", "sqrt", "sin"]),
  constants: { "1": 1, "2": 2, c: Constant.scaleFree },
})

const power = grammar.operators.findIndex(({ name }) => name === "pow")
const at = (tree: Tree.Tree, exponent: number): Tree.Tree =>
  Tree.branch(power, [tree, Tree.leaf(4, exponent)])
const x = Tree.leaf(0)

const log = (tree: Tree.Tree): number => Restriction.compile(grammar, [Tree.exponents(-1, 3)]).log(tree)
const isAllowed = (text: string): boolean => {
  const tree = parse(text).pipe(
    Result.flatMap((term) => Tree.fromTerm(grammar, term)),
    Result.getOrThrow,
  )
  return log(tree) === 0
}

describe("exponents from -1 to 3", () => {
  it.each(["x", "x*x*x", "(x^2)*x", "1/x", "sin(x)^2", "(x + y)^2*x^2", "x/(x*y)", "sqrt(x^2)"])(
    "allow %s",
    (text) => expect(isAllowed(text)).toBe(true),
  )
  it.each(["(x^2)^2", "x*x*x*x", "1/(x*x)", "(sin(x)^2)^2", "sin(x*x*x*x)"])("exclude %s", (text) =>
    expect(isAllowed(text)).toBe(false),
  )
  it("are fitted numbers, too", () => {
    const square = Tree.branch(
      grammar.operators.findIndex(({ name }) => name === "square"),
      [x],
    )
    for (const tree of [at(x, 2.9), at(x, -1), at(square, 1.4)]) expect(log(tree)).toBe(0)
    for (const tree of [at(x, 3.1), at(x, -1.5), at(square, 1.6), at(at(x, 2), 2)])
      expect(log(tree)).toBe(-Infinity)
    // A number that has no value yet may have any.
    expect(log(Tree.branch(power, [x, Tree.leaf(4)]))).toBe(0)
  })
  it("have 1 among them", () => {
    expect(() => Tree.exponents(2, 3)).toThrow(SettingError)
  })
})
