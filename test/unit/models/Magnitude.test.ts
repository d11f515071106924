import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Noise from "../../../src/evidence/Noise.ts"
import * as Term from "../../../src/expr/Term.ts"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Law from "../../../src/models/law.ts"
import * as Link from "../../../src/prob/Link.ts"
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

  it("leave the target where another unit makes the noise another kind", () => {
    const data = dataset(
      { a },
      y.map((value) => 1e-180 * value),
    )
    const floor = Noise.make("a floor", { deviation: (mu) => Term.add(1, Term.abs(mu)) })
    const noise = Noise.latent({ kinds: [{ kind: floor, probability: 1 }] })
    expect(Magnitude.of(data, noise)).toBe(Magnitude.asIs)
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

/** Student's t noise of four degrees of freedom. */
const tailed = (): number => {
  const squares = Array.from({ length: 4 }, () => random.normal() ** 2).reduce((sum, value) => sum + value, 0)
  return random.normal() / Math.sqrt(squares / 4)
}
const counting = Noise.make("counting", { deviation: (mu) => Term.sqrt(Term.abs(mu)) })
const many = 200
const [c, d] = [1, 2].map(() => Float64Array.from({ length: many }, () => 1 + 4 * random.next())) as [
  Float64Array,
  Float64Array,
]
const size = 0.03
/** Kinds of noise with the power of the unit of y that their scale has, and a draw around a value. */
const drawn: ReadonlyArray<readonly [Noise.Kind, number, (mu: number) => number]> = [
  [Noise.additive, 1, (mu) => mu + size * random.normal()],
  [Noise.proportional, 0, (mu) => mu * (1 + size * random.normal())],
  [Noise.logarithmic, 0, (mu) => mu * Math.exp(size * random.normal())],
  [Noise.heavy, 1, (mu) => mu + size * tailed()],
  [counting, 1 / 2, (mu) => mu + size * Math.sqrt(mu) * random.normal()],
]

describe.each(drawn)("another unit of y, under noise that is $name", (kind, power, draw) => {
  const values = c.map((value, i) => draw((3.17 * value) / d[i]!))
  const noise = Noise.latent({ kinds: [{ kind, probability: 1 }] })
  const fitIn = (unit: number) =>
    Law.fit(
      dataset(
        { c, d },
        values.map((value) => unit * value),
      ),
      {
        operators: ["mul", "div"],
        constants: [],
        fitted: "none",
        links: [Link.identity],
        trees: 1,
        depth: 2,
        effort: 500,
        workers: 1,
        noise,
      },
    )

  it.live(
    "changes the law by the unit, its evidence by the Jacobian, and the scale of the noise by its own unit",
    () =>
      Effect.gen(function* () {
        const { best: plain } = yield* fitIn(1)
        expect(plain.noise?.kind).toBe(kind.name)
        expect(plain.noise!.sigma / size).toBeGreaterThan(0.8)
        expect(plain.noise!.sigma / size).toBeLessThan(1.25)
        const law = scalarFunction(plain.expression, ["c", "d"])
        for (const unit of [1e6, 1e-6, 1e150, 1e-150]) {
          const { best } = yield* fitIn(unit)
          const found = scalarFunction(best.expression, ["c", "d"])
          for (const point of [
            [2, 3],
            [4, 1],
          ])
            expect(found(point) / unit / law(point)).toBeCloseTo(1, 6)
          const jacobian = -many * Math.log(unit)
          expect(best.logEvidence - jacobian).toBeCloseTo(plain.logEvidence, 3)
          expect(best.lmpse - jacobian).toBeCloseTo(plain.lmpse, 3)
          expect(best.noise!.sigma / unit ** power / plain.noise!.sigma).toBeCloseTo(1, 6)
          expect(best.sigma2 / unit ** power / unit ** power / plain.sigma2).toBeCloseTo(1, 6)
          expect(best.rmseTrain / unit / plain.rmseTrain).toBeCloseTo(1, 6)
        }
      }),
    120_000,
  )
})
