import { describe, expect, it } from "vitest"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import { leastSquares } from "../../../../src/numeric/leastSquares.ts"
import * as Responses from "../../../../src/evidence/response.ts"
import { combine, type Regression } from "../../../../src/evidence/responseFit.ts"
import * as Restricted from "../../../../src/evidence/exact/restricted.ts"
import { free, refit } from "../../../../src/evidence/exact/restrictedFit.ts"
import * as Link from "../../../../src/prob/Link.ts"
import * as Rng from "../../../../src/random/Rng.ts"

const n = 9
const random = Rng.generator(Rng.key(5))
const [x1, x2, errors] = [0, 1, 2].map(() => Float64Array.from({ length: n }, () => random.normal()))
const ones = new Float64Array(n).fill(1)
const a = 3

const setting = (y: Float64Array, ...columns: ReadonlyArray<Float64Array>) => {
  const regression: Regression = { y, way: undefined, design: [ones, ...columns] }
  const target = GPrior.target(y, { a, resolution: 0 })
  const start = leastSquares(regression.design, y).coefficients
  const { geometry } = free(regression, target, start)!
  return { regression, target, geometry, start }
}

/** Points and weights of the trapezoidal rule on a line. */
const line = (from: number, to: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    at: from + ((to - from) * i) / (count - 1),
    weight: (to - from) / (count - 1),
  }))

const normal = (residuals: Float64Array, sigma: number): number =>
  residuals.reduce((log, r) => log - (r / sigma) ** 2 / 2 - Math.log(sigma) - Math.log(2 * Math.PI) / 2, 0)

const mean = (v: Float64Array): number => v.reduce((sum, value) => sum + value, 0) / v.length
const centred = (v: Float64Array): Float64Array => v.map((value) => value - mean(v))
const dot = (u: Float64Array, v: Float64Array): number => u.reduce((sum, value, i) => sum + value * v[i]!, 0)

/** log of the integral over log sigma and log g of p(sigma^2) p(g) f(sigma, g). */
const overNuisance = (f: (sigma: number, g: number) => number): number => {
  let sum = 0
  for (const { at: s, weight: ds } of line(-5, 4.5, 90))
    for (const { at: t, weight: dt } of line(-7, 22, 120)) {
      const [sigma, g] = [Math.exp(s), Math.exp(t)]
      const p = ((a - 2) / (2 * n)) * (1 + g / n) ** (-a / 2) * g
      // d sigma^2 / sigma^2 = 2 d log sigma
      sum += f(sigma, g) * p * 2 * ds * dt
    }
  return Math.log(sum)
}

const evidence = (
  { target, geometry }: ReturnType<typeof setting>,
  restriction: Restricted.Restriction,
): number => {
  const restricted = Restricted.restrict(target, geometry, restriction)!
  return restricted.logEvidence(restricted.rss).log
}

