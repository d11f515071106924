import { describe, expect, it } from "vitest"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as LawGrammar from "../../../src/models/LawGrammar.ts"

const terminals = (grammar: Grammar.Grammar) => grammar.terminals.map(({ name }) => name)

describe("the grammar of a search", () => {
  it("is general unless told otherwise", () => {
    const grammar = LawGrammar.make(["x"])
    expect(terminals(grammar)).toEqual(["x", "1", "2", "pi", "c"])
    expect(grammar.operators.map(({ name }) => name)).toEqual(LawGrammar.operators)
    expect(grammar.forbidden).toEqual(LawGrammar.forbidden)
  })

  it("takes operators of one's own and other constants", () => {
    const gauss = Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))
    const grammar = LawGrammar.make(["x"], { operators: ["sin", gauss], constants: [-0.5, -0.5] })
    expect(grammar.operators.map(({ name }) => name)).toEqual(["sin", "gauss"])
    expect(terminals(grammar)).toEqual(["x", "-0.5", "c"])
    // Rules about operators that it does not have are left out.
    expect(grammar.forbidden).toEqual([{ inside: "sin", operator: "sin" }])
    expect(terminals(LawGrammar.make(["x"], { constants: [], fitted: "none" }))).toEqual(["x"])
  })

  it("finds other names for constants where features have theirs", () => {
    const grammar = LawGrammar.make(["pi", "1", "1'"])
    expect(terminals(grammar).slice(0, 3)).toEqual(["pi", "1", "1'"])
    // Names that look like indices come first, as they do in every record.
    expect(Object.fromEntries(grammar.terminals.slice(3).map(({ name, term }) => [name, term]))).toEqual({
      "1''": Term.constant(1),
      "2": Term.constant(2),
      "pi'": Term.constant(Math.PI),
      c: Term.constant(1),
    })
  })

  it("forbids sines of sines, in any depth", () => {
    const grammar = LawGrammar.make(["x"])
    const index = (name: string) => LawGrammar.operators.findIndex((operator) => operator === name)
    const inside = Grammar.below(
      grammar,
      Grammar.below(grammar, Grammar.rootContext, index("sin")),
      index("add"),
    )
    const allowed = Grammar.allowed(grammar, inside)
    expect(LawGrammar.operators.filter((_, i) => allowed[i] === true)).toEqual(
      LawGrammar.operators.slice(0, 7),
    )
  })

  it("is not made without operators", () => {
    expect(() => LawGrammar.make(["x"], { operators: [] })).toThrow(/at least one operator/)
  })
})
