import { describe, expect, it } from "vitest"
import { integrate, nodes, standardNormal } from "../../../src/numeric/quadrature.ts"
import { lgamma, digamma } from "../../../src/numeric/Special.ts"
import * as Substitution from "../../../src/numeric/substitution.ts"

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

describe("the trapezoidal rule under a substitution", () => {
  const integral = (
    substitution: Substitution.Substitution,
    [step, count]: readonly [number, number],
    f: (x: number) => number,
  ): number => {
    const { points, logWeights } = nodes(substitution, step, count)
    return points.reduce((sum, x, i) => sum + Math.exp(logWeights[i]!) * f(x), 0)
  }
  const { doubleExponential, exponential, line, logistic, sinh } = Substitution

  it("has the gamma function on the positive numbers: x^(a - 1) e^-x", () => {
    for (const a of [0.5, 1, 3.5]) {
      const f = (x: number): number => x ** (a - 1) * Math.exp(-x)
      expect(integral(exponential, [1 / 8, 640], f)).toBeCloseTo(Math.exp(lgamma(a)), 11)
      expect(integral(doubleExponential(exponential), [1 / 32, 160], f)).toBeCloseTo(Math.exp(lgamma(a)), 11)
    }
  })

  it("has the beta function on an interval, with ends of infinite slope", () => {
    const [low, high, a, b] = [-1, 3, 1.5, 2.5]
    const beta = Math.exp(lgamma(a) + lgamma(b) - lgamma(a + b))
    const f = (x: number): number => (x - low) ** (a - 1) * (high - x) ** (b - 1)
    expect(integral(logistic(low, high), [1 / 8, 256], f)).toBeCloseTo((high - low) ** (a + b - 1) * beta, 10)
    expect(integral(doubleExponential(logistic(0, 1)), [1 / 32, 96], (x) => x * (1 - x))).toBeCloseTo(
      1 / 6,
      12,
    )
  })

  it("has the normal integral and the heavy tail of Cauchy's density on the line", () => {
    const normal = (x: number): number => Math.exp(-0.5 * ((x - 2) / 3) ** 2) / (3 * Math.sqrt(2 * Math.PI))
    const cauchy = (x: number): number => 1 / (Math.PI * (1 + (x - 2) ** 2))
    expect(integral(line(2, 3), [1 / 4, 40], normal)).toBeCloseTo(1, 13)
    expect(integral(sinh(2, 3), [1 / 16, 80], normal)).toBeCloseTo(1, 13)
    expect(integral(doubleExponential(sinh(2, 1)), [1 / 64, 256], cauchy)).toBeCloseTo(1, 12)
  })

  it("has slopes that are the derivatives of its points", () => {
    const after = Substitution.after(logistic(-2, 5), sinh(0.3, 2))
    for (const one of [
      line(1, 4),
      sinh(-1, 0.5),
      exponential,
      logistic(-2, 5),
      doubleExponential(exponential),
      after,
    ])
      for (const t of [-1.5, -0.2, 0, 0.7, 1.6]) {
        const slope = (one.x(t + 1e-5) - one.x(t - 1e-5)) / 2e-5
        expect(Math.exp(one.logSlope(t)) / slope).toBeCloseTo(1, 6)
      }
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
