import { expect, it } from "vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as FittedLaw from "../../../src/evidence/fitted/FittedLaw.ts"
import * as Noise from "../../../src/evidence/Noise.ts"
import { parse } from "../../../src/expr/text/parse.ts"
import * as Term from "../../../src/expr/Term.ts"
import * as Prediction from "../../../src/rank/Prediction.ts"
import * as LawDocument from "../../../src/report/LawDocument.ts"

const law: FittedLaw.FittedLaw = {
  formula: Result.getOrThrow(parse("a*`mass (kg)`^b + pi")),
  names: ["a", "b"],
  values: Float64Array.of(2.1, 1.5000000000000002),
  covariance: Float64Array.of(0.01, -0.002, -0.002, 0.003),
  noise: Noise.proportional,
  sigma: 0.05,
  freedom: 12,
}

it("predicts the same after it was written and read", () => {
  const json = JSON.stringify(LawDocument.of(law))
  const read = Schema.decodeUnknownSync(Schema.fromJsonString(LawDocument.Law))(json)
  const again = Result.getOrThrow(LawDocument.read(read))
  expect(Term.equals(again.formula, law.formula)).toBe(true)
  const rows = { features: ["mass (kg)"], columns: [Float64Array.of(0, 1, 7)], count: 3 }
  const of = (one: FittedLaw.FittedLaw) => Prediction.make([{ law: one, probability: 1 }], rows, [0.5, 0.95])
  expect(of(again)).toEqual(of(law))
})

it.each([
  ["heavy", Noise.heavy],
  ["log", Noise.logarithmic],
] as const)("keeps the kind of noise: %s", (_, noise) => {
  const again = Result.getOrThrow(LawDocument.read(LawDocument.of({ ...law, noise })!))
  expect(again.noise).toEqual({
    deviation: noise.deviation,
    residual: noise.residual,
    degrees: noise.degrees,
  })
})

it("is nothing where numbers are not determined", () => {
  expect(LawDocument.of({ ...law, covariance: Float64Array.of(1, 0, 0, Infinity) })).toBeNull()
  expect(LawDocument.of(undefined)).toBeNull()
})
