// The evidence of several responses under one set of coefficients.
import { describe, expect, it } from "vitest"
import * as GPrior from "../../../src/evidence/gPrior.ts"
import * as Together from "../../../src/evidence/gPriorTogether.ts"

const target = (rows: number, tss: number): GPrior.Target => ({ rows, tss, rounding: 1e-14 * tss, a: 3 })

describe("the evidence of several responses", () => {
  it("is that of one where there is one", () => {
    for (const [rows, tss, rank, rss] of [
      [20, 3, 2, 1.1],
      [200, 50, 5, 0.01],
      [12, 1, 1, 0.99],
    ] as const)
      expect(Together.logEvidence([target(rows, tss)], rank, [rss])).toBeCloseTo(
        GPrior.logEvidence({ ...target(rows, tss), rank, rss }),
        6,
      )
  })

  it("is the integral over g and the noise scale of each", () => {
    // By brute force: p coefficients under N(0, g (sum_k Xk'Xk / s_k^2)^-1), flat intercepts, 1 / s_k^2; a grid over log g.
    const [one, two] = [target(15, 4), target(25, 9)]
    const [rank, rss] = [3, [1, 0.5]] as const
    const n = one.rows + two.rows
    let sum = 0
    const step = 0.002
    for (let t = -40; t < 40; t += step) {
      const g = Math.exp(t)
      const part = (of: GPrior.Target, left: number): number =>
        ((of.tss + g * left) / (1 + g) / of.tss) ** (-(of.rows - 1) / 2)
      sum +=
        step *
        g *
        (1 + g) ** (-rank / 2) *
        part(one, rss[0]) *
        part(two, rss[1]) *
        (1 / (2 * n)) *
        (1 + g / n) ** -1.5
    }
    const expected = GPrior.logNull(one) + GPrior.logNull(two) + Math.log(sum)
    expect(Together.logEvidence([one, two], rank, rss)).toBeCloseTo(expected, 5)
  })

  it("falls with a sum of squares, with numbers, and is that of the means without numbers", () => {
    const outputs = [target(30, 4), target(30, 9)]
    const of = (rank: number, ...rss: ReadonlyArray<number>): number =>
      Together.logEvidence(outputs, rank, rss)
    expect(of(2, 1, 1)).toBeGreaterThan(of(2, 1, 1.2))
    expect(of(2, 1, 1)).toBeGreaterThan(of(3, 1, 1))
    expect(of(0, 4, 9)).toBe(GPrior.logNull(outputs[0]!) + GPrior.logNull(outputs[1]!))
  })
})
