import { describe, expect, it } from "vitest"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Family from "../../../../src/vi/Family.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { integrate, shared, siteOf } from "../../../support/factors.ts"

// Where factors of numbers start: at their priors, or where it is said.

const { factors } = Family
const start = (maker: ReturnType<typeof factors.normal>, prior: Dist.Dist<"real">, shape = [400]) =>
  maker
    .make(siteOf("real", shared(prior), shape))
    .parameters.map(({ initialise }) => Array.from(initialise(Rng.key(2))))
const startPositive = (settings: Family.Start, prior: Dist.Dist<"positive">, shape = [1]) =>
  factors
    .logNormal(settings)
    .make(siteOf("positive", shared(prior), shape))
    .parameters.map(({ initialise }) => Array.from(initialise(Rng.key(2))))
const mean = (values: ReadonlyArray<number>): number => values.reduce((a, b) => a + b, 0) / values.length
const sd = (values: ReadonlyArray<number>): number =>
  Math.sqrt(mean(values.map((x) => (x - mean(values)) ** 2)))

describe("a normal factor", () => {
  it("starts at its prior unless it is said where", () => {
    const [loc, logScale] = start(factors.normal(), Dist.normal(3, 2), [2])
    expect(loc).toEqual([3, 3])
    expect(logScale).toEqual([Math.log(2), Math.log(2)])
  })

  it("starts around 1 where the prior reaches there, and around the prior's mean where it does not", () => {
    const settings = { sd: 0.1, scatter: 0.3 }
    for (const [prior, centre] of [
      [Dist.normal(0, 10), 1],
      [Dist.normal(0, 0.9), 0],
      [Dist.normal(5, 1), 5],
    ] as const) {
      const [loc, logScale] = start(factors.normal(settings), prior)
      // Within four standard errors of 400 elements.
      expect(Math.abs(mean(loc!) - centre)).toBeLessThan((4 * 0.3) / 20)
      expect(Math.abs(sd(loc!) / 0.3 - 1)).toBeLessThan(4 / Math.sqrt(800))
      expect(new Set(logScale)).toEqual(new Set([Math.log(0.1)]))
    }
  })

  it("starts where it is said, and no wider than its prior", () => {
    const settings = { centre: -4, sd: 0.5, scatter: 0.5 }
    const [loc, logScale] = start(factors.normal(settings), Dist.normal(0, 0.02))
    expect(Math.abs(mean(loc!) + 4)).toBeLessThan((4 * 0.02) / 20)
    expect(sd(loc!)).toBeLessThan(0.03)
    expect(new Set(logScale)).toEqual(new Set([Math.log(0.02)]))
  })
})

describe("a log-normal factor", () => {
  it("starts at E[log x] with the deviation of log x, by quadrature, where 1 is far", () => {
    for (const prior of [
      Dist.gamma(50, 1),
      Dist.inverseGamma(6, 200),
      Dist.halfNormal(40),
      Dist.logNormal(3, 0.4),
    ]) {
      const expectation = (f: (t: number) => number): number =>
        integrate((t) => f(t) * Math.exp(Dist.logDensity(prior, Math.exp(t)) + t), -30, 12, 20_000)
      const [loc, logScale] = startPositive({ sd: 100, scatter: 0 }, prior)
      const centre = expectation((t) => t)
      expect(loc![0]).toBeCloseTo(centre, 6)
      expect(Math.exp(logScale![0]!)).toBeCloseTo(Math.sqrt(expectation((t) => (t - centre) ** 2)), 6)
    }
  })

  it("starts at 1 where the prior reaches there, or where it is said in units of the number", () => {
    expect(startPositive({ sd: 0.1, scatter: 0 }, Dist.gamma(2, 1))).toEqual([[0], [Math.log(0.1)]])
    expect(startPositive({ centre: 2.5, sd: 0.1, scatter: 0 }, Dist.gamma(2, 1))[0]).toEqual([Math.log(2.5)])
  })
})
