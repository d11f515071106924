import { describe, expect, it } from "vitest"
import { integrate, standardNormal } from "../../../src/numeric/quadrature.ts"
import { lgamma, digamma } from "../../../src/numeric/Special.ts"

const fine = { step: 0.25, negligible: 42 }

describe("the trapezoidal rule over a line", () => {
  it("integrates a normal density, from any start on its hill", () => {
    for (const start of [-4, 0.3, 5]) {
      const { log, means } = integrate((t) => -0.5 * (t - 0.3) ** 2, start, fine, [
        (t) => t,
        (t) => (t - 0.3) ** 2,
      ])
      expect(log).toBeCloseTo(0.5 * Math.log(2 * Math.PI), 13)
      expect(means[0]).toBeCloseTo(0.3, 13)
      expect(means[1]).toBeCloseTo(1, 12)
    }
  })

  it("has the closed forms of gamma integrals in t = log x: exp(a t - exp(t))", () => {
    for (const a of [0.5, 1, 3, 40]) {
      const { log, means } = integrate(
        (t) => a * t - Math.exp(t),
        Math.log(a),
        { ...fine, step: 0.25 / Math.sqrt(1 + a) },
        [(t) => t, Math.exp],
      )
      expect(Math.abs(log - lgamma(a))).toBeLessThan(1e-11 * (1 + Math.abs(lgamma(a))))
      expect(means[0]).toBeCloseTo(digamma(a), 10)
      expect(means[1]! / a).toBeCloseTo(1, 11)
    }
  })

  it("errs by no more than its bound: sech(t), analytic for |Im t| < pi / 2, whose integral is pi", () => {
    const height = (t: number): number => -Math.log(Math.cosh(t))
    const errors = [2, 1, 0.5].map(
      (step) => Math.exp(integrate(height, 0, { step, negligible: 60 }, []).log) - Math.PI,
    )
    errors.forEach((error, i) => {
      const step = [2, 1, 0.5][i]!
      // The exact error of the rule for sech: 2 pi sum_k sech(pi^2 k / step).
      const exact =
        (2 * Math.PI) / Math.cosh(Math.PI ** 2 / step) + (2 * Math.PI) / Math.cosh((2 * Math.PI ** 2) / step)
      expect(Math.abs(error / exact - 1)).toBeLessThan(1e-3)
    })
  })

  it("does not overflow where the integrand does", () => {
    const { log, means } = integrate((t) => 5000 - 0.5 * t * t, 3, fine, [(t) => t * t])
    expect(log).toBeCloseTo(5000 + 0.5 * Math.log(2 * Math.PI), 10)
    expect(means[0]).toBeCloseTo(1, 12)
  })
})

describe("expectations over a standard normal number", () => {
  it("have its moments, and the cosine's", () => {
    const nodes = standardNormal(0.4, 15)
    const mean = (f: (z: number) => number): number =>
      nodes.reduce((sum, { node, weight }) => sum + weight * f(node), 0)
    expect(mean(() => 1)).toBeCloseTo(1, 8)
    expect(mean((z) => z)).toBeCloseTo(0, 14)
    expect(mean((z) => z ** 4)).toBeCloseTo(3, 5)
    expect(mean((z) => Math.cos(2 * z))).toBeCloseTo(Math.exp(-2), 8)
  })
})
