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

describe("the report", () => {
  it("writes the best law with the digits that are determined, and its numbers with their errors", () => {
    const expression = Term.add(Term.mul(2.123456789, x0), 2459000.5)
    const numbers = [
      { value: 2.123456789, error: 0.0123, effect: 100 },
      { value: 2459000.5, error: 0.31, effect: 5 },
    ]
    const lines = (changes: object): ReadonlyArray<string> =>
      Document.report(fitted(data, { models: [ranked(data, { expression, numbers, ...changes })] }), "y", {
        top: 1,
      }).slice(-2)
    expect(lines({})).toEqual([
      "y = 2.1235*x0 + 2459000.5",
      "numbers: 2.123 ± 0.012, (2.45900050 ± 0.00000031)e6",
    ])
    expect(lines({ rmseTest: Number.NaN }).at(-1)).toContain("no finite value on some of the rows")
  })

  it("keeps its lines, whatever columns are called", () => {
    const expression = Term.variable("a\nb\u009b31m")
    const lines = Document.report(
      fitted(data, { models: [ranked(data, { expression, numbers: [] })] }),
      "y\u001b",
      {
        top: 1,
      },
    )
    expect(lines.at(-1)).toBe("y\\u001b = `a\\nb\\u009b31m`")
    expect(lines.some((line) => /\p{Cc}/u.test(line))).toBe(false)
  })
})
