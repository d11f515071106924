import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CompileError } from "../../../../src/errors/Errors.ts"
import * as Nd from "../../../../src/numeric/Nd.ts"
import { normalCdf } from "../../../../src/numeric/Special.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import type { Factor } from "../../../../src/prob/Factor.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { kolmogorovSmirnov } from "../../../../src/testing/goodnessOfFit.ts"
import * as Family from "../../../../src/vi/Family.ts"
import { divergence, integrate, moments, near, shared, siteOf, sum } from "../../../support/factors.ts"
import { runs } from "../../../support/property.ts"

// The full-rank Gaussian against closed forms and quadrature in two and three dimensions. Seeds are fixed; a right sampler fails
// a check on a new seed with probability 1e-4.

const { factors } = Family
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const vector = (n: number, size: number) => fc.array(number(-size, size), { minLength: n, maxLength: n })
/** Parameters of a site of n elements: entries on and above the diagonal are there, and are not read. */
const parametersOf = (n: number) => fc.tuple(vector(n, 2), vector(n, 1), vector(n * n, 1.5))
type Parameters = readonly [ReadonlyArray<number>, ReadonlyArray<number>, ReadonlyArray<number>]

const made = (shape: ReadonlyArray<number>, prior: Dist.Prior<"real"> = Dist.normal(0.5, 2)): Factor =>
  factors.fullRank().make(siteOf("real", shared(prior), shape))

/** The Cholesky factor by its definition, row by row. */
const rowsOf = ([loc, logScale, triangle]: Parameters): ReadonlyArray<ReadonlyArray<number>> =>
  loc.map((_, i) =>
    loc.map((__, j) => {
      const unit = j === i ? 1 : j < i ? triangle[i * loc.length + j]! : 0
      return Math.exp(logScale[i]!) * unit
    }),
  )
const covarianceOf = (parameters: Parameters): ReadonlyArray<ReadonlyArray<number>> => {
  const rows = rowsOf(parameters)
  return rows.map((one) => rows.map((other) => sum(one.map((x, k) => x * other[k]!))))
}

