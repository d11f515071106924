import { describe, expect, it } from "vitest"
import * as Explain from "../../../../src/evidence/noise/Explain.ts"
import * as WrongRows from "../../../../src/evidence/noise/WrongRows.ts"
import * as Noise from "../../../../src/evidence/Noise.ts"
import * as Responses from "../../../../src/evidence/response.ts"
import * as Link from "../../../../src/prob/Link.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import { leastSquares } from "../../../../src/numeric/leastSquares.ts"
import { logSumExp } from "../../../../src/numeric/logSum.ts"
import * as Special from "../../../../src/numeric/Special.ts"

const prior = { a: 3, resolution: 1e-7 }
const only = (kind: Noise.Kind): Noise.Noise =>
  Noise.latent({ kinds: [{ kind, probability: 1 }], wrongRows: undefined })

const responseOf = (y: Float64Array, link: Link.Link = Link.identity): Responses.Response => {
  const made = Responses.apply(link, y, 0.1)
  if (made._tag === "Dropped") throw new Error(made.reason)
  return made
}

/** A line with noise, from x and standard normal numbers. */
const line = (n: number, seed: number, noisy: (mu: number, e: number) => number) => {
  const source = Rng.generator(Rng.key(seed))
  const x = Float64Array.from({ length: n }, (_, i) => 1 + (4 * i) / n)
  return { x, y: x.map((value) => noisy(1 + 2 * value, source.normal())) }
}

const grid = (from: number, to: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * (i + 0.5)) / count)

/** Log evidence of y = alpha + beta (x - centre), by sums over alpha, beta, log sigma and log g, given weights that scale the prior. */
const bruteForce = (
  x: Float64Array,
  y: Float64Array,
  w: Float64Array,
  at: { readonly alpha: number; readonly beta: number; readonly sigma: number },
  logDensity: (y: number, mu: number, sigma: number) => number,
): number => {
  const n = y.length
  const mass = w.reduce((sum, value) => sum + value ** 2, 0)
  const centre = x.reduce((sum, value, i) => sum + w[i]! ** 2 * value, 0) / mass
  const mean = y.reduce((sum, value, i) => sum + w[i]! ** 2 * value, 0) / mass
  const tss = y.reduce((sum, value, i) => sum + (w[i]! * (value - mean)) ** 2, 0)
  const length = x.reduce((sum, value, i) => sum + (w[i]! * (value - centre)) ** 2, 0)
  const [da, db] = [at.sigma / Math.sqrt(mass), at.sigma / Math.sqrt(length)]
  const middle = at.alpha + at.beta * centre
  const count = 24
  const alphas = grid(middle - 7 * da, middle + 7 * da, count)
  const betas = grid(at.beta - 7 * db, at.beta + 7 * db, count)
  const sigmas = grid(Math.log(at.sigma) - 1.2, Math.log(at.sigma) + 2, 40)
  const gs = grid(-2, 22, 40)
  const cell =
    Math.log(alphas[1]! - alphas[0]!) +
    Math.log(betas[1]! - betas[0]!) +
    Math.log(sigmas[1]! - sigmas[0]!) +
    Math.log(gs[1]! - gs[0]!)
  const terms: Array<number> = []
  for (const logSigma of sigmas) {
    const sigma = Math.exp(logSigma)
    for (const beta of betas) {
      // p(g) with the Jacobian of log g, and beta | g.
      const overG = logSumExp(
        gs.map((t) => {
          const variance = (Math.exp(t) * sigma ** 2) / length
          return (
            t +
            Math.log(0.5 / n) -
            1.5 * Math.log1p(Math.exp(t) / n) -
            0.5 * Math.log(2 * Math.PI * variance) -
            beta ** 2 / (2 * variance)
          )
        }),
      )
      for (const alpha of alphas) {
        let sum = overG + Math.log(2) + 0.5 * Math.log(mass / tss)
        for (let i = 0; i < n; i++) sum += logDensity(y[i]!, alpha + beta * (x[i]! - centre), sigma)
        terms.push(sum)
      }
    }
  }
  return logSumExp(terms) + cell
}

const normal = (y: number, mu: number, sd: number): number =>
  -0.5 * Math.log(2 * Math.PI) - Math.log(sd) - 0.5 * ((y - mu) / sd) ** 2