describe("the evidence of a restricted linear model", () => {
  const y = x1!.map((value, i) => 0.3 + 1.2 * value + 0.5 * errors![i]!)
  const two = x1!.map((value, i) => 0.4 + 1.2 * value + 2.3 * x2![i]! + 0.5 * errors![i]!)
  const height = (of: Float64Array): number => 1 / Math.sqrt(dot(centred(of), centred(of)) / n)

  it("is that of the free model when nothing is known", () => {
    const one = setting(two, x1!, x2!)
    const unit = [0, 1, 2].map((k) => Float64Array.from([0, 1, 2], (j) => (j === k ? 1 : 0)))
    const { rss } = leastSquares(one.regression.design, two)
    expect(evidence(one, { offset: new Float64Array(3), basis: unit })).toBeCloseTo(
      GPrior.logEvidence({ ...one.target, rank: 2, rss }),
      9,
    )
  })

  it("with a known slope is the integral over intercept and sigma", () => {
    const c = 1
    const integrals = new Map<number, number>()
    const overIntercept = (sigma: number): number => {
      let sum = 0
      for (const { at: b0, weight } of line(-12, 12, 400))
        sum +=
          Math.exp(
            normal(
              y.map((v, i) => v - b0 - c * x1![i]!),
              sigma,
            ),
          ) * weight
      return sum * height(y)
    }
    const direct = overNuisance((sigma) => {
      const value = integrals.get(sigma) ?? overIntercept(sigma)
      integrals.set(sigma, value)
      return value
    })
    const one = setting(y, x1!)
    const known = { offset: Float64Array.of(0, c), basis: [Float64Array.of(1, 0)] }
    expect(evidence(one, known)).toBeCloseTo(direct, 3)
  })

  it("without a prior of coefficients is the integral over those that are free, and sigma", () => {
    const one = setting(y, x1!)
    const c = 1
    let sum = 0
    for (const { at: b0, weight } of line(-12, 12, 800))
      for (const { at: s, weight: ds } of line(-5, 4.5, 200)) {
        const residuals = y.map((v, i) => v - b0 - c * x1![i]!)
        sum += Math.exp(normal(residuals, Math.exp(s))) * weight * ds
      }
    const known = { offset: Float64Array.of(0, c), basis: [Float64Array.of(1, 0)] }
    const restricted = Restricted.restrict(one.target, one.geometry, known)!
    expect(restricted.logIntegral(restricted.rss)).toBeCloseTo(Math.log(sum), 4)
    // All known: the integral over sigma alone.
    const all = { offset: Float64Array.of(0.25, c), basis: [] }
    const fixed = Restricted.restrict(one.target, one.geometry, all)!
    const left = y.map((v, i) => v - 0.25 - c * x1![i]!)
    const direct = line(-5, 4.5, 400).reduce(
      (total, { at, weight }) => total + Math.exp(normal(left, Math.exp(at))) * weight,
      0,
    )
    expect(fixed.logIntegral(fixed.rss)).toBeCloseTo(Math.log(direct), 6)
  })

  it("with a known intercept is the integral over slope, g and sigma", () => {
    const sxx = dot(centred(x1!), centred(x1!))
    const b0 = 0.25
    const moved = y.map((v) => v - b0)
    const [s11, s1y, syy] = [dot(x1!, x1!), dot(x1!, moved), dot(moved, moved)]
    const direct = overNuisance((sigma, g) => {
      // The Gaussian integral over the slope, by its own formula: precision of the data s11, of the prior sxx / g.
      const precision = s11 + sxx / g
      const square = syy - s1y ** 2 / precision
      return (
        (2 * Math.PI * sigma ** 2) ** (-n / 2) *
        Math.sqrt(sxx / g / precision) *
        Math.exp(-square / (2 * sigma ** 2))
      )
    })
    const one = setting(y, x1!)
    const known = { offset: Float64Array.of(b0, 0), basis: [Float64Array.of(0, 1)] }
    expect(evidence(one, known)).toBeCloseTo(direct, 5)
  })

  it("with slopes in a known ratio has the prior of the scale given the ratio", () => {
    const [u, v] = [centred(x1!), centred(x2!)]
    const ratio = 2
    const shared = u.map((value, i) => value + ratio * v[i]!)
    const [s11, s1y, syy] = [dot(shared, shared), dot(shared, centred(two)), dot(centred(two), centred(two))]
    const direct = overNuisance((sigma, g) => {
      const precision = s11 * (1 + 1 / g)
      const square = syy - s1y ** 2 / precision
      // The intercept's integral leaves n - 1 powers of sigma and its height.
      return (
        ((2 * Math.PI * sigma ** 2) ** (-(n - 1) / 2) / Math.sqrt(n)) *
        height(two) *
        Math.sqrt(1 / (1 + g)) *
        Math.exp(-square / (2 * sigma ** 2))
      )
    })
    const one = setting(two, x1!, x2!)
    const known = {
      offset: new Float64Array(3),
      basis: [Float64Array.of(1, 0, 0), Float64Array.of(0, 1, ratio)],
    }
    expect(evidence(one, known)).toBeCloseTo(direct, 5)
  })

  it("with one slope known has the prior of the other one given it", () => {
    // beta_2 given beta_1 = c: mean m c, variance g sigma^2 / G22, with G = Xc'Xc and m = -G12 / G22.
    const [u, v] = [centred(x1!), centred(x2!)]
    const c = 1.5
    const [g12, g22] = [dot(u, v), dot(v, v)]
    const mode = (-g12 / g22) * c
    const r = centred(two).map((value, i) => value - c * u[i]! - mode * v[i]!)
    const [svr, srr] = [dot(v, r), dot(r, r)]
    const direct = overNuisance((sigma, g) => {
      const precision = g22 * (1 + 1 / g)
      const square = srr - svr ** 2 / precision
      return (
        ((2 * Math.PI * sigma ** 2) ** (-(n - 1) / 2) / Math.sqrt(n)) *
        height(two) *
        Math.sqrt(1 / (1 + g)) *
        Math.exp(-square / (2 * sigma ** 2))
      )
    })
    const one = setting(two, x1!, x2!)
    const known = {
      offset: Float64Array.of(0, c, 0),
      basis: [Float64Array.of(1, 0, 0), Float64Array.of(0, 0, 1)],
    }
    expect(evidence(one, known)).toBeCloseTo(direct, 5)
  })

  it("with two slopes and a known intercept agrees with the integral over both", () => {
    // Brute force over the two slopes in the prior's own metric.
    const G = [
      dot(centred(x1!), centred(x1!)),
      dot(centred(x1!), centred(x2!)),
      dot(centred(x2!), centred(x2!)),
    ]
    const [A, B, C] = [dot(x1!, x1!), dot(x1!, x2!), dot(x2!, x2!)]
    const [p, q, syy] = [dot(x1!, two), dot(x2!, two), dot(two, two)]
    const direct = overNuisance((sigma, g) => {
      const [a11, a12, a22] = [A + G[0]! / g, B + G[1]! / g, C + G[2]! / g]
      const determinant = a11 * a22 - a12 ** 2
      const explained = (a22 * p * p - 2 * a12 * p * q + a11 * q * q) / determinant
      const prior = (G[0]! * G[2]! - G[1]! ** 2) / g ** 2
      return (
        (2 * Math.PI * sigma ** 2) ** (-n / 2) *
        Math.sqrt(prior / determinant) *
        Math.exp(-(syy - explained) / (2 * sigma ** 2))
      )
    })
    const one = setting(two, x1!, x2!)
    const known = {
      offset: new Float64Array(3),
      basis: [Float64Array.of(0, 1, 0), Float64Array.of(0, 0, 1)],
    }
    expect(evidence(one, known)).toBeCloseTo(direct, 5)
  })

  it("does not depend on how the design is written", () => {
    // In columns x1 + 3 and x1 + x2 the same restriction reads otherwise.
    const one = setting(two, x1!, x2!)
    const other = setting(
      two,
      x1!.map((value) => value + 3),
      x1!.map((value, i) => value + x2![i]!),
    )
    // b0 = 0.4, b1 = 1: c2 = b2, c1 = b1 - b2, c0 = b0 - 3 c1
    const known = { offset: Float64Array.of(0.4, 1, 0), basis: [Float64Array.of(0, 0, 1)] }
    const again = { offset: Float64Array.of(0.4 - 3, 1, 0), basis: [Float64Array.of(3, -1, 1)] }
    expect(evidence(other, again)).toBeCloseTo(evidence(one, known), 8)
  })

  it("is rough by less than a thousandth of a nat in searches", () => {
    const one = setting(two, x1!, x2!)
    const known = { offset: Float64Array.of(0, 0, 0), basis: [Float64Array.of(0, 1, 2)] }
    const restricted = Restricted.restrict(one.target, one.geometry, known)!
    const exact = restricted.logEvidence(restricted.rss).log
    expect(restricted.logEvidence(restricted.rss, "fast").log).toBeCloseTo(exact, 3)
  })
})

