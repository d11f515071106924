import { describe, expect, it } from "vitest"
import * as Evidence from "../../../src/evidence/conjugate.ts"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import { orthogonalise } from "../../../src/numeric/orthogonal.ts"
import * as Rng from "../../../src/random/Rng.ts"
import cases from "../../fixtures/g-prior.json" with { type: "json" }

const ones = (n: number) => new Float64Array(n).fill(1)

const unit = (column: Float64Array) => column.map((value) => value / Math.hypot(...column))

/** Helmert's n - 1 orthonormal contrasts: what is left of a column without its mean. */
const contrasts = (column: Float64Array) =>
  Float64Array.from({ length: column.length - 1 }, (_, k) => {
    const before = column.subarray(0, k + 1).reduce((sum, value) => sum + value, 0)
    return (before - (k + 1) * column[k + 1]!) / Math.sqrt((k + 1) * (k + 2))
  })

describe("log Bayes factor", () => {
  it.each(cases)("n = $rows, p = $rank, 1 - R^2 = $left, a = $a", (c) => {
    const found = GPrior.posterior({ ...c, tss: 1, rss: c.left, rounding: 0 })
    const bound = 1e-10 * Math.max(1, Math.abs(c.logBayesFactor))
    expect(Math.abs(found.logBayesFactor - c.logBayesFactor)).toBeLessThan(bound)
    expect(Math.abs(found.leftover / c.leftover - 1)).toBeLessThan(1e-8)
  })

  it("does not depend on the units of y", () => {
    for (const unit of [1e-8, 1, 1e8]) {
      const fit = { rows: 50, rank: 2, tss: 7 * unit, rss: 0.3 * unit, rounding: 1e-9 * unit, a: 3 }
      expect(GPrior.logBayesFactor(fit)).toBeCloseTo(
        GPrior.logBayesFactor({ ...fit, tss: 7, rss: 0.3, rounding: 1e-9 }),
        10,
      )
    }
  })

  it("of an exact fit to data without rounding is finite, the same in all units, and in tables", () => {
    const found = [1e-3, 1, 1e3, 1e9].map((unit) => {
      const y = Float64Array.from({ length: 100 }, (_, i) => unit * (i % 2 === 0 ? 1 : -1))
      const of = GPrior.target(y, { a: 3, resolution: 0 })
      const exact = GPrior.posterior({ ...of, rank: 1, rss: 0 })
      expect(exact.leftover).toBeLessThan(1e-20)
      expect(Math.abs(GPrior.table(of)(1, 0) - exact.logBayesFactor)).toBeLessThan(1e-5)
      return exact.logBayesFactor
    })
    for (const one of found) expect(one).toBeCloseTo(found[0]!, 6)
    // n / 2 times 104 bits, less what a free coefficient costs.
    expect(found[0]! / (50 * 104 * Math.LN2)).toBeGreaterThan(0.95)
    expect(found[0]! / (50 * 104 * Math.LN2)).toBeLessThan(1)
  })

  it("does not depend on where y begins", () => {
    const y = Float64Array.from({ length: 60 }, (_, i) => i + Math.sin(7 * i))
    const [near, far] = [0, 1.7e9].map((begin) => {
      const of = GPrior.target(
        y.map((value) => begin + value),
        { a: 3, resolution: 1e-7 },
      )
      return GPrior.logBayesFactor({ ...of, rank: 1, rss: 1e-3 * of.tss })
    })
    expect(far).toBeCloseTo(near!, 3)
    expect(far).toBeGreaterThan(100)
  })

  it("has the slope of its finite differences", () => {
    for (const rss of [0.9, 0.1, 1e-5, 1e-12]) {
      const fit = { rows: 200, rank: 3, tss: 1, rounding: 1e-9, a: 3, rss }
      const h = 1e-4
      const at = (u: number) =>
        GPrior.logBayesFactor({ ...fit, rss: (rss + fit.rounding) * Math.exp(u) - fit.rounding })
      const { slope } = GPrior.posterior(fit)
      expect(Math.abs((at(h) - at(-h)) / (2 * h) - slope)).toBeLessThan(1e-5 * Math.abs(slope))
    }
  })

  it("is the mean over g of conjugate evidences, from the columns", () => {
    const random = Rng.generator(Rng.key(3))
    const n = 12
    const [x, z] = [0, 1].map(() => Float64Array.from({ length: n }, () => random.normal()))
    const y = Float64Array.from(x!, (value, i) => 1.4 * value - 0.2 * z![i]! + random.normal())
    const of = GPrior.target(y, { a: 3, resolution: 0 })
    const { outside } = orthogonalise([ones(n), x!, z!], y)
    // In an orthonormal basis of the centred columns the prior is N(0, g sigma^2 I); contrasts take the intercept out.
    const first = unit(orthogonalise([ones(n)], x!).residual)
    const basis = [first, unit(orthogonalise([ones(n), first], z!).residual)].map(contrasts)
    const flat = { mu0: [0], sigma0: [1e-12], a0: 1e-9, b0: 1e-9 }
    const nothing = Evidence.posterior(flat, contrasts(y), []).logEvidence
    const draws = 20_000
    const sums = { mean: 0, leftover: 0, sigma2: 0 }
    for (let i = 0; i < draws; i++) {
      // The quantiles of p(g): 1 - (1 + g / n)^(1 - a / 2).
      const g = n * ((1 - (i + 0.5) / draws) ** -2 - 1)
      const hyper = { ...flat, mu0: [0, 0, 0], sigma0: [1e-12, g, g] }
      const { logEvidence, scale, shape } = Evidence.posterior(hyper, contrasts(y), basis)
      const weight = Math.exp(logEvidence - nothing) / draws
      sums.mean += weight
      sums.leftover += weight / (1 + g)
      sums.sigma2 += (weight * scale) / (shape - 1)
    }
    const found = GPrior.posterior({ ...of, rank: 2, rss: outside })
    expect(found.logBayesFactor).toBeCloseTo(Math.log(sums.mean), 4)
    expect(found.leftover).toBeCloseTo(sums.leftover / sums.mean, 5)
    expect(found.sigma2).toBeCloseTo(sums.sigma2 / sums.mean, 5)
  })

  it("says nothing for as many columns as rows can bear, or no column", () => {
    const fit = { rows: 5, tss: 2, rss: 0, rounding: 0, a: 3 }
    expect(GPrior.logBayesFactor({ ...fit, rank: 4 })).toBeCloseTo(0, 10)
    expect(GPrior.logBayesFactor({ ...fit, rank: 9 })).toBeCloseTo(0, 10)
    expect(GPrior.logBayesFactor({ ...fit, rank: 0 })).toBe(0)
    expect(GPrior.logBayesFactor({ ...fit, rows: 1, rank: 3 })).toBe(0)
  })

  it("is finite for data that do not vary", () => {
    for (const y of [new Float64Array(6), ones(6)]) {
      const of = GPrior.target(y, { a: 3, resolution: 1e-7 })
      expect(Number.isFinite(GPrior.logEvidence({ ...of, rank: 1, rss: 0 }))).toBe(true)
      expect(GPrior.logBayesFactor({ ...of, rank: 1, rss: 0 })).toBeLessThan(0)
    }
  })

  it("saturates at the resolution of y", () => {
    const y = Float64Array.from({ length: 100 }, (_, i) => 5 + Math.sin(i))
    const of = GPrior.target(y, { a: 3, resolution: 1e-7 })
    const best = GPrior.logBayesFactor({ ...of, rank: 1, rss: 0 })
    expect(best - GPrior.logBayesFactor({ ...of, rank: 1, rss: 1e-18 })).toBeLessThan(0.01)
    expect(best - GPrior.logBayesFactor({ ...of, rank: 1, rss: 1e-8 })).toBeGreaterThan(100)
  })
})