describe("the evidence of a kind of noise", () => {
  const cases = [
    ["additive", Noise.additive, 0.02, normal],
    [
      "proportional",
      Noise.proportional,
      0.05,
      (y: number, mu: number, s: number) => normal(y, mu, s * Math.abs(mu)),
    ],
    [
      "log",
      Noise.logarithmic,
      0.05,
      (y: number, mu: number, s: number) => normal(Math.log(y), Math.log(mu), s) - Math.log(y),
    ],
    [
      "heavy",
      Noise.heavy,
      0.1,
      (y: number, mu: number, s: number) =>
        Special.lgamma(2.5) -
        Special.lgamma(2) -
        0.5 * Math.log(4 * Math.PI) -
        Math.log(s) -
        2.5 * Math.log1p(((y - mu) / s) ** 2 / 4),
    ],
  ] as const

  // The fit has 15 rows: Student's t has the error of Laplace's approximation.
  it.each(cases)("%s is that of brute force", (name, kind, size, density) => {
    const { x, y } = line(15, 4, (mu, e) => mu * (1 + size * e))
    const [found] = Explain.make(only(kind), y, prior).explain(responseOf(y), [x])
    const { by, rows } = found!.weighing
    expect(rows.length).toBe(15)
    const [alpha = 0, beta = 0] = found!.fit.coefficients()
    // The prior of the coefficients has the weights by which y is weighted, on the scale of y.
    const w = kind.residual === "logarithm" ? by.map((value, i) => value / found!.mean[i]!) : by
    const brute = bruteForce(x, y, w, { alpha, beta, sigma: found!.sigma }, density)
    expect(Math.abs(found!.logEvidence() - brute)).toBeLessThan(name === "heavy" ? 0.2 : 0.1)
  })

  it("is a density of y in the unit of y, for data of 1e-30 and 1e12 as for others", () => {
    const { x, y } = line(40, 5, (mu, e) => mu * (1 + 0.1 * e))
    const best = (scale: number) => {
      const scaled = y.map((value) => value * scale)
      return Explain.make(Noise.latent(), scaled, prior).explain(responseOf(scaled), [x])[0]!
    }
    for (const scale of [1e-30, 1e12]) {
      expect(best(scale).kind.name).toBe(best(1).kind.name)
      expect(best(scale).logEvidence() + 40 * Math.log(scale)).toBeCloseTo(best(1).logEvidence(), 6)
    }
  })

  it("is finite for laws without noise, of any span, and for zeros", () => {
    const x = Float64Array.from({ length: 30 }, (_, i) => i)
    const power = x.map((value) => 10 ** (value / 3) - 1)
    for (const column of [x, power]) {
      const y = column.map((value) => 3 * value)
      const found = Explain.make(Noise.latent(), y, prior).explain(responseOf(y), [column])
      expect(found.length).toBeGreaterThan(0)
      expect(found.every((one) => Number.isFinite(one.logEvidence()))).toBe(true)
      expect(found[0]!.weighing.rows.length).toBe(30)
    }
  })
})

describe("wrong rows", () => {
  it("have a prior that sums to one over all sets", () => {
    const { logPrior } = WrongRows.make(Noise.wrongRows, Float64Array.of(1, 2, 3, 5, 8, 13))
    const choose = [1, 6, 15, 20, 15, 6, 1]
    expect(choose.reduce((sum, ways, k) => sum + ways * Math.exp(logPrior(k)), 0)).toBeCloseTo(1, 12)
  })

  it("have a density that is Cauchy's around the median", () => {
    const y = Float64Array.of(1, 2, 3, 4, 100)
    const { logDensity } = WrongRows.make(Noise.wrongRows, y)
    expect(logDensity[2]).toBeCloseTo(-Math.log(Math.PI), 12)
    expect(logDensity[4]).toBeCloseTo(-Math.log(Math.PI) - Math.log(1 + 97 ** 2), 12)
  })

  it.each([
    ["one value of -9999", (y: Float64Array) => y.map((value, i) => (i === 7 ? -9999 : value)), [7]],
    ["one of 1e30", (y: Float64Array) => y.map((value, i) => (i === 7 ? 1e30 : value)), [7]],
    [
      "5 % by 100 sigma",
      (y: Float64Array) => y.map((value, i) => (i % 20 === 7 ? value + (i % 40 === 7 ? 5 : -5) : value)),
      [7, 27, 47, 67, 87],
    ],
    ["none", (y: Float64Array) => y, []],
  ] as const)("are found: %s", (_, spoil, wrong) => {
    const { x, y } = line(100, 6, (mu, e) => mu + 0.05 * e)
    const spoilt = spoil(y)
    const [found] = Explain.make(Noise.latent(), spoilt, prior).explain(responseOf(spoilt), [x])
    const kept = new Set(found!.weighing.rows)
    expect([...x.keys()].filter((i) => !kept.has(i))).toEqual(wrong)
    expect(found!.sigma).toBeLessThan(0.07)
    const [intercept = 0, slope = 0] = found!.fit.coefficients()
    expect(Math.abs(intercept - 1)).toBeLessThan(0.05)
    expect(Math.abs(slope - 2)).toBeLessThan(0.02)
  })

  it.each([
    ["growth", (t: number) => Math.exp(12 * t)],
    ["a pole", (t: number) => 1 / (t + 1e-3)],
    ["six decades", (t: number) => 10 ** (6 * t)],
  ])("are none where the law is merely steep: %s", (_, law) => {
    const source = Rng.generator(Rng.key(3))
    const column = Float64Array.from({ length: 100 }, (__, i) => law(i / 99))
    for (const noisy of [
      (mu: number) => mu * (1 + 0.01 * source.normal()),
      (mu: number) => mu + 0.01 * source.normal(),
    ]) {
      const y = column.map(noisy)
      const [found] = Explain.make(Noise.latent(), y, prior).explain(responseOf(y), [column])
      expect(found!.weighing.rows.length).toBe(100)
    }
  })
})