describe("what a restriction leaves", () => {
  const y = x1!.map((value, i) => 0.4 + 1.2 * value + 2.3 * x2![i]! + 0.5 * errors![i]!)
  const one = setting(y, x1!, x2!)
  const known = { offset: Float64Array.of(0, 1, 0), basis: [Float64Array.of(1, 0, 0.5)] }
  const restricted = Restricted.restrict(one.target, one.geometry, known)!
  const shared = x2!.map((value) => 1 + 0.5 * value)

  it("is least squares on what is left, with its standard errors", () => {
    const rest = y.map((value, i) => value - x1![i]!)
    const direct = leastSquares([shared], rest)
    expect(restricted.estimate[0]).toBeCloseTo(direct.coefficients[0]!, 10)
    expect(restricted.rss).toBeCloseTo(direct.rss, 10)
    expect(restricted.error([1])).toBeCloseTo(1 / Math.sqrt(dot(shared, shared)), 10)
    expect(refit(one.regression, known, Float64Array.of(0))!.rss).toBeCloseTo(direct.rss, 10)
  })

  it("moves towards the prior's mode as ridge regression does", () => {
    const ratio = 0.3
    const t = Restricted.towards(one.geometry, known, restricted.estimate, ratio)
    // minimum over t of |y - x1 - t shared|^2 + ratio |x1c + t sharedc|^2
    const [u, v] = [centred(x1!), centred(shared)]
    const rest = y.map((value, i) => value - x1![i]!)
    const expected = (dot(shared, rest) - ratio * dot(u, v)) / (dot(shared, shared) + ratio * dot(v, v))
    expect(t[0]).toBeCloseTo(expected, 10)
  })

  it("is undefined when the basis is dependent", () => {
    const twice = [Float64Array.of(0, 1, 0), Float64Array.of(0, 2, 0)]
    expect(
      Restricted.restrict(one.target, one.geometry, { offset: new Float64Array(3), basis: twice }),
    ).toBeUndefined()
  })
})

