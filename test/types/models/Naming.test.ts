// The names of columns and operators are types: a fit asks for the columns that it was made of. Pins the compiler's words for mistakes.
import type * as Effect from "effect/Effect"
import { expect, expectTypeOf, it } from "vitest"
import * as Operator from "vasst/expr/Operator"
import type * as Fitted from "vasst/models/Fitted"
import * as Grammar from "vasst/prob/Grammar"
import * as Tree from "vasst/prob/Tree"
import * as Law from "vasst/models/law"
import { diagnose } from "../../support/compile.ts"

const head = `
import * as Effect from "effect/Effect"
import type { Dataset } from "vasst/data/Data"
import * as Chunks from "vasst/data/Chunks"
import * as Operator from "vasst/expr/Operator"
import * as Term from "vasst/expr/Term"
import * as Fitted from "vasst/models/Fitted"
import * as GroupLaw from "vasst/models/groupLaw"
import * as Law from "vasst/models/law"
import * as StreamedLaw from "vasst/models/streamedLaw"
import * as Vasst from "vasst/models/vasst"
import * as Grammar from "vasst/prob/Grammar"
import * as Tree from "vasst/prob/Tree"
const [mass, speed, sigma, y, X] = [[1, 2], Float64Array.of(3, 4), [1, 1], [5, 6], [[1, 2], [3, 4]]]
const table = { columns: { mass, speed, sigma }, y, target: "energy" }
const gauss = Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))
const operators = [Operator.mul, Operator.sin, gauss]
const grammar = Grammar.make({ features: ["x0", "x1"], operators: [Operator.mul, gauss], constants: { pi: Math.PI } })
declare const run: <A>(effect: Effect.Effect<A, unknown, any>) => A`

const fitted = `${head}
const fit = run(Law.fit(table, { error: "sigma" }))`

const errors = diagnose({
  fine: `${fitted}
    const { predict } = fit
    predict({ mass, speed })
    predict({ mass, speed }, { bands: [0.5] }).mean
    predict([[1, 2], Float64Array.of(3, 4)])
    const show = (one: Law.Fitted) => one.best
    show(fit)`,
  "a missing column": `${fitted}\nfit.predict({ mass })`,
  "a missing column, with bands": `${fitted}\nfit.predict({ mass }, { bands: [0.5] })`,
  "missing columns": `${fitted}\nfit.predict({})`,
  "a misspelt column": `${fitted}\nfit.predict({ mass, sped: speed })`,
  "rows with names": `${head}
    run(Law.fit({ X, y, features: ["a", "b"] })).predict({ a: [1] })`,
  "a grammar": `${head}
    const fit = run(Law.fit({ X, y }, { grammar, restrictions: [Tree.contains("x0"), Tree.over("gauss", ["x1"])] }))
    fit.predict({ x0: mass, x1: mass })
    fit.predict({ x0: mass })`,
  "an own ranking": `${head}
    declare const found: Pick<Law.Fitted, "ranking" | "posterior" | "seconds">
    Fitted.make(grammar.features, found).predict({ x0: mass })`,
  "another inference": `${head}
    declare const inference: Law.Inference<number>
    run(Law.fitBy(inference, table, { weights: "sigma" })).predict({ mass })`,
  "an inference with a report of its own": `${head}
    interface Info { readonly objective: number; readonly converged: boolean; readonly accepted: boolean }
    declare const inference: Law.Inference<number, Info>
    Law.fitBy(inference, table, {}, ({ accepted, best, step }) => [accepted, best()?.lmpse, step])
    Law.fitBy(inference, table, {}, ({ rows }) => rows)`,
  groups: `${head}
    const fit = run(GroupLaw.fit(table, { group: "sigma" }))
    fit.inGroup("a")({ mass, speed })
    fit.predict({ mass })
    fit.inGroup("a")({ speed })`,
  parts: `${head}
    const chunks = Chunks.make({ features: ["x", "z"], target: "y" }, () => [])
    run(StreamedLaw.fit(chunks, { time: 4 })).predict({ x: mass })`,
  "the paper's method": `${head}
    run(Vasst.fit(table, { operators: ["mul"] })).predict({ mass, speed })`,
  "a column of errors": `${head}\nLaw.fit(table, { error: "sgima" })`,
  "a column of groups": `${head}\nGroupLaw.fit(table, { group: "star" })`,
  "an option": `${head}\nLaw.fit(table, { effrot: 3 })`,
  "an operator": `${head}
    Law.fit(table, { restrictions: [Tree.contains("mass"), Tree.atMostNodes(9), Tree.atMostUses("sni", 1)] })`,
  "an operator that the fit has not": `${head}
    Law.fit(table, { operators: ["mul", gauss], restrictions: [Tree.contains("gauss"), Tree.atMostUses("sin", 1)] })`,
  "an operator of a group law": `${head}
    GroupLaw.fit(table, { group: "sigma", restrictions: [Tree.contains("sin"), Tree.over("log", ["mass"]), Tree.contains("sigma")] })`,
  "an operator of a grammar": `${head}\nLaw.fit({ X, y }, { grammar, restrictions: [Tree.atMostUses("gaus", 1)] })`,
  "an operator of a model": `${head}
    Law.model(grammar, { restrictions: [Tree.notInside("gauss", "gauss"), Tree.notInside("sin", "gauss")] })`,
  "a constant": `${head}
    const defaults = Law.grammar(["x", "c"])
    Law.model(defaults, { restrictions: [Tree.contains("c'"), Tree.contains("pi"), Tree.contains("2"), Tree.contains("e")] })`,
  "names from outside": `${head}
    declare const options: Law.Options
    declare const data: Dataset
    declare const restrictions: ReadonlyArray<Tree.Restriction>
    Law.fit(table, options)
    Law.fit(table, { restrictions })
    Law.model(grammar, { restrictions })
    Law.fit(data, { error: "w", restrictions: [Tree.contains("v")] })
    run(Law.fit({ X, y })).predict({ x0: mass, x1: mass })`,
})

