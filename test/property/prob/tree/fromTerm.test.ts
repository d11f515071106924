import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import * as Result from "effect/Result"
import * as Operator from "../../../../src/expr/Operator.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { infix } from "../../../../src/expr/text/infix.ts"
import { parse } from "../../../../src/expr/text/parse.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import { arbitraryGrammar, arbitraryTree } from "../../../../src/testing/arbitraryModel.ts"
import { runs } from "../../../support/property.ts"

const valueOf = (term: Term.Term, point: ReadonlyArray<number>): number =>
  Term.interpret(Term.arithmetic)(term)((name) => point[Number(name.slice(1))]!)

const points = [
  [0.3, -1.2, 2.5],
  [1.7, 0.4, -0.9],
  [0, 1, -1],
]

const given = (grammar: Grammar.Grammar, text: string) =>
  Tree.fromTerm(grammar, Result.getOrThrow(parse(text)))
const error = (grammar: Grammar.Grammar, text: string): Tree.OutsideGrammarError => {
  const result = given(grammar, text)
  if (Result.isSuccess(result)) throw new Error(`${text} is in the grammar`)
  return result.failure
}

describe("the tree of a formula", () => {
  it("has its values, for every tree of every grammar", () => {
    const cases = arbitraryGrammar().chain((grammar) =>
      arbitraryTree(grammar, 3).map((tree) => ({ grammar, term: Tree.toTerm(grammar, tree) })),
    )
    fc.assert(
      fc.property(cases, ({ grammar, term }) => {
        const tree = Result.getOrThrow(Tree.fromTerm(grammar, term))
        const again = Tree.toTerm(grammar, tree)
        for (const point of points) expect(valueOf(again, point)).toBe(valueOf(term, point))
        // The grammar's rules hold: a skeleton of the tree prunes to it.
        const forbidden = (node: Tree.Tree, above: ReadonlyArray<string>): boolean => {
          if (node._tag === "Leaf") return false
          const { name } = grammar.operators[node.operator]!
          return (
            grammar.forbidden.some(({ inside, operator }) => operator === name && above.includes(inside)) ||
            node.children.some((child) => forbidden(child, [...above, name]))
          )
        }
        expect(forbidden(tree, [])).toBe(false)
      }),
      runs(300),
    )
  })

  const grammar = Grammar.make({
    features: ["a", "b"],
    operators: [Operator.mul, Operator.cube, Operator.div, Operator.sin],
    constants: { two: 2, c: Constant.fitted(Dist.logNormal(0, 1)) },
  }).pipe(Grammar.forbid({ inside: "sin", operator: "sin" }))

  it("takes the largest operators, operands in either order", () => {
    const key = (text: string): string => Tree.key(Result.getOrThrow(given(grammar, text)))
    expect(key("a^2*a")).toBe("o1(t0)")
    expect(key("a*a^2")).toBe("o1(t0)")
    expect(key("sin(2*a)/b")).toBe("o2(o3(o0(t2,t0)),t1)")
    expect(key("a/b")).toBe("o2(t0,t1)")
    expect(error(grammar, "pdiv(a, b)").part).toBe("pdiv(a, b)")
    expect(key("2.5*a")).toBe("o0(t3=2.5,t0)")
    const pinned = Result.getOrThrow(given(grammar, "sin(0.5*a)/b"))
    expect(infix(Tree.toTerm(grammar, pinned))).toBe("sin(0.5*a)/b")
  })

  it("is refused with the part that the grammar lacks", () => {
    const outside = error(grammar, "sin(a*exp(b))/b")
    expect(outside).toBeInstanceOf(Tree.OutsideGrammarError)
    expect(outside.part).toBe("exp(b)")
    expect(outside.message).toBe(
      "the grammar has no tree for exp(b): none of its operators makes exp of these operands; it has mul, cube, div, sin",
    )
    expect(error(grammar, "a*z").message).toContain('it has no feature "z", but a, b, two, c')
    // A log-normal prior has no negative number.
    expect(error(grammar, "a*(-3)").message).toContain("it has no constant -3, and none that is fitted")
    expect(error(grammar, "sin(a*sin(b))").message).toContain("sin(b): it forbids sin below")
  })
})
