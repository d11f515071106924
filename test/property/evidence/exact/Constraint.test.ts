import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Constraint from "../../../../src/evidence/exact/Constraint.ts"
import * as Exact from "../../../../src/evidence/exact/Exact.ts"
import { freeBefore, restriction, type State } from "../../../../src/evidence/exact/Hypothesis.ts"
import * as Restricted from "../../../../src/evidence/exact/restricted.ts"
import { free } from "../../../../src/evidence/exact/restrictedFit.ts"
import * as GPrior from "../../../../src/evidence/gPrior.ts"
import { leastSquares } from "../../../../src/numeric/leastSquares.ts"
import { unitVector } from "../../../../src/numeric/unitVector.ts"
import * as Rng from "../../../../src/random/Rng.ts"

/** A regression on some columns of normal numbers, the first of them 1. */
const problem = (seed: number, rows: number, slopes: number) => {
  const random = Rng.generator(Rng.key(seed))
  const drawn = (): Float64Array => Float64Array.from({ length: rows }, () => random.normal())
  const design = [new Float64Array(rows).fill(1), ...Array.from({ length: slopes }, drawn)]
  const errors = drawn()
  const y = errors.map((error, i) =>
    design.reduce((sum, column, k) => sum + (k + 0.5) * column[i]!, 0.3 * error),
  )
  const target = GPrior.target(y, { a: 3, resolution: 0 })
  const { geometry } = free({ y, way: undefined, design }, target, leastSquares(design, y).coefficients)!
  return { target, geometry }
}

const ratio = (value: number): State => ({ _tag: "Ratio", exact: Exact.one, value })
const fixed = (value: number): State => ({ _tag: "Fixed", exact: Exact.one, value })

describe("a further constraint on a restricted fit", () => {
  it("gives the fit of both restrictions, a coefficient being known or in a ratio to others", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 2, max: 4 }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.boolean(),
        (seed, slopes, value, isRatio) => {
          fc.pre(Math.abs(value) > 1e-3)
          const { target, geometry } = problem(seed, slopes + 6, slopes)
          // The first slope is the shared scale, the intercept known; the second slope is to follow.
          const before: ReadonlyArray<State> = geometry.estimate.reduce<Array<State>>(
            (all, _, k) => [...all, k === 0 ? fixed(0.5) : k === 1 ? ratio(1) : { _tag: "Free" }],
            [],
          )
          const after = before.map((state, k) => (k === 2 ? (isRatio ? ratio : fixed)(value) : state))
          const from = Restricted.constrain(target, geometry, restriction(before))!
          const whole = Restricted.constrain(target, geometry, restriction(after))!
          const own = from.whitened(unitVector(from.estimate.length, freeBefore(before, 2)))
          const scale = from.whitened(unitVector(from.estimate.length, from.estimate.length - 1))
          const now = from.estimate[freeBefore(before, 2)]!
          const further = Constraint.add(
            target,
            from,
            isRatio
              ? {
                  gap: value * from.estimate.at(-1)! - now,
                  across: own.map((w, i) => w - value * scale[i]!),
                }
              : { gap: value - now, across: own },
          )
          expect(further.logIntegral).toBeCloseTo(whole.logIntegral(whole.rss), 8)
          expect(from.estimate.at(-1)! + further.move(scale)).toBeCloseTo(whole.estimate.at(-1)!, 8)
        },
      ),
      { seed: 7, numRuns: 200 },
    )
  })
})
