// Templates know their holes, and the columns of each.
import { expect, it } from "vitest"
import { diagnose } from "../../support/compile.ts"

const imports = `
  import * as Term from "vasst/expr/Term"
  import * as Template from "vasst/prob/Template"`

const errors = diagnose({
  "own columns": `${imports}
    Template.make({ f: ["t"], g: { r: ["x", "z"] } }, ({ f, g }, { t, x, z }, D) =>
      Term.mul(f({ t: Term.mul(2, t) }), Term.add(g({ r: Term.mul(x, z) }), D("f", "t")({ t }))))`,
  "another hole's column": `${imports}
    Template.make({ f: ["t"], g: ["x"] }, ({ f, g }, { t, x }) => Term.mul(f({ t: x }), g({ x })))`,
  "no such hole": `${imports}
    Template.make({ f: ["t"] }, ({ f, h }, { t }) => f({ t }))`,
  "no such column": `${imports}
    Template.make({ f: ["t"] }, ({ f }, { t, u }) => f({ t }))`,
  "a derivative by another argument": `${imports}
    Template.make({ f: ["t"] }, ({ f }, { t }, D) => Term.add(f({ t }), D("f", "x")({ t })))`,
  "own outputs": `${imports}
    import * as TemplateLaw from "vasst/models/templateLaw"
    const fall = Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({ height: f({ t }), speed: D("f", "t")({ t }) }))
    TemplateLaw.fit(fall, { X: [[1]], y: { height: [1], speed: [2] }, features: ["t"] }, { error: { speed: "dv" } })
    TemplateLaw.fit(Template.make({ f: ["t"] }, ({ f }, { t }) => f({ t })), { X: [[1]], y: [1], features: ["t"] })`,
  "an output without a column": `${imports}
    import * as TemplateLaw from "vasst/models/templateLaw"
    const fall = Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({ height: f({ t }), speed: D("f", "t")({ t }) }))
    TemplateLaw.fit(fall, { X: [[1]], y: { height: [1] }, features: ["t"] })`,
  "one column for two outputs": `${imports}
    import * as TemplateLaw from "vasst/models/templateLaw"
    const fall = Template.make({ f: ["t"] }, ({ f }, { t }, D) => ({ height: f({ t }), speed: D("f", "t")({ t }) }))
    TemplateLaw.fit(fall, { X: [[1]], y: [1], features: ["t"] })`,
  "no such output": `${imports}
    import type * as TemplateLaw from "vasst/models/templateLaw"
    declare const fitted: TemplateLaw.Fitted<"f", "height" | "speed">
    fitted.best.outputs.pace`,
})

it("compile with their own holes and columns", () => {
  expect(errors["own columns"]).toEqual([])
  expect(errors["own outputs"]).toEqual([])
})

it("do not compile with others", () => {
  const text = (name: keyof typeof errors): string => errors[name].map((one) => one.text).join(" ")
  expect(text("another hole's column")).toContain(`Type 'Term<"x">' is not assignable to type 'Term<"t">'`)
  expect(text("no such hole")).toContain("'h' does not exist")
  expect(text("no such column")).toContain("'u' does not exist")
  expect(text("a derivative by another argument")).toContain(`'"x"' is not assignable`)
  expect(text("an output without a column")).toContain("'speed' is missing")
  expect(text("one column for two outputs")).toContain("not assignable")
  expect(text("no such output")).toContain("'pace' does not exist")
})
