// A search over columns that have units: the laws that it keeps have the unit of the target, and it does not lose these.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { infix } from "../../../src/expr/text/infix.ts"
import * as Units from "../../../src/expr/Units.ts"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as Rng from "../../../src/random/Rng.ts"

const units = { q: "C", a: "m s^-2", eps: "F m^-1", c: "m s^-1", P: "W" }
const features = ["q", "a", "eps", "c"]

/** The power that a charge radiates (Larmor), with noise that is a share of the standard deviation. */
const table = (share: number) => {
  const generator = Rng.generator(Rng.key(4))
  const X = Array.from({ length: 400 }, () => features.map(() => 1 + 4 * generator.next()))
  const power = X.map(([q = 0, a = 0, eps = 0, c = 0]) => (q * a) ** 2 / (6 * Math.PI * eps * c ** 3))
  const mean = power.reduce((sum, one) => sum + one, 0) / X.length
  const deviation = Math.sqrt(power.reduce((sum, one) => sum + (one - mean) ** 2, 0) / X.length)
  return { X, y: power.map((one) => one + share * deviation * generator.normal()), features, target: "P" }
}

const fit = (share: number, numbers: "dimensionless" | "either") =>
  Effect.runPromise(
    Law.fit(table(share), {
      units: Units.of(units, { numbers }),
      effort: 40_000,
      workers: 1,
      testFraction: 0,
      search: { library: 1500 },
    }).pipe(Effect.provide(Fit.seed(1))),
  )

describe("a search in units", () => {
  it("keeps a law that is larger than columns are alone when its library is full, and in further restarts", async () => {
    for (const share of [0.001, 0.1]) {
      const { best, posterior } = await fit(share, "dimensionless")
      expect(infix(best.expression)).toMatch(/a\^2\*q\^2\/\(?.*c\^3\*eps/)
      expect(posterior.archive.ensembles.length).toBeGreaterThan(0)
    }
  }, 120_000)

  it("finds it where numbers may have units, too", async () => {
    const { best } = await fit(0.001, "either")
    expect(infix(best.expression)).toBe("a^2*q^2/(6*pi*c^3*eps)")
  }, 120_000)
})