describe("known errors and weights", () => {
  it("weigh rows, whatever the unit of the weights, and a weight of 0 leaves a row out", () => {
    const { x, y } = line(30, 8, (mu, e) => mu + 0.1 * e)
    const weights = x.map((_, i) => (i === 3 ? 0 : 1 + (i % 4)))
    const noise = Noise.named("additive", { weights: "w" })
    const best = (by: Float64Array) =>
      Explain.make(noise, y, prior, { weights: by }).explain(responseOf(y), [x])[0]!
    const one = best(weights)
    expect(one.weighing.rows.length).toBe(29)
    expect(one.logEvidence()).toBeCloseTo(best(weights.map((value) => 1000 * value)).logEvidence(), 8)
    const [intercept] = one.fit.coefficients()
    expect(intercept).toBeCloseTo(best(weights.map((value) => 2 * value)).fit.coefficients()[0]!, 10)
  })

  it("make a law that fits to its errors more probable than one that fits ten times worse or better", () => {
    const { x, y } = line(30, 9, (mu, e) => mu + 0.1 * e)
    const noise = Noise.latent({ error: "e", wrongRows: undefined })
    const at = (error: number) => {
      const made = Explain.make(noise, y, prior, { errors: x.map(() => error) })
      return made.explain(responseOf(y), [x])[0]!.logEvidence()
    }
    expect(at(0.1)).toBeGreaterThan(at(1) + 3)
    expect(at(0.1)).toBeGreaterThan(at(0.01) + 3)
  })
})

describe("explanations without noise", () => {
  const kinds = Noise.latent({
    kinds: Noise.shipped.map(({ kind }) => ({ kind, probability: 1 / Noise.shipped.length })),
    wrongRows: undefined,
  })
  const kindsOf = (x: Float64Array): ReadonlyArray<string> => {
    const y = x.map((value) => 2 * value)
    return Explain.make(kinds, y, prior)
      .explain(responseOf(y), [x])
      .map(({ kind }) => kind.name)
  }
  const x = Float64Array.from({ length: 60 }, (_, i) => 1 + i / 10)

  it("have the first kind only", () => {
    expect(kindsOf(x)).toEqual(["additive"])
  })

  it("have relative errors, too, where small values would be of no weight", () => {
    expect(kindsOf(x.map((value) => Math.exp(6 * value))).toSorted()).toEqual([
      "additive",
      "log",
      "proportional",
    ])
  })
})

describe("explanations of many rows", () => {
  const n = 25_000
  const explain = (x: Float64Array, y: Float64Array): ReadonlyArray<Explain.Explanation> =>
    Explain.make(Noise.latent(), y, prior).explain(responseOf(y), [x])

  it("have the closed form of additive noise on all rows, and no other kind", () => {
    const { x, y } = line(n, 31, (mu, e) => mu + 0.1 * e)
    const found = explain(x, y)
    expect(found.map(({ kind }) => kind.name)).toEqual(["additive"])
    const target = GPrior.target(y, prior)
    const { rss } = leastSquares([new Float64Array(n).fill(1), x], y)
    const closed = GPrior.logNull(target) + GPrior.posterior({ ...target, rank: 1, rss }).logBayesFactor
    expect(found[0]!.logEvidence()).toBeCloseTo(closed + Math.log(0.6) + Math.log(0.9), 4)
  })

  it.each([
    ["proportional", (mu: number, e: number) => mu * (1 + 0.1 * e)],
    ["log", (mu: number, e: number) => mu * Math.exp(0.1 * e)],
  ] as const)("know noise that is %s", (name, noisy) => {
    const { x, y } = line(n, 32, noisy)
    expect(explain(x, y)[0]!.kind.name).toBe(name)
  })

  it("name wrong rows that no sample has", () => {
    const { x, y } = line(n, 33, (mu, e) => mu + 0.1 * e)
    const wrong = [17, 12_345, 24_000]
    for (const row of wrong) y[row] = -9999
    const [best] = explain(x, y)
    const { rows } = best!.weighing
    const right = new Set(rows)
    expect(Array.from(y.keys()).filter((row) => !right.has(row))).toEqual(wrong)
    expect(best!.fit.coefficients()[1]).toBeCloseTo(2, 2)
  })
})
