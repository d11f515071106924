import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Noise from "../../../src/evidence/Noise.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Law from "../../../src/models/law.ts"
import * as Magnitude from "../../../src/models/Magnitude.ts"
import * as Rng from "../../../src/random/Rng.ts"
import { dataset } from "../../support/selected.ts"

const random = Rng.generator(Rng.key(31))
const rows = 60
const a = Float64Array.from({ length: rows }, () => 1 + 4 * random.next())
const b = Float64Array.from({ length: rows }, () => 1 + 4 * random.next())
const y = a.map((value, i) => ((3.17 * value) / b[i]!) * (1 + 0.01 * random.normal()))

const options = { operators: ["mul", "div", "exp"], trees: 1, depth: 3, effort: 100_000, workers: 1 } as const

describe("the units of a fit", () => {
  it("are those of the data for ordinary values", () => {
    const data = dataset({ a, b }, y)
    const units = Magnitude.of(data, undefined)
    expect(units).toBe(Magnitude.asIs)
    expect(units.divided(data)).toBe(data)
  })

  it("leave weights as they are, and divide errors with the target", () => {
    const weights = a.map((value) => 1e200 * value)
    const data = dataset(
      { a, errors: b.map((value) => 1e-180 * value), weights },
      y.map((value) => 1e-180 * value),
    )
    const { columns, y: own } = Magnitude.of(
      data,
      Noise.latent({ error: "errors", weights: "weights" }),
    ).divided(data)
    expect(columns[0]).toBe(data.columns[0])
    expect(columns[2]).toBe(data.columns[2])
    own.forEach((value, i) => {
      expect(value / y[i]!).toBeCloseTo(own[0]! / y[0]!, 12)
      expect(columns[1]![i]! / b[i]!).toBeCloseTo(own[0]! / y[0]!, 12)
    })
  })

  it.live(
    "change no law and no evidence but for the Jacobian",
    () =>
      Effect.gen(function* () {
        const plain = yield* Law.fit(dataset({ a, b }, y), options)
        const scaled = yield* Law.fit(
          dataset(
            { a: a.map((value) => 1e180 * value), b: b.map((value) => 1e-110 * value) },
            y.map((value) => 1e290 * value),
          ),
          options,
        )
        expect(infix(plain.best.expression, { precision: 2 })).toBe("3.2*a/b")
        expect(infix(scaled.best.expression, { precision: 2 })).toBe("3.2*a/b")
        const { best } = scaled
        expect(best.logEvidence - plain.best.logEvidence).toBeCloseTo(-rows * 290 * Math.LN10, 3)
        expect(best.rmseTrain / plain.best.rmseTrain / 1e290).toBeCloseTo(1, 6)
        expect(best.noise?.sigma).toBeCloseTo(plain.best.noise!.sigma, 6)
        expect(scaled.predict([[2e180, 3e-110]])[0]! / 1e290).toBeCloseTo(plain.predict([[2, 3]])[0]!, 6)
        const residuals = best.residuals()
        plain.best.residuals().forEach((value, i) => expect(residuals[i]! / 1e290).toBeCloseTo(value, 6))
      }),
    120_000,
  )

  it.live(
    "reach as far as float64 does",
    () =>
      Effect.gen(function* () {
        const x = Float64Array.from({ length: rows }, (_, i) => i / 6)
        const data = dataset(
          { x },
          x.map((value) => Math.exp(50 * value)),
        )
        const { best } = yield* Law.fit(data, { effort: 250_000, workers: 1 })
        const law = scalarFunction(best.expression, ["x"])
        x.forEach((value, i) => expect(law([value]) / data.y[i]!).toBeCloseTo(1, 6))
      }),
    120_000,
  )
})
