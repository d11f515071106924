import { describe, expect, it } from "vitest"
import * as Calibration from "../../../src/testing/calibration.ts"
import * as Rng from "../../../src/random/Rng.ts"

const statements = (
  truth: (stated: number) => number,
  count = 4000,
): ReadonlyArray<Calibration.Statement> => {
  const random = Rng.generator(Rng.fold(Rng.key(1), "statements"))
  return Array.from({ length: count }, () => {
    const probability = random.next()
    return { probability, right: random.next() < truth(probability) }
  })
}

describe("calibration", () => {
  it("has the exact interval of a binomial probability", () => {
    // SciPy: binomtest(7, 20).proportion_ci(), and the closed forms at the ends.
    const [low, high] = Calibration.interval(7, 20)
    expect(low).toBeCloseTo(0.1539, 4)
    expect(high).toBeCloseTo(0.5922, 4)
    expect(Calibration.interval(0, 10)[1]).toBeCloseTo(1 - 0.025 ** 0.1, 10)
    expect(Calibration.interval(10, 10)[0]).toBeCloseTo(0.025 ** 0.1, 10)
    expect(Calibration.interval(0, 0)).toEqual([0, 1])
  })

  it("finds no error where probabilities are right, and that of bold ones", () => {
    expect(Calibration.diagram(statements((p) => p)).error).toBeLessThan(0.04)
    // |p - p^3| has the mean 1/4.
    expect(Calibration.diagram(statements((p) => p ** 3)).error).toBeCloseTo(0.25, 1)
  })

  it("knows the error of right probabilities by chance", () => {
    const errors = Array.from({ length: 40 }, (_, part) =>
      Calibration.diagram(statements((p) => p).slice(100 * part, 100 * (part + 1))),
    )
    const mean = (of: (one: Calibration.Diagram) => number): number =>
      errors.reduce((sum, one) => sum + of(one), 0) / errors.length
    expect(mean(({ error }) => error)).toBeCloseTo(
      mean(({ chance }) => chance),
      1,
    )
  })

  it("counts statements above 0.99 that are wrong", () => {
    const { sure, sureWrong, bins } = Calibration.diagram([
      { probability: 1, right: false },
      { probability: 0.995, right: true },
      { probability: 0.99, right: false },
      { probability: 0, right: false },
    ])
    expect([sure, sureWrong]).toEqual([2, 1])
    expect(bins.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 3])
  })

  it("places of the truth are uniform for a right posterior, and not for a bold one; failure rate 1e-4", () => {
    const random = Rng.generator(Rng.fold(Rng.key(2), "places"))
    const draw = (power: number): number => {
      const prior = [0.5, 0.3, 0.2].map((share) => share * (0.1 + random.next()))
      const of = (by: number): ReadonlyArray<number> => {
        const raised = prior.map((share) => share ** by)
        const total = raised.reduce((sum, share) => sum + share, 0)
        return raised.map((share) => share / total)
      }
      let left = random.next()
      const truth = of(1).findIndex((share) => (left -= share) < 0)
      return Calibration.place(of(power), truth, random.next())
    }
    const test = (power: number): number =>
      Calibration.places(Array.from({ length: 2000 }, () => draw(power))).uniform.pValue
    expect(test(1)).toBeGreaterThan(1e-4)
    expect(test(4)).toBeLessThan(1e-4)
  })
})
