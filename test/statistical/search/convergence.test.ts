import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Fit from "../../../src/infer/Fit.ts"
import * as Law from "../../../src/models/law.ts"
import * as Rng from "../../../src/random/Rng.ts"

/** A decay and a wave: the best single terms are no terms of this law, and restarts that all begin with them agree on another one. */
const law = (t: number): number => 2 * Math.exp(-0.83 * t) + 1.3 * Math.sin(2.7 * t + 0.4)

/** A fit of 100 rows, and its largest distance from the law over their range, by the averaged prediction. */
const fit = async (seed: number, noise: number, effort: number) => {
  const random = Rng.generator(Rng.fold(Rng.key(seed), "wave"))
  const X = Array.from({ length: 100 }, () => [5 * random.next()])
  const y = X.map(([t]) => law(t!) + noise * random.normal())
  const found = await Effect.runPromise(
    Law.fit(
      { X, y },
      {
        operators: ["add", "mul", "exp", "sin"],
        effort,
        workers: 1,
        search: { patience: 60 },
      },
    ).pipe(Effect.provide(Fit.seed(seed))),
  )
  const times = Array.from({ length: 101 }, (_, i) => i / 20)
  const predicted = found.predict(times.map((t) => [t]))
  return {
    converged: found.posterior.stopReason === "converged",
    probability: found.best.probability!,
    right: times.every((t, i) => Math.abs(predicted[i]! - law(t)) < 0.02),
  }
}

describe("a search of a decay and a wave", () => {
  // A search that is stated above 0.9, or that converges, has to have the law. Where one such search in 300 has not, this fails for
  // 3 of 300 choices of seeds; with these seeds it is deterministic.
  it("does not converge on another law, and does not state one above 0.9", async () => {
    const fits = []
    for (const [seed, noise] of [
      [3, 0.01],
      [5, 0.01],
      [0, 0],
    ] as const)
      fits.push(await fit(seed, noise, 700_000))
    for (const { converged, probability, right } of fits)
      if (converged || probability > 0.9) expect(right).toBe(true)
    expect(fits.filter(({ right }) => right).length).toBeGreaterThanOrEqual(2)
    expect(fits.filter(({ converged }) => converged).length).toBeGreaterThanOrEqual(2)
  }, 600_000)

  it("that is cut off before it has seen the law does not state what it has", async () => {
    const { right, converged, probability } = await fit(0, 0.01, 15_000)
    expect([right, converged]).toEqual([false, false])
    expect(probability).toBeLessThan(0.5)
  }, 300_000)
})

describe("a search of Antoine's law", () => {
  // With sums on the scale of y before any other, forms of log y were never looked at, and four of five seeds ended at a power of x + c.
  // Where one search in 100 misses the law, this fails for 2 of 100 choices of seeds; with these it is deterministic.
  it.each([1, 3])(
    "finds the constant inside of its term under log y, seed %d",
    async (seed) => {
      const random = Rng.generator(Rng.fold(Rng.key(seed), "vapour"))
      const X = Array.from({ length: 19 }, (_, i) => [20 * i])
      const y = X.map(([t]) => Math.exp(18 - 6900 / (t! + 262)) * Math.exp(0.01 * random.normal()))
      const found = await Effect.runPromise(
        Law.fit({ X, y }, { effort: 500_000, workers: 1 }).pipe(Effect.provide(Fit.seed(seed))),
      )
      const predicted = found.predict(X)
      X.forEach(([t], i) => expect(Math.log(predicted[i]!) - (18 - 6900 / (t! + 262))).toBeCloseTo(0, 1))
      const beyond = found.predict([[500]])[0]!
      expect(Math.log(beyond) - (18 - 6900 / 762)).toBeCloseTo(0, 1)
    },
    300_000,
  )
})