describe("evidence of the mean alone", () => {
  it("is the density of y with alpha and sigma integrated out", () => {
    const y = [0.3, 1.9, 2.2, 4.0]
    const of = GPrior.target(Float64Array.from(y), { a: 3, resolution: 0 })
    // p(alpha) = 1 / sqrt(tss / n), p(sigma^2) dsigma^2 = 2 dlog sigma
    const step = 0.02
    let sum = 0
    for (let s = -3; s < 6; s += step)
      for (let alpha = -80; alpha < 80; alpha += step) {
        const squares = y.reduce((total, value) => total + (value - alpha) ** 2, 0)
        sum += Math.exp((-squares / 2) * Math.exp(-2 * s) - 4 * s)
      }
    const direct = Math.log(2 * sum * step ** 2) - 2 * Math.log(2 * Math.PI) - 0.5 * Math.log(of.tss / 4)
    expect(GPrior.logNull(of)).toBeCloseTo(direct, 4)
  })

  it("is that of y times c^n for y / c", () => {
    const y = Float64Array.from([1, 4, 2, 8, 5])
    const at = (values: Float64Array) => GPrior.logNull(GPrior.target(values, { a: 3, resolution: 1e-3 }))
    expect(at(y.map((value) => 100 * value))).toBeCloseTo(at(y) - 5 * Math.log(100), 9)
  })
})

describe("table", () => {
  it.each([
    { rows: 2, tss: 1, rounding: 1e-14 },
    { rows: 5, tss: 1, rounding: 0 },
    { rows: 90, tss: 1e6, rounding: 1e-9 },
    { rows: 1800, tss: 3, rounding: 1e-12 },
    { rows: 1_000_000, tss: 3e-5, rounding: 1e-17 },
  ])("agrees with the integral, n = $rows", (data) => {
    const of = { ...data, a: 3 }
    const fast = GPrior.table(of)
    for (const rank of [1, 2, 5, 16]) {
      let previous = Infinity
      for (let k = -5; k < 400; k++) {
        // Near tss in steps of 1 / n of it, and then down to the rounding and beyond.
        const rss = k < 0 ? -k * of.tss : of.tss * Math.exp(-Math.expm1(k / 18) / of.rows)
        if (rss < 1e-30 * of.tss) continue
        const found = fast(rank, rss)
        expect(Math.abs(found - GPrior.logBayesFactor({ ...of, rank, rss }))).toBeLessThan(1e-6)
        if (k > 0) expect(found).toBeGreaterThanOrEqual(previous - 1e-9 - 1e-12 * Math.abs(previous))
        previous = found
      }
    }
    expect(fast(3, Number.NaN)).toBeNaN()
    expect(fast(0, of.tss / 2)).toBe(0)
  })

  it("is the same whatever tables there were before", () => {
    const at = (rows: number, rounding: number): ReadonlyArray<number> => {
      const table = GPrior.table({ rows, tss: 1, rounding, a: 3 })
      return [0.9, 0.3, 1e-3, 1e-9].map((rss) => table(2, rss))
    }
    const coarse = at(37, 1e-3)
    const finer = at(37, 1e-14)
    expect(at(37, 1e-3)).toEqual(coarse)
    for (let rows = 100; rows < 140; rows++) at(rows, 1e-3)
    expect(at(37, 1e-14)).toEqual(finer)
  })
})
