import { pipe } from "effect/Function"
import { describe, expect, it } from "vitest"
import * as Grammar from "../../../src/prob/Grammar.ts"
import * as Operator from "../../../src/expr/Operator.ts"
import * as Term from "../../../src/expr/Term.ts"

const { add, mul, sin, cos, exp } = Operator

describe("Grammar.make", () => {
  it("numbers the features, then the constants, and the operators, as they are listed", () => {
    const grammar = Grammar.make({
      features: ["b", "a"],
      operators: [sin, mul],
      constants: { pi: Math.PI, one: 1 },
    })
    expect(grammar.features).toEqual(["b", "a"])
    expect(grammar.terminals).toEqual([
      { name: "b", term: Term.variable("b") },
      { name: "a", term: Term.variable("a") },
      { name: "pi", term: Term.constant(Math.PI) },
      { name: "one", term: Term.constant(1) },
    ])
    expect(grammar.operators.map(({ name }) => name)).toEqual(["sin", "mul"])
    expect(grammar.forbidden).toEqual([])
  })

  it.each([
    [
      "no feature",
      () => Grammar.make({ features: [], operators: [add] }),
      "a grammar needs at least one feature",
    ],
    [
      "no operator",
      () => Grammar.make({ features: ["a"], operators: [] }),
      "a grammar needs at least one operator",
    ],
    [
      "a feature twice",
      () => Grammar.make({ features: ["a", "b", "a"], operators: [add] }),
      'the terminal "a" is declared twice',
    ],
    [
      "a constant named as a feature",
      () => Grammar.make({ features: ["pi"], operators: [add], constants: { pi: 3 } }),
      'the terminal "pi" is declared twice',
    ],
    [
      "an operator twice",
      () => Grammar.make({ features: ["a"], operators: [add, mul, add] }),
      'the operator "add" is declared twice',
    ],
  ])("refuses %s", (_, declare, message) => {
    expect(declare).toThrow(message)
    expect(declare).toThrow(Grammar.GrammarError)
  })
})

describe("Grammar.forbid", () => {
  const grammar = Grammar.make({ features: ["a"], operators: [add, sin, cos, exp] })

  it("adds rules and leaves the grammar that it is given alone", () => {
    const one = grammar.pipe(Grammar.forbid({ inside: "sin", operator: "sin" }))
    const two = pipe(one, Grammar.forbid({ inside: "exp", operator: "cos" }))
    expect(grammar.forbidden).toEqual([])
    expect(one.forbidden).toEqual([{ inside: "sin", operator: "sin" }])
    expect(two.forbidden).toHaveLength(2)
    expect(two.terminals).toBe(grammar.terminals)
  })

  it("knows the operators of a grammar whose names came from outside", () => {
    const dynamic: Grammar.Grammar = grammar
    expect(() => Grammar.forbid({ inside: "sin", operator: "tan" })(dynamic)).toThrow(
      'the grammar has no operator "tan"',
    )
    expect(() => Grammar.forbid({ inside: "log", operator: "sin" })(dynamic)).toThrow(
      'the grammar has no operator "log"',
    )
  })

  it("refuses more rules than a context can tell apart", () => {
    const names = Array.from({ length: 31 }, (_, i) => `f${i}`)
    const operators = names.map((name) => Operator.unary(name, (x) => x))
    const large: Grammar.Grammar = Grammar.make({ features: ["a"], operators })
    const rule = (grammar: Grammar.Grammar, name: string) =>
      Grammar.forbid({ inside: name, operator: name })(grammar)
    const thirty = names.slice(0, 30).reduce(rule, large)
    // The last bit still works, and a second rule about one `inside` takes no bit of its own.
    expect(Grammar.allowed(thirty, Grammar.below(thirty, Grammar.rootContext, 29))[29]).toBe(false)
    expect(Grammar.forbid({ inside: "f0", operator: "f1" })(thirty).forbidden).toHaveLength(31)
    expect(() => rule(thirty, "f30")).toThrow("at most 30 different operators")
  })
})

describe("contexts", () => {
  const free = Grammar.make({ features: ["a"], operators: [add, sin, cos, exp] })
  const ruled = free.pipe(
    Grammar.forbid({ inside: "sin", operator: "sin" }),
    Grammar.forbid({ inside: "sin", operator: "exp" }),
    Grammar.forbid({ inside: "cos", operator: "add" }),
  )
  const [inAdd, inSin, inCos] = [0, 1, 2].map((index) => Grammar.below(ruled, Grammar.rootContext, index))

  it("are one without rules", () => {
    for (const depth of [0, 1, 4]) expect(Grammar.contextsAt(free, depth)).toEqual([Grammar.rootContext])
    expect(Grammar.allowed(free, Grammar.rootContext)).toEqual([true, true, true, true])
  })

  it("remember the operators above that rules are about", () => {
    expect(inAdd).toBe(Grammar.rootContext)
    expect(Grammar.allowed(ruled, Grammar.rootContext)).toEqual([true, true, true, true])
    expect(Grammar.allowed(ruled, inSin!)).toEqual([true, false, true, false])
    expect(Grammar.allowed(ruled, inCos!)).toEqual([false, true, true, true])
    const both = Grammar.below(ruled, inSin!, 2)
    expect(both).toBe(Grammar.below(ruled, inCos!, 1))
    expect(Grammar.allowed(ruled, both)).toEqual([false, false, true, false])
  })

  it("are those that a depth can have", () => {
    const both = Grammar.below(ruled, inSin!, 2)
    expect(Grammar.contextsAt(ruled, 0)).toEqual([Grammar.rootContext])
    expect(Grammar.contextsAt(ruled, 1)).toEqual([Grammar.rootContext, inSin!, inCos!])
    expect(new Set(Grammar.contextsAt(ruled, 2))).toEqual(
      new Set([Grammar.rootContext, inSin!, inCos!, both]),
    )
  })
})
