import { expect, it } from "vitest"
import * as Result from "effect/Result"
import type { FittedLaw } from "../../../src/evidence/fitted/FittedLaw.ts"
import * as Noise from "../../../src/evidence/Noise.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Student from "../../../src/numeric/Student.ts"
import * as Prediction from "../../../src/rank/Prediction.ts"

const law = (text: string, changes: Partial<FittedLaw> = {}): FittedLaw => ({
  formula: Result.getOrThrow(parse(text)),
  names: ["a"],
  values: Float64Array.of(2),
  covariance: Float64Array.of(0.01),
  noise: Noise.additive,
  sigma: 0.3,
  freedom: 10,
  ...changes,
})
const rows = { features: ["x"], columns: [Float64Array.of(1, 3)], count: 2 }
const ends = ({ low, high }: Prediction.Interval, i: number) => [low[i]!, high[i]!]

it("has Student quantiles for one law with additive noise", () => {
  const { mean, bands } = Prediction.make([{ law: law("a*x"), probability: 0.7 }], rows, [0.9])
  const t = Student.quantile(0.95, 10)
  expect([...mean]).toEqual([2, 6])
  expect(ends(bands[0]!.credible, 1)[1]).toBeCloseTo(6 + t * 0.3, 9)
  expect(ends(bands[0]!.predictive, 1)[0]).toBeCloseTo(6 - t * Math.hypot(0.3, 0.3), 9)
})

it("is a quantile of the mixture, not an average of quantiles", () => {
  const far = law("a*x + 10", { covariance: Float64Array.of(1e-12) })
  const near = law("a*x", { covariance: Float64Array.of(1e-12) })
  const { bands, mean } = Prediction.make(
    [
      { law: near, probability: 0.5 },
      { law: far, probability: 0.5 },
    ],
    rows,
    [0.9, 0.5],
  )
  expect(mean[0]).toBeCloseTo(7, 12)
  // 5 % of the mixture lie below the 10 % quantile of the nearer law.
  const t = Student.quantile(0.1, 10)
  expect(ends(bands[0]!.predictive, 0)[0]).toBeCloseTo(2 + t * 0.3, 4)
  expect(ends(bands[0]!.predictive, 0)[1]).toBeCloseTo(12 - t * 0.3, 4)
})

it("multiplies for noise on logarithms, on either side of 0", () => {
  for (const [text, sign] of [
    ["a*x", 1],
    ["-a*x", -1],
  ] as const) {
    const one = law(text, { noise: Noise.logarithmic, covariance: Float64Array.of(0) })
    const { bands } = Prediction.make([{ law: one, probability: 1 }], rows, [0.8])
    const factor = Math.exp(0.3 * Student.quantile(0.9, 10))
    const magnitudes = ends(bands[0]!.predictive, 0)
      .map((end) => end * sign)
      .sort((a, b) => a - b)
    expect(magnitudes[0]).toBeCloseTo(2 / factor, 9)
    expect(magnitudes[1]).toBeCloseTo(2 * factor, 9)
  }
})

it("follows the law in proportional noise, and known errors of new rows", () => {
  const one = law("a*x", { noise: Noise.proportional, covariance: Float64Array.of(0) })
  const of = Prediction.make([{ law: one, probability: 1 }], rows, [0.8])
  const t = Student.quantile(0.9, 10)
  expect(of.bands[0]!.predictive.high[1]).toBeCloseTo(6 + t * 0.3 * 6, 9)
  const known = Prediction.make(
    [{ law: law("a*x", { covariance: Float64Array.of(0) }), probability: 1 }],
    {
      ...rows,
      errors: Float64Array.of(1, 5),
    },
    [0.8],
  )
  expect(known.bands[0]!.predictive.high[1]).toBeCloseTo(6 + t * 0.3 * 5, 9)
})

it("has heavy tails where the noise has, wider for an uncertain value", () => {
  const heavy = (variance: number) =>
    Prediction.make(
      [{ law: law("a*x", { noise: Noise.heavy, covariance: Float64Array.of(variance) }), probability: 1 }],
      rows,
      [0.9],
    ).bands[0]!.predictive.high[0]!
  expect(heavy(0)).toBeCloseTo(2 + 0.3 * Student.quantile(0.95, 4), 6)
  expect(heavy(0.09)).toBeGreaterThan(heavy(0) + 0.1)
})

it("predicts a row by the laws that are defined there, and by none as NaN", () => {
  const { mean, bands } = Prediction.make(
    [
      { law: law("log(x - a)"), probability: 0.9 },
      { law: law("a*sqrt(x - 2)"), probability: 0.1 },
    ],
    { ...rows, columns: [Float64Array.of(1, 2)] },
    [0.5],
  )
  expect(mean[0]).toBeNaN()
  expect(bands[0]!.credible.low[0]).toBeNaN()
  expect(mean[1]).toBe(0)
})

it("leaves laws out that hold a ten-thousandth together", () => {
  const kept = Prediction.leading([{ probability: 1e-6 }, { probability: 0.6 }, { probability: 0.39999 }])
  expect(kept.map(({ probability }) => probability)).toEqual([0.6, 0.39999])
})

it.each([
  ["additive noise", Noise.additive, 2],
  ["noise in proportion", Noise.proportional, 2],
  ["heavy tails", Noise.heavy, 2],
  ["noise on logarithms", Noise.logarithmic, 2],
  ["noise on logarithms of negative values", Noise.logarithmic, -2],
])("has a density whose integral over a band is its level: %s", (_, noise, value) => {
  const one = law("a*x", { noise, values: Float64Array.of(value) })
  const [band] = Prediction.make([{ law: one, probability: 1 }], rows, [0.9]).bands
  const steps = 4000
  ;[0, 1].forEach((row) => {
    const [low, high] = ends(band!.predictive, row) as [number, number]
    const width = (high - low) / steps
    let integral = 0
    for (let k = 0; k < steps; k++) {
      const y = low + (k + 0.5) * width
      integral += width * Math.exp(Prediction.logDensity(one, rows, [y, y])[row]!)
    }
    expect(integral).toBeCloseTo(0.9, 4)
  })
})
