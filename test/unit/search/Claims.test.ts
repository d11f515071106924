import { describe, expect, it } from "vitest"
import * as WorkingResponse from "../../../src/evidence/workingResponse.ts"
import * as Link from "../../../src/prob/Link.ts"
import * as Rng from "../../../src/random/Rng.ts"
import * as Claims from "../../../src/search/Claims.ts"
import * as LawResiduals from "../../../src/search/LawResiduals.ts"

describe("claims to the lead", () => {
  const wrong = (claim: { readonly score: number }) => ({ ...claim, score: claim.score - 100 })
  const taken = (
    scores: ReadonlyArray<number>,
    check: typeof wrong,
    lead?: number,
  ): ReadonlyArray<number> => {
    const admitted: Array<number> = []
    Claims.settle(
      scores.map((score) => ({ score })),
      check,
      ({ score }) => admitted.push(score),
      lead,
    )
    return admitted
  }

  it("are checked from the highest on, and are admitted with their true scores", () => {
    expect(taken([1, 3, 2], (claim) => (claim.score === 3 ? wrong(claim) : claim))).toEqual([-97, 2, 1])
  })

  it("are not looked at after eight in turn that were wrong", () => {
    const scores = Array.from({ length: 20 }, (_, i) => 100 - i)
    expect(taken(scores, wrong)).toEqual([0, -1, -2, -3, -4, -5, -6, -7])
    // Those below the lead of all responses are no claim to it.
    expect(taken(scores, wrong, 83)).toEqual([0, -1, -2, -3, -4, -5, -6, -7, 82, 81])
    expect(taken(scores, (claim) => (claim.score % 5 === 0 ? claim : wrong(claim)))).toHaveLength(20)
  })
})

describe("residuals of a law on the scale of y", () => {
  const rows = 400
  const [uniform, errors] = [
    Rng.uniform(Rng.key(1), new Float64Array(rows)),
    Rng.normal(Rng.key(2), new Float64Array(rows)),
  ]
  // y = log(eta) around 20 with noise of standard deviation 5.
  const law = uniform.map((value) => 10 + 20 * value)
  const y = law.map((value, i) => value + 5 * errors[i]!)
  const working = WorkingResponse.make(Link.exp, y)!
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)
  const mean = sum(y) / rows

  it("are those of the link's inverse, where the working response has them far too small", () => {
    const residuals = LawResiduals.make([working], y, () => undefined)
    const eta = new Float64Array(rows).fill(1)
    const { z, w } = working.respond(law)
    const claimed = sum(z.map((value, i) => (w[i]! * (value - eta[i]!)) ** 2))
    expect(residuals.rss(0, eta)).toBeCloseTo(sum(y.map((value) => value ** 2)), 6)
    expect(claimed).toBeLessThan(0.1 * sum(y.map((value) => value ** 2)))
    expect(claimed).toBeLessThan(1.1 * sum(y.map((value, i) => 1 + (value - law[i]!) ** 2)))
    expect(residuals.rss(0, law.map(Math.exp))).toBeCloseTo(25 * sum(errors.map((value) => value ** 2)), 6)
  })

  it("are those of the mean where the law is not defined, by the weights of the rows", () => {
    const by = Float64Array.from({ length: rows }, (_, i) => (i === 0 ? 2 : 0))
    const residuals = LawResiduals.make([working], y, () => ({ by, count: 1, logDensity: 0 }))
    expect(residuals.rss(0, new Float64Array(rows).fill(-1))).toBeCloseTo((2 * (y[0]! - mean)) ** 2, 9)
  })

  it("are not there of y itself, nor of a density's linear part", () => {
    const itself = WorkingResponse.make(Link.identity, y)!
    const residuals = LawResiduals.make([itself, { ...working, rough: true }, working], y, () => undefined)
    expect([0, 1, 2].map(residuals.areChecked)).toEqual([false, false, true])
  })
})
