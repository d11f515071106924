// Grammars know the names of their features and operators, operators those of their arguments.
import { expect, expectTypeOf, it } from "vitest"
import * as Grammar from "vasst/prob/Grammar"
import * as Operator from "vasst/expr/Operator"
import * as Term from "vasst/expr/Term"
import { diagnose } from "../../support/compile.ts"
import { program } from "../../support/program.ts"

const errors = diagnose({
  "known operators": `${program}
    grammar.pipe(
      Grammar.forbid({ inside: "sin", operator: "sin" }),
      Grammar.forbid({ inside: "sin", operator: "mul" }),
    )`,
  "names from outside": `${program}
    declare const names: ReadonlyArray<string>
    declare const outside: Grammar.Grammar
    outside.pipe(Grammar.forbid({ inside: names[0]!, operator: names[1]! }))`,
  "an unknown operator": `${program}
    grammar.pipe(Grammar.forbid({ inside: "sin", operator: "tan" }))`,
  "an unknown place": `${program}
    grammar.pipe(Grammar.forbid({ inside: "exp", operator: "sin" }))`,
  "an unknown operator, data last": `${program}
    Grammar.forbid({ inside: "sin", operator: "tan" })(grammar)`,
  "an unknown feature": `${program}
    const feature: Grammar.FeatureName<typeof grammar> = "c"`,
  "a variable that is no argument": `${program}
    Operator.unary("shift", (x) => Term.add(x, Term.variable("y")))`,
  "a variable that is neither argument": `${program}
    Operator.binary("shift", (x, y) => Term.add(x, Term.mul(y, Term.variable("z"))))`,
})

it("lets a grammar forbid its own operators", () => {
  expect(errors["known operators"]).toEqual([])
  expect(errors["names from outside"]).toEqual([])
})

it("says which operator the grammar lacks", () => {
  for (const [name, operator] of [
    ["an unknown operator", "tan"],
    ["an unknown place", "exp"],
    ["an unknown operator, data last", "tan"],
  ] as const) {
    expect(errors[name]).toHaveLength(1)
    const [error] = errors[name]
    // The compiler quotes the text, with or without backslashes.
    expect(error?.text.replaceAll("\\", "")).toContain(`the grammar has no operator "${operator}"`)
  }
})

it("knows features and operators by name", () => {
  expect(errors["an unknown feature"][0]?.text).toBe(`Type '"c"' is not assignable to type '"a" | "b"'.`)
  const grammar = Grammar.make({
    features: ["a", "b"],
    operators: [Operator.mul, Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))],
    constants: { pi: Math.PI },
  })
  expectTypeOf(grammar).toEqualTypeOf<Grammar.Grammar<"a" | "b", "mul" | "gauss", { readonly pi: number }>>()
  const ruled = grammar.pipe(Grammar.forbid({ inside: "gauss", operator: "gauss" }))
  expectTypeOf(ruled).toEqualTypeOf<typeof grammar>()
  expectTypeOf<Grammar.OperatorName<typeof ruled>>().toEqualTypeOf<"mul" | "gauss">()
})

it("lets operators mention their arguments only", () => {
  expect(errors["a variable that is no argument"][0]?.text).toMatch(
    /^Type 'Term<"x" \| "y">' is not assignable to type 'Term<"x">'/,
  )
  expect(errors["a variable that is neither argument"][0]?.text).toContain('"z"')
  expectTypeOf(Operator.sin).toEqualTypeOf<Operator.Operator<"sin", 1>>()
  expectTypeOf(Operator.mul).toEqualTypeOf<Operator.Operator<"mul", 2>>()
  expectTypeOf<Operator.ShippedName>().toEqualTypeOf<keyof typeof Operator.shipped>()
})
