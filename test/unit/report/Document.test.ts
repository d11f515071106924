import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { infix } from "../../../src/expr/text/infix.ts"
import { latex } from "../../../src/expr/text/latex.ts"
import { sympy } from "../../../src/expr/text/sympy.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Document from "../../../src/report/Document.ts"
import type { Dataset } from "../../../src/data/Data.ts"
import { fitted, ranked } from "../../support/cli.ts"

const data: Dataset = {
  features: ["x0", "x1"],
  columns: [Float64Array.of(1, 2), Float64Array.of(3, 5)],
  target: 'the "y"',
  y: Float64Array.of(1, 2),
  rows: 2,
}
const [x0, x1] = [Term.variable("x0"), Term.variable("x1")]
/** Shared by the models, as trees are. */
const shared = Term.psqrt(Term.mul(x0, Term.square(x1)))

const models = [
  ranked(data, { expression: Term.add(Term.mul(2.5, shared), 1), terms: [shared], rmseTest: undefined }),
  ranked(data, { expression: Term.sub(x1, Term.pdiv(shared, shared)), terms: [x1, shared] }),
  ranked(data, { expression: Term.neg(shared), terms: [shared], rmseTrain: Number.NaN, posterior: 1e-300 }),
]
const document = Document.make(fitted(data, { models }), data.target)!

describe("Document", () => {
  it("writes what models share as it writes them alone", () => {
    document.models.forEach((one, index) => {
      const { expression, terms } = models[index]!
      expect(one.expression).toBe(infix(expression))
      expect(one.sympy).toBe(sympy(expression))
      expect(one.latex).toBe(latex(expression, { precision: 6 }))
      expect(one.terms).toEqual(terms.map((term) => infix(term)))
    })
    expect(document.best).toEqual(document.models[0])
  })

  it("is the JSON that its schema encodes", () => {
    const encode = Schema.encodeSync(Schema.fromJsonString(Document.Document))
    expect(Document.toJson(document)).toBe(encode(document))
  })

  it.each([
    ["seconds", { ...document, seconds: Number.NaN }],
    ["a score", { ...document, models: [{ ...document.best, lmpse: -Infinity }] }],
    ["a coefficient", { ...document, best: { ...document.best, coefficients: [1, Number.NaN] } }],
  ])("does not hide that %s is not finite", (_, wrong) => {
    expect(() => Document.toJson(wrong)).toThrow(RangeError)
  })
})