describe("the full-rank Gaussian", () => {
  it("is normal factors where the triangle is 0", () =>
    fc.assert(
      fc.property(vector(6, 2), vector(6, 1), vector(6, 3), (loc, logScale, x) => {
        const [joint, single] = [
          made([2, 3]),
          factors.normal().make(siteOf("real", shared(Dist.normal(0.5, 2)), [2, 3])),
        ]
        const zero = new Float64Array(36)
        near(divergence(joint, [loc, logScale, zero]), divergence(single, [loc, logScale]), 10)
        near(joint.logDensity!([loc, logScale, zero], x)[0]!, single.logDensity!([loc, logScale], x)[0]!, 10)
      }),
      runs(40),
    ))

  it("has the divergence of multivariate normal distributions, (tr + m'm - n - log |S|) / 2", () =>
    fc.assert(
      fc.property(parametersOf(3), (parameters) => {
        const [loc, logScale] = parameters
        const covariance = covarianceOf(parameters)
        const expected = sum(
          loc.map(
            (m, i) =>
              0.5 * (covariance[i]![i]! / 4 + (m - 0.5) ** 2 / 4 - 1 + 2 * Math.log(2) - 2 * logScale[i]!),
          ),
        )
        near(divergence(made([3]), parameters), expected, 10)
      }),
      runs(60),
    ))

  it("has the moments of its elements", () =>
    fc.assert(
      fc.property(parametersOf(3), (parameters) => {
        const found = moments(made([3]), parameters)
        covarianceOf(parameters).forEach((row, i) => {
          near(found.mean.data[i]!, parameters[0][i]!)
          near(found.square!.data[i]!, row[i]! + parameters[0][i]! ** 2)
        })
      }),
      runs(40),
    ))

  it("has the density of the definition, and sums out elements that are NaN", () =>
    fc.assert(
      fc.property(parametersOf(3), vector(3, 3), (parameters, x) => {
        const factor = made([3])
        const [loc, logScale] = parameters
        // Forward substitution: L z = x - loc.
        const rows = rowsOf(parameters)
        const z: Array<number> = []
        rows.forEach((row, i) => z.push((x[i]! - loc[i]! - sum(z.map((own, j) => row[j]! * own))) / row[i]!))
        const full = sum(z.map((own, i) => -0.5 * (own * own + Math.log(2 * Math.PI)) - logScale[i]!))
        near(factor.logDensity!(parameters, x)[0]!, full, 100)
        // Of one element it is the normal density with its variance, and the integral over the others.
        const single = (i: number) =>
          factor.logDensity!(
            parameters,
            x.map((own, j) => (j === i ? own : NaN)),
          )[0]!
        const covariance = covarianceOf(parameters)
        x.forEach((own, i) => {
          near(single(i), Dist.logDensity(Dist.normal(loc[i]!, Math.sqrt(covariance[i]![i]!)), own), 100)
        })
        const width = 12 * Math.sqrt(covariance[2]![2]!)
        const pair = integrate(
          (last) => Math.exp(factor.logDensity!(parameters, [x[0]!, x[1]!, last])[0]! + 20),
          loc[2]! - width,
          loc[2]! + width,
          4000,
        )
        if (pair > 1e-6)
          expect(Math.log(pair) - 20).toBeCloseTo(factor.logDensity!(parameters, [x[0]!, x[1]!, NaN])[0]!, 4)
        expect(factor.logDensity!(parameters, [NaN, NaN, NaN])[0]).toBeCloseTo(0, 12)
      }),
      runs(30),
    ))

  const some: Parameters = [
    [0.5, -1, 2],
    [0.2, -0.4, 0.1],
    [0, 9, 9, -1.2, 0, 9, 0.7, 0.5, 0],
  ]

  it("draws from itself, exactly and by its noise", () => {
    const S = 20_000
    const factor = made([3])
    const [loc, logScale, triangle] = some
    const z = Rng.normal(Rng.key(5), new Float64Array(3 * S))
    const slots = factor.parameters.map(({ shape }, i) => Nd.of(shape, some[i]!))
    const none = { binary: (): never => expect.fail(), categorical: (): never => expect.fail() }
    const relaxed = factor.draw!(Nd.algebra, slots, [Nd.of([S, 1, 3], z)], none, Nd.scalar(0.3))
    expect(relaxed.shape).toEqual([S, 3])
    const exact = factor.sample(Rng.key(5), some, S)
    // The same noise gives the same draws.
    exact.forEach((x, i) => expect(Math.abs(x - relaxed.data[i]!)).toBeLessThan(1e-12))
    // Each conditional distribution is normal; without the triangle the second and third are not.
    const gap = (i: number, s: number, reach: number): number => {
      let left = (exact[3 * s + i]! - loc[i]!) / Math.exp(logScale[i]!)
      for (let j = 0; j < i; j++) left -= reach * triangle[3 * i + j]! * z[3 * s + j]!
      return left
    }
    for (const i of [0, 1, 2]) {
      const scores = Float64Array.from({ length: S }, (_, s) => gap(i, s, 1))
      expect(kolmogorovSmirnov(scores, normalCdf).pValue).toBeGreaterThan(1e-4)
      if (i > 0)
        expect(
          kolmogorovSmirnov(
            scores.map((_, s) => gap(i, s, 0)),
            normalCdf,
          ).pValue,
        ).toBeLessThan(1e-4)
    }
    const covariance = covarianceOf(some)
    covariance.forEach((row, i) =>
      row.forEach((expected, j) => {
        const products = Float64Array.from(
          { length: S },
          (_, s) => (exact[3 * s + i]! - loc[i]!) * (exact[3 * s + j]! - loc[j]!),
        )
        const mean = sum([...products]) / S
        const sd = Math.sqrt((row[i]! * covariance[j]![j]! + expected ** 2) / S)
        // Nine products: one is 4.5 standard errors off with a probability below 1e-4.
        expect(Math.abs(mean - expected)).toBeLessThan(4.5 * sd)
      }),
    )
  })

  it("has the divergence as the mean of log q - log p over its draws, elements added up", () => {
    const factor = made([2, 1], Dist.studentT(3, 0.4, 1.5))
    const parameters: Parameters = [
      [0.3, -0.6],
      [-0.2, 0.3],
      [9, 9, 0.8, 9],
    ]
    const slots = factor.parameters.map(({ shape }, i) => Nd.of(shape, parameters[i]!))
    const array = (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => Nd.of(shape, values)
    const none = { binary: (): never => expect.fail(), categorical: (): never => expect.fail() }
    const step = 0.25
    const grid = Array.from({ length: 65 }, (_, i) => (i - 32) * step)
    const z = grid.flatMap((first) => grid.flatMap((second) => [first, second]))
    const S = z.length / 2
    const noise = [Nd.of([S, 1, 1, 2], z)]
    const draw = factor.draw!(Nd.algebra, slots, noise, none, Nd.scalar(1))
    const draws = { samples: S, of: () => draw }
    const parent = (): never => expect.fail()
    const each = factor.drawnDivergence!(Nd.algebra, array, slots, noise, parent, draws)
    expect(each.shape).toEqual([S, 2, 1])
    const q = (s: number): number =>
      (step ** 2 * Math.exp(-0.5 * (z[2 * s]! ** 2 + z[2 * s + 1]! ** 2))) / (2 * Math.PI)
    let mean = 0
    for (let s = 0; s < S; s++) {
      const x = [draw.data[2 * s]!, draw.data[2 * s + 1]!]
      const own = each.data[2 * s]! + each.data[2 * s + 1]!
      const prior = sum(x.map((one) => Dist.logDensity(Dist.studentT(3, 0.4, 1.5), one)))
      near(own, factor.logDensity!(parameters, x)[0]! - prior, 100)
      mean += q(s) * own
    }
    // A prior without a closed divergence: the estimate from draws with these weights is the same integral.
    const weighted = { samples: 1, of: () => draw }
    const estimate = factor.divergence(Nd.algebra, array, slots, parent, weighted).data[0]!
    const entropy = 2 * (0.5 * Math.log(2 * Math.PI) + 0.5) + 0.1
    const cross = Array.from({ length: S }, (_, s) =>
      sum([0, 1].map((i) => -Dist.logDensity(Dist.studentT(3, 0.4, 1.5), draw.data[2 * s + i]!))),
    )
    near(estimate, sum(cross) - entropy, 1e6)
    near(mean, sum(cross.map((own, s) => q(s) * own)) - entropy, 1e4)
    expect(mean).toBeGreaterThan(0.05)
  })

  it("moves to the mean and covariance of q and the draws", () =>
    fc.assert(
      fc.property(
        parametersOf(3),
        fc.integer({ min: 5, max: 8 }).chain((count) =>
          fc.nat(1e6).map((seed) => {
            const all = Rng.normal(Rng.key(seed), new Float64Array(3 * count))
            return Array.from({ length: count }, (_, h) => [...all.subarray(3 * h, 3 * h + 3)])
          }),
        ),
        fc.constantFrom(0, 0.3, 1),
        (parameters, drawn, rate) => {
          const factor = made([3])
          const weights = drawn.map(() => 1 / drawn.length)
          const found = factor.project!(parameters, { values: drawn.flat(), weights }, rate)
          const before = covarianceOf(parameters)
          const [loc] = parameters
          const mean = loc.map((m, i) => (1 - rate) * m + rate * sum(drawn.map((x) => x[i]! / drawn.length)))
          const after = covarianceOf(found.map((slot) => [...slot]) as unknown as Parameters)
          after.forEach((row, i) => {
            expect(Math.abs(found[0]![i]! - mean[i]!)).toBeLessThan(1e-9)
            row.forEach((x, j) => {
              const within = (1 - rate) * (before[i]![j]! + (loc[i]! - mean[i]!) * (loc[j]! - mean[j]!))
              const among = sum(
                drawn.map((x) => (rate * (x[i]! - mean[i]!) * (x[j]! - mean[j]!)) / drawn.length),
              )
              expect(Math.abs(x - within - among)).toBeLessThan(
                1e-8 * Math.sqrt(row[i]! * after[j]![j]!) + 1e-11,
              )
            })
          })
        },
      ),
      runs(40),
    ))

  it("moves to a maximum of the log density where elements are NaN", () => {
    const factor = made([3])
    const values = factor.sample(Rng.key(2), some, 60).map((x, i) => ((i * 7) % 5 === 0 ? NaN : x))
    const weights = new Float64Array(60).fill(1 / 60)
    const found = factor.project!([[0, 0, 0], [0, 0, 0], new Float64Array(9)], { values, weights }, 1)
    factor.score!(found, values, weights).forEach((slopes) =>
      slopes.forEach((slope) => expect(Math.abs(slope)).toBeLessThan(1e-6)),
    )
  })

  it("stays finite where all draws are one, or are 0", () => {
    const factor = made([3])
    for (const draw of [
      [0.7, -2, 1e-9],
      [0, 0, 0],
    ])
      for (const values of [draw, draw.with(1, NaN)])
        for (const rate of [0.5, 1])
          factor.project!(some, { values, weights: [1] }, rate).forEach((slot) =>
            slot.forEach((x) => expect(x).toSatisfy(Number.isFinite)),
          )
  })

  it("refuses a bounded prior", () => {
    expect(() => made([2], Dist.uniform(0, 1))).toThrow(CompileError)
  })
})