/** All that the compiler says of a snippet, without the marks before quotes. */
const said = (name: keyof typeof errors): string =>
  errors[name].map(({ text }) => text.replaceAll("\\", "")).join("\n")

it("lets a fit predict from the columns that it was made of", () => {
  expect(said("fine")).toBe("")
  expect(said("names from outside")).toBe("")
})

it("names the columns that are missing", () => {
  const missing = `Argument of type '{ mass: number[]; }' is not assignable to parameter of type 'NewRows<"mass" | "speed">'.
  Property 'speed' is missing in type '{ mass: number[]; }' but required in type 'Columns<"mass" | "speed">'.`
  expect(said("a missing column")).toBe(missing)
  expect(said("a missing column, with bands")).toBe(missing)
  expect(said("another inference")).toBe(missing)
  expect(said("missing columns")).toContain(
    `Type '{}' is missing the following properties from type 'Columns<"mass" | "speed">': mass, speed`,
  )
  expect(said("a misspelt column")).toBe(
    `Object literal may only specify known properties, and 'sped' does not exist in type 'NewRows<"mass" | "speed">'.`,
  )
  expect(said("rows with names")).toContain("Property 'b' is missing")
  expect(said("the paper's method")).toContain("Property 'sigma' is missing")
  expect(said("parts")).toContain("Property 'z' is missing")
  expect(errors.groups).toHaveLength(2)
  expect(said("groups")).toMatch(/Property 'speed' is missing.*Property 'mass' is missing/s)
})

it("tells of the steps of another inference by its own report", () => {
  expect(errors["an inference with a report of its own"]).toHaveLength(1)
  expect(said("an inference with a report of its own")).toMatch(/^Property 'rows' does not exist on type /)
})

it("asks for the features of a grammar", () => {
  expect(errors["a grammar"]).toHaveLength(1)
  expect(said("a grammar")).toContain(
    `Property 'x1' is missing in type '{ x0: number[]; }' but required in type 'Columns<"x0" | "x1">'.`,
  )
  expect(said("an own ranking")).toContain("Property 'x1' is missing")
})

it("says which column the table has not", () => {
  expect(said("a column of errors")).toBe(
    `Type '"sgima"' is not assignable to type '"the table has no column "sgima""'.`,
  )
  expect(said("a column of groups")).toContain(`'"the table has no column "star""'`)
  expect(said("an option")).toContain("Did you mean to write 'effort'?")
})

it("says which operator or terminal the grammar has not, at the restriction that is about it", () => {
  for (const [name, lacking] of [
    ["an operator", "sni"],
    ["an operator that the fit has not", "sin"],
    ["an operator of a grammar", "gaus"],
    ["an operator of a model", "sin"],
    // The column of the groups is no feature.
    ["an operator of a group law", "sigma"],
    ["a constant", "e"],
  ] as const) {
    expect(errors[name]).toHaveLength(1)
    expect(said(name)).toMatch(/^Type '(Counted)?Restriction<[^>]*>' is not assignable to type /)
    expect(said(name)).toContain(`"the grammar has no operator or terminal "${lacking}""`)
  }
})

it("keeps literal names in types", () => {
  const defaults = Law.grammar(["x", "v"], { operators: ["mul", Operator.sin] })
  expectTypeOf<Grammar.FeatureName<typeof defaults>>().toEqualTypeOf<"x" | "v">()
  expectTypeOf<Grammar.OperatorName<typeof defaults>>().toEqualTypeOf<"mul" | "sin">()
  const grammar = Grammar.make({ features: ["a"], operators: [Operator.mul], constants: { two: 2 } })
  expectTypeOf<Grammar.Name<typeof grammar>>().toEqualTypeOf<"a" | "two" | "mul">()
  const plain = Grammar.make({ features: ["a"], operators: [Operator.mul] })
  expectTypeOf<Grammar.Name<typeof plain>>().toEqualTypeOf<"a" | "mul">()
  expectTypeOf(Tree.inLaw(Tree.atMostUses("sin", 1))).toEqualTypeOf<Tree.CountedRestriction<"sin">>()
  expectTypeOf(Tree.over("log", ["p", "V"])).toEqualTypeOf<Tree.Restriction<"log" | "p" | "V">>()
  const fit = () => Law.fit({ X: [[1]], y: [2], features: ["a"] })
  type Fit = Effect.Success<ReturnType<typeof fit>>
  expectTypeOf<Fit>().toEqualTypeOf<Law.Fitted<"a">>()
  expectTypeOf<Fit["predict"]>().toEqualTypeOf<Fitted.Predict<"a">>()
})
