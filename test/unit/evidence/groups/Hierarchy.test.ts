import { describe, expect, it } from "vitest"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import * as Hierarchy from "../../../../src/evidence/groups/Hierarchy.ts"
import { logSumExp } from "../../../../src/numeric/logSum.ts"
import * as Rng from "../../../../src/random/Rng.ts"

const groups = 4
const each = 6
const rows = groups * each

/** y = 1 + theta_g x + noise in four groups. */
const made = (spread: number) => {
  const normal = Rng.normal(Rng.key(5), new Float64Array(3 * rows))
  const parts = Array.from({ length: groups }, (_, g): Hierarchy.Part => {
    const x = normal.slice(g * each, (g + 1) * each)
    const slope = 0.8 + spread * normal[rows + g]!
    const y = x.map((value, i) => 1 + slope * value + 0.3 * normal[2 * rows + g * each + i]!)
    const ones = new Float64Array(each).fill(1)
    return { columns: [ones, x], z: y, y, ones }
  })
  const y = Float64Array.from(parts.flatMap((part) => Array.from(part.y)))
  const target = GPrior.target(y, { a: 3, resolution: 1e-7 })
  return { parts, y, target, law: Hierarchy.linearised(target, parts) }
}

/** log N(y; 0, covariance) for a dense covariance, by elimination. */
const logNormal = (y: Float64Array, covariance: Array<Float64Array>): number => {
  const left = covariance.map((row) => row.slice())
  const right = y.slice()
  let log = (-y.length / 2) * Math.log(2 * Math.PI)
  for (let j = 0; j < y.length; j++) {
    const pivot = left[j]![j]!
    log -= Math.log(pivot) / 2 + right[j]! ** 2 / pivot / 2
    for (let i = j + 1; i < y.length; i++) {
      const factor = left[i]![j]! / pivot
      for (let k = j; k < y.length; k++) left[i]![k]! -= factor * left[j]![k]!
      right[i]! -= factor * right[j]!
    }
  }
  return log
}

/**
 * The evidence by brute force: the dense covariance of y with the groups' slopes, the intercept and the mean slope integrated
 * out, then sums over grids of log sigma and of log g of the mean. A flat intercept is one of a wide normal prior.
 */
const brute = ({ parts, y, target }: ReturnType<typeof made>, logG: number): number => {
  const wide = 1e4
  const all = Float64Array.from(parts.flatMap(({ columns }) => Array.from(columns[1]!)))
  const square = all.reduce((sum, value) => sum + value * value, 0)
  const ratio = Math.exp(logG) / square
  const of = (row: number): number => Math.floor(row / each)
  // The information of the mean slope beside the intercept, in whitened rows: by inverting W densely, with two columns.
  const whitened = (columns: ReadonlyArray<Float64Array>): number => {
    let [aa, ab, bb] = [0, 0, 0]
    for (let g = 0; g < groups; g++) {
      const x = parts[g]!.columns[1]!
      const own = columns.map((column) => column.subarray(g * each, (g + 1) * each))
      const dot = (u: Float64Array, v: Float64Array): number =>
        u.reduce((sum, value, i) => sum + value * v[i]!, 0)
      const shrink = ratio / (1 + ratio * dot(x, x))
      const inner = (u: Float64Array, v: Float64Array): number => dot(u, v) - shrink * dot(u, x) * dot(v, x)
      aa += inner(own[0]!, own[0]!)
      ab += inner(own[0]!, own[1]!)
      bb += inner(own[1]!, own[1]!)
    }
    return bb - (ab * ab) / aa
  }
  const ones = new Float64Array(rows).fill(1)
  const information = whitened([ones, all])
  const logs: Array<number> = []
  const [stepSigma, stepG] = [0.1, 0.5]
  for (let s = -2.5; s <= 0.5; s += stepSigma)
    for (let t = -6; t <= 14; t += stepG) {
      const [variance, g] = [Math.exp(2 * s), Math.exp(t)]
      const covariance = Array.from({ length: rows }, (_, i) =>
        Float64Array.from({ length: rows }, (_unused, j) => {
          const both = all[i]! * all[j]!
          return (
            variance * ((i === j ? 1 : 0) + (of(i) === of(j) ? ratio * both : 0) + (g / information) * both) +
            wide ** 2
          )
        }),
      )
      const logPrior = Math.log((target.a - 2) / (2 * rows)) + t - (target.a / 2) * Math.log1p(g / rows)
      // p(sigma^2) = 1 / sigma^2 is 2 d log sigma.
      logs.push(logNormal(y, covariance) + logPrior + Math.log(2 * stepSigma * stepG))
    }
  const flat = Math.log(wide * Math.sqrt(2 * Math.PI)) - Math.log(Math.sqrt(target.tss / rows))
  return logSumExp(logs) + flat
}

describe("Hierarchy", () => {
  it("is the evidence without groups where nothing varies", () => {
    const { law, target, parts, y } = made(0)
    const all = Hierarchy.logEvidence(law, Hierarchy.whiten(law, [], []))
    const x = Float64Array.from(parts.flatMap(({ columns }) => Array.from(columns[1]!)))
    const [mx, my] = [x, y].map((v) => v.reduce((a, b) => a + b, 0) / rows) as [number, number]
    let [sxx, sxy] = [0, 0]
    x.forEach((value, i) => {
      sxx += (value - mx) ** 2
      sxy += (value - mx) * (y[i]! - my)
    })
    expect(all).toBeCloseTo(GPrior.logEvidence({ ...target, rank: 1, rss: target.tss - sxy ** 2 / sxx }), 8)
  })

  it.each([-2, 2, 5])(
    "is that of the dense covariance, quadrature over sigma and g, at log g = %d",
    (logG) => {
      const problem = made(0.5)
      const closed = Hierarchy.logEvidence(problem.law, Hierarchy.whiten(problem.law, [1], [logG]))
      expect(Math.abs(closed - brute(problem, logG))).toBeLessThan(0.02)
    },
  )

  it.each([0, 0.05, 0.5])("integrates two spreads as a grid does, spread %d", (spread) => {
    const { law, target } = made(spread)
    const found = Hierarchy.integrated(law, [0, 1], Hierarchy.mode(law, [0, 1]))
    const step = 0.5
    const logs: Array<number> = []
    const prior = (t: number): number =>
      Math.log((target.a - 2) / (2 * rows)) + t - (target.a / 2) * Math.log1p(Math.exp(t) / rows)
    for (let t = -14; t < 20; t += step)
      for (let u = -14; u < 20; u += step)
        logs.push(
          Hierarchy.logEvidence(law, Hierarchy.whiten(law, [0, 1], [t, u])) +
            prior(t) +
            prior(u) +
            2 * Math.log(step),
        )
    expect(Math.abs(found - logSumExp(logs))).toBeLessThan(0.1)
  })
})
