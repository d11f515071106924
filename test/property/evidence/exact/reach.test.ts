import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as Constants from "../../../../src/evidence/exact/Constants.ts"
import {
  free,
  type Hypothesis,
  type Problem,
  restriction,
} from "../../../../src/evidence/exact/Hypothesis.ts"
import { logDensity } from "../../../../src/evidence/exact/hypothesisPrior.ts"
import { search } from "../../../../src/evidence/exact/HypothesisSearch.ts"
import { reach } from "../../../../src/evidence/exact/reach.ts"
import * as Restricted from "../../../../src/evidence/exact/restricted.ts"
import * as RestrictedFit from "../../../../src/evidence/exact/restrictedFit.ts"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import * as Rng from "../../../../src/random/Rng.ts"

const prior = Constants.defaults
const table = Constants.tableOf(prior)

/** A regression whose coefficients, and numbers inside of terms, are exact numbers or not, with columns that are alike or not. */
const regressions = fc.record({
  rows: fc.integer({ min: 8, max: 40 }),
  slopes: fc.array(
    fc.oneof(fc.constantFrom(1, 2, -1, 0.5, 3, Math.PI), fc.double({ min: -9, max: 9, noNaN: true })),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  inner: fc.array(fc.oneof(fc.constantFrom(1, 2, 3, 0.5), fc.double({ min: 0.1, max: 9, noNaN: true })), {
    maxLength: 2,
  }),
  intercept: fc.constantFrom(0, 1, 0.37),
  noise: fc.constantFrom(1e-6, 1e-3, 0.03, 1),
  alike: fc.constantFrom(0, 0.9, 0.999),
  logarithmic: fc.boolean(),
  seed: fc.integer({ min: 0, max: 1000 }),
})

const problemOf = (
  one: typeof regressions extends fc.Arbitrary<infer A> ? A : never,
): Problem | undefined => {
  const { rows, slopes, inner, intercept, noise, alike, logarithmic, seed } = one
  const key = Rng.key(seed)
  const common = Rng.normal(Rng.fold(key, "common"), new Float64Array(rows))
  const columns = [...slopes, ...inner].map((_, j) =>
    Rng.normal(Rng.fold(key, j), new Float64Array(rows)).map(
      (value, i) => alike * common[i]! + Math.sqrt(1 - alike * alike) * value,
    ),
  )
  const errors = Rng.normal(Rng.fold(key, "errors"), new Float64Array(rows))
  // Numbers inside of terms are where they are, but for the noise.
  const y = errors.map((error, i) =>
    slopes.reduce((sum, b, j) => sum + b * columns[j]![i]!, intercept + noise * error),
  )
  const design = [new Float64Array(rows).fill(1), ...columns]
  const target = GPrior.target(y, { a: 3, resolution: 1e-12 })
  const fit = RestrictedFit.free({ y, way: undefined, design }, target, new Float64Array(design.length))
  if (fit === undefined || fit.kept.length < design.length) return undefined
  const linear = !logarithmic
  const own = Constants.ofLaw(prior, slopes.length, logarithmic)
  return { target, geometry: fit.geometry, prior: own, table, logarithmic, linear, inner }
}

const logOf = (problem: Problem, { states, logMass }: Hypothesis): number => {
  const restricted = Restricted.constrain(problem.target, problem.geometry, restriction(states))
  if (restricted === undefined) return -Infinity
  const { rss, estimate, logIntegral } = restricted
  return logIntegral(rss) - logDensity(problem, states, estimate) + logMass
}

it("no hypothesis that a search finds raises the free one by more", () => {
  let bounds = 0
  fc.assert(
    fc.property(regressions, (one) => {
      const problem = problemOf(one)
      if (problem === undefined) return
      const [freely, ...others] = search(problem, 60)
      expect(freely!.states.every((state) => state === free)).toBe(true)
      const gain = Math.max(0, ...others.map((each) => logOf(problem, each) - logOf(problem, freely!)))
      const bound = reach(problem)
      if (bound < gain + 10) bounds++
      expect(gain).toBeLessThanOrEqual(bound + 1e-6)
    }),
    { numRuns: 400, seed: 5 },
  )
  // A bound that is above all gains by far would hold, too.
  expect(bounds).toBeGreaterThan(200)
})
