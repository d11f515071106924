import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type * as Data from "../../../src/data/Data.ts"
import * as FittedLaw from "../../../src/evidence/fitted/FittedLaw.ts"
import { additive } from "../../../src/evidence/Noise.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as GaussNewton from "../../../src/numeric/GaussNewton.ts"
import { dot } from "../../../src/numeric/orthogonal.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Calibration from "../../../src/testing/calibration.ts"
import { numberPlaces } from "../../../src/testing/numberPlaces.ts"

const count = 25
const x = Float64Array.from({ length: count }, (_, i) => 0.2 * (i + 1))
const mean = x.map((at) => 2.5123 * Math.exp(-0.7123 * at) + 0.3123)
const table = (y: Float64Array): Data.Dataset => ({
  features: ["x"],
  columns: [x],
  target: "y",
  y,
  rows: count,
})
const form = FittedLaw.numbered(Result.getOrThrow(parse("2.5123*exp(-0.7123*x) + 0.3123")), ["x"])

/** Least squares, with the covariance of its numbers. */
const fit = (y: Float64Array): FittedLaw.FittedLaw => {
  const found = GaussNewton.minimise(
    {
      at: (values) => {
        const rows = FittedLaw.rows({ ...form, values }, ["x"], [x], count)
        return { values, slopes: rows.slopes, residual: y.map((value, i) => value - rows.mean[i]!) }
      },
      loss: ({ residual }) => dot(residual, residual),
      model: ({ slopes, residual }) => GaussNewton.linearised(slopes, residual),
    },
    form.values,
    { most: 50, enough: ({ residual }) => 1e-12 * dot(residual, residual) },
  )
  return FittedLaw.make({ ...form, values: found!.x }, table(y), { noise: additive })
}

const random = Rng.generator(Rng.key(7))
const fits = Array.from({ length: 400 }, () => fit(mean.map((value) => value + 0.01 * random.normal())))
const bold = (law: FittedLaw.FittedLaw): FittedLaw.FittedLaw => ({
  ...law,
  covariance: law.covariance.map((value) => value / 4),
})
/** The p-values of the test that places are uniform, one for each of three numbers. */
const pValues = (laws: ReadonlyArray<FittedLaw.FittedLaw>): ReadonlyArray<number> => {
  const places = laws.map((law) => numberPlaces(law, table(mean))!)
  return [0, 1, 2].map((j) => Calibration.places(places.map((place) => place[j]!)).uniform.pValue)
}

describe("the places of true numbers in their posterior", () => {
  it("are uniform for least squares, failure rate 3e-4", () => {
    for (const p of pValues(fits)) expect(p).toBeGreaterThan(1e-4)
  })

  it("are not where standard errors are too small by half", () => {
    for (const p of pValues(fits.map(bold))) expect(p).toBeLessThan(1e-4)
  })

  it("are not there for a law of another form", () => {
    expect(numberPlaces(fits[0]!, table(x.map(Math.sqrt)))).toBeUndefined()
  })
})
