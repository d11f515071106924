// Priors of fitted constants, in the ranking, against numerical integration.
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Columns from "../../../../src/evidence/columns.ts"
import * as Prior from "../../../../src/evidence/fitted/jointPrior.ts"
import * as Selected from "../../../../src/evidence/selected.ts"
import * as Operator from "../../../../src/expr/Operator.ts"
import { logSumExp } from "../../../../src/numeric/logSum.ts"
import * as Constant from "../../../../src/prob/Constant.ts"
import * as Dist from "../../../../src/prob/Dist.ts"
import * as Grammar from "../../../../src/prob/Grammar.ts"
import * as Tree from "../../../../src/prob/Tree.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import { midpoints } from "../../../support/midpoints.ts"
import { dataset, problem } from "../../../support/selected.ts"

const shared = Constant.hierarchical({ scale: Dist.logNormal(0, 1.5), given: (s) => Dist.normal(0, s) })
const priors: Readonly<Record<string, Constant.Fitted>> = {
  Laplace: Constant.fitted(Dist.laplace(0, 2)),
  "Student-t": Constant.fitted(Dist.studentT(3, 0, 2)),
  uniform: Constant.fitted(Dist.uniform(1.2, 4)),
  "a latent scale of normal numbers": shared,
  "a latent scale of Laplace numbers": Constant.hierarchical({
    scale: Dist.inverseGamma(2, 2),
    given: (s) => Dist.laplace(0, s),
  }),
}

/** y = 2 sin(1.7 a) with noise, and its evidence given the number in sin(c a), integrated out or not. */
const make = (constant: Constant.Fitted, noise: number) => {
  const grammar = Grammar.make({
    features: ["a"],
    operators: [Operator.mul, Operator.sin],
    constants: { c: constant },
  })
  const generator = Rng.generator(Rng.key(5))
  const a = Float64Array.from({ length: 60 }, () => 0.5 + 2 * generator.next())
  const y = a.map((x) => 2 * Math.sin(1.7 * x) + noise * generator.normal())
  const { likelihood } = problem(grammar, { trees: 2, depth: 3 })
  const columns = Effect.runSync(Columns.make(grammar, dataset({ a }, y)))
  const selected = Selected.make(likelihood, columns, y)
  const trees = (value?: number) => [Tree.branch(1, [Tree.branch(0, [Tree.leaf(1, value), Tree.leaf(0)])])]
  return { selected, trees }
}

describe("a number under a prior", () => {
  for (const [name, constant] of Object.entries(priors))
    it(`is found, and integrated out as numerical integration has it: ${name}`, () => {
      for (const noise of [0.02, 0.3]) {
        const { selected, trees } = make(constant, noise)
        const refined = selected.fitConstants(0, trees(1.5))!
        const [number, deviation] = [refined.numbers[0]!, refined.deviations[0]!]
        expect(Math.abs(number - 1.7)).toBeLessThan(4 * deviation)
        const points = 800
        const box = [number - 8 * deviation, number + 8 * deviation] as const
        const heights = midpoints([box], points).map(
          ([value]) =>
            selected.assess(0, trees(value))!.logEvidence + Dist.logDensity(constant.prior, value!),
        )
        const exact = logSumExp(heights) + Math.log((box[1] - box[0]) / points)
        const approximate = selected.assess(0, refined.trees)!.logEvidence + refined.logVolume
        expect(Math.abs(approximate - exact)).toBeLessThan(0.05)
      }
    })

  it("that does not have 1 begins where it is", () => {
    const constant = Constant.fitted(Dist.uniform(1.4, 2.2))
    expect(Constant.startOf(constant)).toBeCloseTo(1.8, 12)
    expect(Constant.startOf(Constant.fitted(Dist.laplace(5, 1)))).toBe(1)
    expect(Constant.startOf(shared)).toBe(1)
    const { selected, trees } = make(constant, 0.1)
    expect(selected.fitConstants(0, trees())!.numbers[0]).toBeCloseTo(1.7, 1)
    // Outside of the support there is no law.
    expect(selected.fitConstants(0, trees(1.1))).toBeUndefined()
  })
})

describe("numbers with a latent scale", () => {
  it("are Student-t distributed where the variance is inverse gamma distributed", () => {
    const [shape, rate] = [2.5, 3]
    const { prior } = Constant.hierarchical({
      scale: Dist.inverseGamma(shape, rate),
      given: (variance) => Dist.normal(0, Math.sqrt(variance)),
    })
    const closed = Dist.studentT(2 * shape, 0, Math.sqrt(rate / shape))
    for (const x of [-30, -2, 0, 0.4, 5, 100]) {
      expect(Dist.logDensity(prior, x)).toBeCloseTo(Dist.logDensity(closed, x), 8)
      const [own, other] = [Dist.derivatives(prior, x), Dist.derivatives(closed, x)]
      expect(own.slope).toBeCloseTo(other.slope, 8)
      expect(own.curvature).toBeCloseTo(other.curvature, 8)
    }
    expect(Dist.mean(prior)[0]).toBeCloseTo(0, 12)
    expect(Dist.variance(prior)[0]).toBeCloseTo(Dist.variance(closed)[0]!, 6)
    const draws = Dist.sample(prior, Rng.key(3), 20_000)
    // The share within one scale of the median, five standard errors.
    const within = draws.filter((x) => Math.abs(x) < 1).length / draws.length
    const density = midpoints([[-1, 1]], 400).map(([x]) => Dist.logDensity(closed, x!))
    expect(Math.abs(within - Math.exp(logSumExp(density)) / 200)).toBeLessThan(
      5 * Math.sqrt(0.25 / draws.length),
    )
  })

  it("have the joint density that integration over the scale gives, and the derivatives that differences have", () => {
    const joint = Prior.joint([4, 4, 4], () => shared)
    const scale = Dist.logNormal(0, 1.5)
    for (const numbers of [
      [0.5, -0.7, 1.2],
      [20, 31, -18],
      [1e-3, 2, 400],
    ]) {
      const cells = 4000
      const logs = midpoints([[-16, 16]], cells).map(
        ([t]) =>
          t! +
          Dist.logDensity(scale, Math.exp(t!)) +
          numbers.reduce((sum, x) => sum + Dist.logDensity(Dist.normal(0, Math.exp(t!)), x), 0),
      )
      const { log, slope, precision } = joint(numbers)
      expect(log).toBeCloseTo(logSumExp(logs) + Math.log(32 / cells), 7)
      numbers.forEach((x, j) => {
        const h = 1e-4 * Math.abs(x)
        const [below, above] = [joint(numbers.with(j, x - h)), joint(numbers.with(j, x + h))]
        const tolerance = 1e-5 * (1 + Math.abs(slope[j]!))
        expect(Math.abs(slope[j]! - (above.log - below.log) / (2 * h))).toBeLessThan(tolerance)
        if (precision[1] !== 0)
          numbers.forEach((_, k) => {
            const bend = (below.slope[k]! - above.slope[k]!) / (2 * h)
            expect(Math.abs(precision[3 * j + k]! - bend)).toBeLessThan(1e-4 * (1 + Math.abs(bend)))
          })
      })
    }
  })

  it("of one size are likelier together than numbers of different sizes, each as likely by itself", () => {
    const two = Prior.joint([0, 0], () => shared)
    const apart = Prior.joint([0, 1], () => shared)
    const of = (x: number, y: number) => two([x, y]).log - apart([x, y]).log
    expect(of(10, 10)).toBeGreaterThan(0.3)
    expect(of(0.05, 10)).toBeLessThan(-0.3)
  })
})
