import * as fc from "fast-check"
import { beforeAll, expect, it } from "vitest"
import type * as Plan from "../../../../src/prob/Plan.ts"
import * as Scalar from "../../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../../src/vi/engines/simd/engine.ts"
import * as Tfjs from "../../../../src/vi/engines/tfjs/engine.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import {
  arbitraryEnsemble,
  type Ensemble,
  point,
  type Point,
} from "../../../../src/testing/arbitraryModel.ts"
import { availableBackends } from "../../../support/backends.ts"
import { divergenceTolerance, type Evaluated, evidenceTolerance } from "../../../support/designs.ts"
import { activate, everywhere, planOf, withCompiled } from "../../../support/ensembles.ts"
import { runs } from "../../../support/property.ts"

// The gradient that the simd engine and tfjs find, by every parameter, against central differences of the scalar engine in float64.

interface Case extends Evaluated {
  readonly divergenceWeight: number
  readonly scale: number
  readonly seed: number
}

const small = { depth: 2, trees: 2, rows: 6, features: 2, operators: 3, constants: 1 }
const deep = { ...small, depth: 5, trees: 1, rows: 5, operators: 2 }

const items: fc.Arbitrary<Case> = fc.record({
  ensemble: fc.oneof(
    { weight: 4, arbitrary: arbitraryEnsemble({ ...small, operations: everywhere }) },
    { weight: 1, arbitrary: arbitraryEnsemble({ ...small, pool: [] }) },
    { weight: 2, arbitrary: arbitraryEnsemble({ ...small, operations: everywhere, fitted: true }) },
    { weight: 2, arbitrary: arbitraryEnsemble({ ...deep, operations: everywhere }) },
  ),
  samples: fc.integer({ min: 1, max: 2 }),
  valueClip: fc.constantFrom(20, 200, undefined),
  temperature: fc.constantFrom(1, 0.5, 2),
  divergenceWeight: fc.constantFrom(1, 0.3),
  scale: fc.constantFrom(1, 0, 3),
  seed: fc.nat({ max: 1000 }),
})

const central = (plan: Plan.Plan, ensemble: Ensemble, item: Case, at: Point): Float64Array => {
  const gradient = new Float64Array(plan.parameterCount)
  withCompiled(Scalar.engine, plan, ensemble, item, (compiled) =>
    compiled.valueAndGradient(at.parameters, at.noise, item, gradient),
  )
  return gradient
}

/** Numbers moved by what float32 may move them: some units in the last place, or 1e-7 around zero. */
const nudged = <A extends Float32Array | Float64Array>(values: A, key: Rng.Key): A => {
  const moved = values.slice()
  Rng.normal(key, new Float64Array(values.length)).forEach((z, i) => {
    moved[i]! += z * (1e-7 + 2 ** -22 * Math.abs(values[i]!))
  })
  // `slice` of either type of array is of that type, which TypeScript cannot say of a union.
  return moved as A
}

/**
 * How much the gradient changes when everything that goes in is nudged: at a kink or a pole this is large, and says
 * that float32 cannot tell.
 */
const spreadOf = (plan: Plan.Plan, item: Case, at: Point, gradient: Float64Array): Float64Array => {
  const spread = new Float64Array(gradient.length)
  for (let repetition = 0; repetition < 2; repetition++) {
    const [one, two, three] = Rng.split(Rng.fold(Rng.key(99), repetition), 3)
    const { data } = item.ensemble
    const columns = data.columns.map((column, j) => nudged(column, Rng.fold(three, j)))
    const moved = central(plan, { ...item.ensemble, data: { ...data, columns } }, item, {
      parameters: nudged(at.parameters, one),
      noise: nudged(at.noise, two),
    })
    moved.forEach((slope, i) => {
      const change = Math.abs(slope - gradient[i]!)
      spread[i] = Number.isNaN(change) ? Infinity : Math.max(spread[i]!, change)
    })
  }
  return spread
}

const backends = availableBackends()
beforeAll(async () => {
  for (const backend of backends) await activate(backend)
})

const contenders = [
  { name: "simd", engine: Simd.engine, prepare: () => Promise.resolve() },
  ...backends.map((backend) => ({
    name: `tfjs on ${backend}`,
    engine: Tfjs.engine,
    prepare: async () => void (await activate(backend)),
  })),
]

it(`differentiates random models on ${contenders.map(({ name }) => name).join(", ")}`, async () => {
  let total = 0
  let compared = 0
  let cases = 0
  let lost = 0
  let withValues = 0
  await fc.assert(
    fc.asyncProperty(items, async (item) => {
      const { ensemble, samples, seed, scale } = item
      const plan = planOf(ensemble)
      const at = point(plan, samples, seed, scale)
      total += plan.parameterCount
      // Where float32 does not even determine the value there is no gradient to compare.
      if (!(evidenceTolerance(plan, item, at) < 0.01)) return
      const expected = central(plan, ensemble, item, at)
      const spread = spreadOf(plan, item, at, expected)
      const largest = expected.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0)
      const floor = 1e-4 * (1 + largest) + divergenceTolerance(plan, ensemble, at)
      const tolerance = spread.map((change) => 20 * change + floor)
      const usable = Array.from(tolerance, (value) => value < 0.02 * (1 + largest))
      compared += usable.filter(Boolean).length
      for (const { site } of plan.likelihood.forest.values ?? [])
        for (const { offset, length } of plan.parameters.filter((slot) => slot.site === site))
          withValues += usable.slice(offset, offset + length).filter(Boolean).length
      for (const { name, engine, prepare } of contenders) {
        await prepare()
        const found = new Float64Array(plan.parameterCount)
        withCompiled(engine, plan, ensemble, item, (compiled) =>
          compiled.valueAndGradient(at.parameters, at.noise, item, found),
        )
        cases += 1
        if (!found.every(Number.isFinite)) {
          lost += 1
          continue
        }
        const wrong = Array.from(found, (slope, i) => ({ name, i, slope, expected: expected[i]! })).filter(
          ({ slope, i }) =>
            !(Math.abs(slope - expected[i]!) <= tolerance[i]!) && Number.isFinite(tolerance[i]!),
        )
        expect(wrong).toEqual([])
      }
    }),
    runs(35),
  )
  // A slope may leave the range of float32 where the value does not (the square of a denominator of 1e-25, x^x of 30):
  // the gradient is NaN then, and a fit skips the step.
  expect(lost / cases).toBeLessThan(0.02)
  expect(compared / total).toBeGreaterThan(0.4)
  expect(withValues).toBeGreaterThan(20)
})
