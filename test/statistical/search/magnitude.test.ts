import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as Rng from "../../../src/random/Rng.ts"

// Laws in SI units, without noise and with relative errors. Fixed seeds: each is found.

/** Magnitudes between two bounds, evenly by their logarithms. */
type Range = readonly [low: number, high: number]

interface Case {
  readonly name: string
  readonly ranges: Readonly<Record<string, Range>>
  readonly law: (...x: ReadonlyArray<number>) => number
}

const h = 6.62607015e-34
const cases: ReadonlyArray<Case> = [
  {
    name: "Newton's law of gravitation",
    ranges: { m: [1e23, 1e25], M: [1e29, 1e31], r: [1e10, 1e12] },
    law: (m, M, r) => (6.674e-11 * m * M) / r ** 2,
  },
  {
    name: "Coulomb's law",
    ranges: { q: [1e-19, 1e-18], Q: [1e-19, 1e-18], r: [1e-10, 1e-8] },
    law: (q, Q, r) => (8.9875e9 * q * Q) / r ** 2,
  },
  {
    name: "Stefan's law",
    ranges: { A: [1e-4, 1e-2], T: [300, 3000] },
    law: (A, T) => 5.670374e-8 * A * T ** 4,
  },
  { name: "Arrhenius' law", ranges: { T: [300, 600] }, law: (T) => 1e13 * Math.exp(-1.2e5 / (8.314 * T)) },
  { name: "de Broglie's law", ranges: { m: [1e-31, 1e-27], v: [1e4, 1e6] }, law: (m, v) => h / (m * v) },
  { name: "photoelectric emission", ranges: { nu: [6e14, 3e15] }, law: (nu) => h * nu - 3.2e-19 },
  { name: "a time stamp", ranges: { t: [1.7e9, 1.7e9 + 1000] }, law: (t) => 3 + 0.02 * (t - 1.7e9) },
  {
    name: "a root of small numbers",
    ranges: { I: [1e-7, 1e-5], J: [1e-7, 1e-5] },
    law: (I, J) => Math.sqrt(I * J),
  },
]

describe("a law in the units of the data", () => {
  it.live.each(cases.map((one) => [one.name, one] as const))(
    "is found: %s",
    ([, { ranges, law }]) =>
      Effect.gen(function* () {
        const draws = Rng.generator(Rng.key(2))
        const features = Object.keys(ranges)
        const X = Array.from({ length: 120 }, () =>
          Object.values(ranges).map(([low, high]) => low * (high / low) ** draws.next()),
        )
        const y = X.map((row) => law(...row))
        const fit = yield* Law.fit({ X, y, features }).pipe(Effect.provideService(Fit.Seed, 1))
        const predict = scalarFunction(fit.best.expression, features)
        const scale = Math.max(...y.map(Math.abs))
        X.forEach((row, i) => expect(Math.abs(predict(row) - y[i]!)).toBeLessThan(1e-7 * scale))
        // That of its trees, before the law is arranged.
        expect(fit.best.complexity).toBeLessThanOrEqual(9)
      }),
    120_000,
  )
})

/** Laws over many decades, with an error of 1 % of each value. */
const noisy: ReadonlyArray<Case> = [
  {
    name: "Newton's law of gravitation",
    ranges: { m: [1e22, 1e27], M: [1e27, 1e31], r: [1e8, 1e12] },
    law: (m, M, r) => (6.674e-11 * m * M) / r ** 2,
  },
  {
    name: "Coulomb's law",
    ranges: { q: [1e-19, 1e-15], Q: [1e-19, 1e-15], r: [1e-10, 1e-6] },
    law: (q, Q, r) => (8.9875e9 * q * Q) / r ** 2,
  },
  {
    name: "Stefan's law",
    ranges: { A: [1e-4, 1e2], T: [3, 3000] },
    law: (A, T) => 5.670374e-8 * A * T ** 4,
  },
  {
    name: "Arrhenius' law over 28 decades",
    ranges: { T: [200, 2000] },
    law: (T) => 1e13 * Math.exp(-1.2e5 / (8.314 * T)),
  },
  {
    name: "Arrhenius' law of many reactions",
    ranges: { A: [1e8, 1e13], E: [2e4, 1.5e5], T: [250, 1500] },
    law: (A, E, T) => A * Math.exp(-E / (8.314 * T)),
  },
  { name: "de Broglie's law", ranges: { m: [1e-31, 1e-26], v: [1e2, 1e7] }, law: (m, v) => h / (m * v) },
]

describe("a law over decades, with relative errors", () => {
  it.live.each(noisy.map((one) => [one.name, one] as const))(
    "is found: %s",
    ([, { ranges, law }]) =>
      Effect.gen(function* () {
        const draws = Rng.generator(Rng.key(7))
        const features = Object.keys(ranges)
        const X = Array.from({ length: 250 }, () =>
          Object.values(ranges).map(([low, high]) => low * (high / low) ** draws.next()),
        )
        const y = X.map((row) => law(...row) * (1 + 0.01 * draws.normal()))
        const fit = yield* Law.fit({ X, y, features }, { effort: 1_000_000 }).pipe(
          Effect.provideService(Fit.Seed, 1),
        )
        const predict = scalarFunction(fit.best.expression, features)
        // Two coefficients from 250 rows are right to a tenth of the noise, and a rate to that of its largest exponent.
        for (const row of X) expect(Math.abs(predict(row) / law(...row) - 1)).toBeLessThan(0.01)
        expect(fit.best.noise?.kind).toBe("proportional")
        // That of its trees, before the law is arranged.
        expect(fit.best.complexity).toBeLessThanOrEqual(9)
      }),
    200_000,
  )
})
