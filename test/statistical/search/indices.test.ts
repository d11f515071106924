import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scalarFunction } from "../../../src/expr/evaluate.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as KnownForms from "../../../src/prob/KnownForms.ts"
import * as Rng from "../../../src/random/Rng.ts"

// Functions of an index, in SI units and with noise, and small expressions times a function of one column. Fixed seeds, without the forms of named laws.

/** Values between two bounds, evenly, or by their logarithms. */
type Range = readonly [low: number, high: number, logarithmic?: "log"]

interface Case {
  readonly name: string
  readonly ranges: Readonly<Record<string, Range>>
  readonly law: (...x: ReadonlyArray<number>) => number
  /** standard deviation of the noise, relative to each value or to the standard deviation of all */
  readonly noise: number
  readonly isRelative: boolean
  /** 2,000,000 by default */
  readonly effort?: number
}

const [k, c, h] = [1.380649e-23, 2.99792458e8, 6.62607015e-34]
const cases: ReadonlyArray<Case> = [
  {
    name: "an occupation, whose index has both signs",
    ranges: { E: [0, 3e-19], mu: [1e-19, 2e-19], T: [300, 9000] },
    law: (E, mu, T) => 1 / (Math.exp((E - mu) / (k * T)) + 1),
    noise: 0.01,
    isRelative: false,
  },
  {
    name: "a mean energy over four decades",
    ranges: { nu: [1e13, 1e15, "log"], T: [1000, 8000] },
    law: (nu, T) => (h * nu) / (Math.exp((h * nu) / (k * T)) - 1),
    noise: 0.01,
    isRelative: true,
  },
  {
    name: "a kinetic energy, whose speed has a limit",
    ranges: { m: [1e-30, 1e-26, "log"], v: [1e7, 2.9e8] },
    law: (m, v) => m * c ** 2 * (1 / Math.sqrt(1 - (v / c) ** 2) - 1),
    noise: 0.01,
    isRelative: true,
  },
  {
    name: "a sum times a function of another column, which is a wave over it",
    ranges: { I1: [1, 5], I2: [1, 5], d: [0.1, 3] },
    law: (I1, I2, d) => (I1 + I2) * (Math.sin(3 * d) / d) ** 2,
    noise: 0.01,
    isRelative: false,
    effort: 800_000,
  },
  {
    name: "a ratio times a wave that decays",
    ranges: { a: [1, 4], b: [1, 4], t: [0, 5] },
    law: (a, b, t) => ((a + b) / a) * Math.exp(-0.4 * t) * Math.cos(3.1 * t),
    noise: 0.01,
    isRelative: false,
    effort: 800_000,
  },
  {
    name: "a sum times the root of a rational function, near 0 on some rows",
    ranges: { m1: [1, 4], m2: [1, 4], w: [0.1, 3] },
    law: (m1, m2, w) => ((m1 + m2) * w ** 2) / Math.sqrt((1 - w ** 2) ** 2 + (0.3 * w) ** 2),
    noise: 0.01,
    isRelative: false,
    effort: 800_000,
  },
]

describe("a function of an index", () => {
  it.live.each(cases.map((one) => [one.name, one] as const))(
    "is found: %s",
    ([, { ranges, law, noise, isRelative, effort = 2_000_000 }]) =>
      Effect.gen(function* () {
        const draws = Rng.generator(Rng.key(4))
        const features = Object.keys(ranges)
        const row = (): ReadonlyArray<number> =>
          Object.values(ranges).map(([low, high, logarithmic]) =>
            logarithmic === undefined
              ? low + (high - low) * draws.next()
              : low * (high / low) ** draws.next(),
          )
        const rows = (count: number) => Array.from({ length: count }, row)
        const [X, unseen] = [rows(200), rows(100)]
        const exact = X.map((one) => law(...one))
        const mean = exact.reduce((sum, value) => sum + value, 0) / X.length
        const deviation = Math.sqrt(exact.reduce((sum, value) => sum + (value - mean) ** 2, 0) / X.length)
        const y = exact.map((value) => value + noise * (isRelative ? value : deviation) * draws.normal())
        const fit = yield* Law.fit({ X, y, features }, { effort, workers: 1, known: KnownForms.none }).pipe(
          Effect.provideService(Fit.Seed, 1),
        )
        const predict = scalarFunction(fit.best.expression, features)
        // Within two standard deviations of the noise, on rows that were not seen: another form is farther from the law somewhere.
        const errors = unseen.map((one) => Math.abs(predict(one) - law(...one)))
        const scales = unseen.map((one) => (isRelative ? law(...one) : deviation))
        expect(Math.max(...errors.map((error, i) => error / scales[i]!))).toBeLessThan(2 * noise)
      }),
    120_000,
  )
})