describe("with a link", () => {
  const z = x1!.map((value, i) => 3 + 0.5 * value + 0.01 * errors![i]!)
  const y = z.map((value) => 1 / value)
  const response = Responses.apply(Link.inverse, y)
  if (response._tag === "Dropped") throw new Error(response.reason)
  const regression: Regression = { y, way: Responses.back(response), design: [ones, x1!] }
  const target = GPrior.target(y, { a, resolution: 1e-7 })
  const start = leastSquares(regression.design, z).coefficients

  it("the free fit is a minimum, and columns in the span of others leave", () => {
    const found = free(regression, target, start)!
    for (const k of [0, 1])
      for (const by of [0.999, 1.001]) {
        const t = found.fit.t.map((value, j) => (j === k ? by * value : value))
        const moved = combine(regression.design, t)
        const rss = y.reduce((sum, value, i) => sum + (value - 1 / moved[i]!) ** 2, 0)
        expect(rss).toBeGreaterThan(found.fit.rss)
      }
    const more = { ...regression, design: [...regression.design, x1!.map((value) => 2 * value - 1)] }
    const again = free(more, target, Float64Array.of(...start, 0))!
    expect(again.kept).toHaveLength(2)
    expect(again.fit.rss).toBeCloseTo(found.fit.rss, 12)
  })

  it("the free evidence is that of the likelihood", () => {
    const { geometry, fit } = free(regression, target, start)!
    const unit = [Float64Array.of(1, 0), Float64Array.of(0, 1)]
    const restricted = Restricted.restrict(target, geometry, { offset: new Float64Array(2), basis: unit })!
    expect(restricted.logEvidence(fit.rss).log).toBeCloseTo(
      GPrior.logEvidence({ ...target, rank: 1, rss: fit.rss }),
      8,
    )
  })

  it("a restricted fit is a minimum", () => {
    const known = { offset: Float64Array.of(0, 0), basis: [Float64Array.of(6, 1)] }
    const fit = refit(regression, known, Float64Array.of(0.4))!
    for (const by of [0.999, 1.001]) {
      const rss = y.reduce((sum, value, i) => sum + (value - 1 / (by * fit.t[0]! * (6 + x1![i]!))) ** 2, 0)
      expect(rss).toBeGreaterThan(fit.rss)
    }
  })
})
