import * as fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import * as Scalar from "../../../../src/vi/engines/oracle/engine.ts"
import * as Simd from "../../../../src/vi/engines/simd/engine.ts"
import * as Tfjs from "../../../../src/vi/engines/tfjs/engine.ts"
import { arbitraryEnsemble, point } from "../../../../src/testing/arbitraryModel.ts"
import { availableBackends } from "../../../support/backends.ts"
import { activate, planOf, withCompiled } from "../../../support/ensembles.ts"
import { runs } from "../../../support/property.ts"
import {
  divergenceTolerance,
  type Evaluated,
  evidenceTolerance,
  undefinedSomewhere,
} from "../../../support/designs.ts"

// A whole plan on the simd engine and on every tfjs backend against the same plan in the scalar engine: objective, evidence and divergence.
// The tolerance is derived, not chosen: running error bounds through the draws and the trees to the design matrix, and
// from there to the evidence by its gradient.

interface Case extends Evaluated {
  readonly divergenceWeight: number
  readonly scale: number
  readonly seed: number
}

const cases: fc.Arbitrary<Case> = fc.record({
  ensemble: fc.oneof(
    {
      weight: 3,
      arbitrary: arbitraryEnsemble({
        depth: 5,
        operations: ["add", "mul", "sub", "sin", "tanh", "pdiv", "psqrt"],
      }),
    },
    // All operations, and those only that have no value everywhere but for their protection.
    { weight: 1, arbitrary: arbitraryEnsemble({ depth: 5, trees: 2, rows: 10 }) },
    {
      weight: 2,
      arbitrary: arbitraryEnsemble({
        depth: 3,
        operations: ["sqrt", "log", "asin", "acos", "sub"],
        pool: [],
        operators: 2,
      }),
    },
    // Constants that are fitted: the weights of their terminals are no mixture.
    {
      weight: 2,
      arbitrary: arbitraryEnsemble({
        depth: 4,
        operations: ["add", "mul", "sub", "sin", "tanh", "pdiv"],
        fitted: true,
      }),
    },
  ),
  samples: fc.integer({ min: 1, max: 3 }),
  valueClip: fc.option(fc.constantFrom(200, 3), { nil: undefined }),
  temperature: fc.constantFrom(1, 0.1, 0.5, 2),
  divergenceWeight: fc.constantFrom(1, 0, 0.3),
  scale: fc.constantFrom(1, 0, 3, 8),
  seed: fc.nat({ max: 1000 }),
})

const contenders = [
  { name: "simd", engine: Simd.engine, prepare: () => Promise.resolve() },
  ...availableBackends().map((backend) => ({
    name: `tfjs on ${backend}`,
    engine: Tfjs.engine,
    prepare: () => activate(backend),
  })),
]

describe.each(contenders)("$name", ({ engine, prepare }) => {
  beforeAll(prepare)

  it("gives the scalar engine's objective, evidence and divergence", () => {
    let total = 0
    let compared = 0
    let withValues = 0
    fc.assert(
      fc.property(cases, (item) => {
        const { ensemble, samples, seed, scale } = item
        const plan = planOf(ensemble)
        const at = point(plan, samples, seed, scale)
        const gradient = new Float64Array(plan.parameterCount)
        const ours = withCompiled(engine, plan, ensemble, item, (compiled) => ({
          plain: compiled.value(at.parameters, at.noise, item),
          differentiated: compiled.valueAndGradient(at.parameters, at.noise, item, gradient),
        }))
        const theirs = withCompiled(Scalar.engine, plan, ensemble, item, (compiled) =>
          compiled.value(at.parameters, at.noise, item),
        )
        // The value does not depend on whether the gradient is asked for.
        expect(ours.differentiated).toEqual(ours.plain)

        const divergence = divergenceTolerance(plan, ensemble, at)
        expect(Math.abs(ours.plain.divergence - theirs.divergence)).toBeLessThanOrEqual(divergence)

        // Relaxed trees are protected where operations leave their domains.
        expect(undefinedSomewhere(plan, item, at)).toBe(false)
        const evidence = evidenceTolerance(plan, item, at)
        total += 1
        // Beyond this the first order says nothing.
        if (!(evidence < 0.1)) return
        compared += 1
        if (plan.likelihood.forest.values !== undefined) withValues += 1
        expect(Math.abs(ours.plain.evidence - theirs.evidence)).toBeLessThanOrEqual(2 * evidence)
        expect(Math.abs(ours.plain.objective - theirs.objective)).toBeLessThanOrEqual(
          2 * evidence +
            2 * divergence +
            2 ** -20 * (Math.abs(theirs.evidence) + Math.abs(theirs.divergence)),
        )
        expect(gradient.every(Number.isFinite)).toBe(true)
      }),
      runs(engine === Simd.engine ? 50 : 25),
    )
    expect(compared / total).toBeGreaterThan(0.4)
    expect(withValues).toBeGreaterThan(0)
  })
})
