import { describe, expect, it } from "vitest"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import * as StreamedExact from "../../../../src/evidence/streamed/StreamedExact.ts"
import * as StreamedFit from "../../../../src/evidence/streamed/StreamedFit.ts"
import * as Term from "../../../../src/expr/Term.ts"
import { table } from "../../../support/streamed.ts"

const x0 = Term.variable("x0")

/** A pass over all rows of a law at the values that it begins at. */
const passed = (terms: ReadonlyArray<Term.Term>, open: boolean) => {
  const data = table(3000, (a, b) => 2 * a ** 1.5 + 0.1 * Math.sin(1e3 * b))
  const form = StreamedFit.form(terms, data, new Set(), open)
  const pass = StreamedFit.pass(form, form.values, data)
  pass.add(data)
  const mean = data.y.reduce((sum, value) => sum + value, 0) / data.rows
  const tss = data.y.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { form, found: pass.done()!, target: { rows: data.rows, tss, rounding: 0, a: 3 } }
}

describe("the number inside of a term", () => {
  const power = [Term.pow(x0, Term.constant(1.49))]

  it("is one more column, of a law with an intercept and of one without", () => {
    expect(passed(power, true).found).toMatchObject({ rank: 3, linearRank: 2, further: 1 })
    expect(passed(power, false).found).toMatchObject({ rank: 2, linearRank: 2, further: 1 })
    expect(passed([x0], true).found.further).toBe(0)
    expect(passed([x0], false).found.further).toBe(0)
  })

  it.each([true, false])("is paid for as a coefficient is (with an intercept: %s)", (open) => {
    const { form, found, target } = passed(power, open)
    const exact = StreamedExact.make(
      found,
      StreamedFit.termsAt(form, found.values),
      target,
      Constants.defaults,
    )
    const fit = { ...target, rss: found.all.rss }
    const price = GPrior.logEvidence({ ...fit, rank: 1 }) - GPrior.logEvidence({ ...fit, rank: 2 })
    expect(price).toBeGreaterThan(3)
    expect(exact?.logVolume).toBeCloseTo(-price, 9)
  })
})
