import * as Term from "../../../../src/expr/Term.ts"
import { describe, expect, it } from "vitest"
import type { Dataset } from "../../../../src/data/Data.ts"
import * as FittedLaw from "../../../../src/evidence/fitted/FittedLaw.ts"
import { additive } from "../../../../src/evidence/Noise.ts"
import * as Document from "../../../../src/report/Document.ts"
import * as Record from "../../../../src/report/Record.ts"
import * as Values from "../../../../src/report/html/Values.ts"
import { fitted, ranked } from "../../../support/cli.ts"

const rows = 9
const x = Float64Array.from({ length: rows }, (_, i) => i + 1)
const z = Float64Array.from({ length: rows }, (_, i) => (i * i) % 7)
const y = Float64Array.from({ length: rows }, (_, i) => 2.5 * x[i]! + z[i]! + 0.1 * (-1) ** i)
const data: Dataset = { features: ["x", "z"], columns: [x, z], target: "y", y, rows }
const term = Term.add(Term.mul(2.5, Term.variable("x")), Term.variable("z"))

const valuesOf = (law: FittedLaw.FittedLaw | undefined, more: Partial<Dataset> = {}, error?: string) => {
  const own = { ...data, ...more }
  const document = Document.make(
    fitted(own, { models: [ranked(own, { expression: term, law: () => law })] }),
    "y",
  )!
  const record = Record.make(
    {
      program: "",
      command: [],
      name: "",
      data: own,
      testFraction: 0,
      roles: Record.rolesOf({ error, weights: undefined, group: undefined }),
      group: undefined,
      units: {},
      trace: undefined,
    },
    document,
  )
  return Values.make(document, record, [])
}

const predicted = Float64Array.from(x, (value, i) => 2.5 * value + z[i]!)

describe("the laws over the rows of a record", () => {
  const law = FittedLaw.make({ formula: term, names: [], values: new Float64Array() }, data, {
    noise: additive,
  })

  it("are the law's own values, with residuals in standard deviations", () => {
    const values = valuesOf(law)
    expect(values.law).toEqual(predicted)
    expect(values.standard).toBe(true)
    // Nine residuals of 0.1 in size, and no fitted number.
    values.residuals.forEach((residual, i) => expect(residual).toBeCloseTo((-1) ** i, 10))
    expect(values.read.toSorted()).toEqual(["x", "z"])
  })

  it("have residuals in the units of the data where there is no noise scale", () => {
    const values = valuesOf(undefined)
    expect(values.standard).toBe(false)
    values.residuals.forEach((residual, i) => expect(residual).toBeCloseTo(0.1 * (-1) ** i, 10))
    expect(values.predictOn(values.rows)).toBeUndefined()
  })

  it("count known errors of the rows", () => {
    const errors = Float64Array.from(x, (_, i) => (i % 2 === 0 ? 1 : 2))
    const values = valuesOf(law, { features: ["x", "z", "s"], columns: [x, z, errors] }, "s")
    values.residuals.forEach((residual, i) => expect(residual).toBeCloseTo((-1) ** i / errors[i]!, 10))
  })

  it("move observations with their residuals: by differences, or by ratios where noise is in proportion", () => {
    expect(valuesOf(law).moved(5, 4, 10)).toBe(11)
    const proportional = { ...law, noise: { ...law.noise, deviation: Term.variable("mu") } }
    expect(valuesOf(proportional).moved(5, 4, 10)).toBe(12.5)
  })

  it("have bands with the observations inside, as predictions have them", () => {
    const values = valuesOf(law)
    const band = values.predictOn(values.rows)!.bands[0]!
    // Normal noise with sigma 0.1 and nine degrees of freedom: 1.8331 is the quantile of t.
    band.predictive.high.forEach((high, i) => expect(high - predicted[i]!).toBeCloseTo(0.18331, 5))
  })
})
