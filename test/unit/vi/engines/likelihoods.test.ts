import { beforeAll, describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Likelihood from "../../../../src/evidence/Likelihood.ts"
import * as Plan from "../../../../src/prob/Plan.ts"
import * as Rng from "../../../../src/random/Rng.ts"
import * as Family from "../../../../src/vi/Family.ts"
import type { Engine } from "../../../../src/vi/engines/Engine.ts"
import { engine as scalar } from "../../../../src/vi/engines/oracle/engine.ts"
import { engine as simd } from "../../../../src/vi/engines/simd/engine.ts"
import { engine as tfjs } from "../../../../src/vi/engines/tfjs/engine.ts"
import { availableBackends } from "../../../support/backends.ts"
import { dataOf, linear, relaxed, shipped } from "../../../support/densities.ts"
import { activate, elbo, softTrees } from "../../../support/ensembles.ts"

// The evidence node of every likelihood in every engine: values and gradients against the oracle's.

const samples = 2
const cases = [
  ...shipped.map((one) => [one.density.name, one, linear(one.density)] as const),
  ["the g-prior in closed form", shipped[0]!, Likelihood.selectedLinear] as const,
]

describe.each(availableBackends().map((backend) => ({ backend })))("on $backend", ({ backend }) => {
  beforeAll(() => activate(backend))
  it.each(cases)("%s has one evidence and gradient in all engines", (_, one, likelihood) => {
    const data = dataOf(one, 40)
    const model = relaxed(likelihood, 2)
    const plan = Effect.runSync(Plan.trace(model).pipe(Effect.provide(Family.meanField(model))))
    const parameters = Float64Array.from(
      Rng.normal(Rng.key(1), new Float64Array(plan.parameterCount)),
      (value) => value / 2,
    )
    const noise = Rng.uniform(Rng.key(2), new Float32Array(samples * plan.noiseCount)).map(
      (value) => value - 0.5,
    )
    const run = (engine: Engine) =>
      Effect.runSync(
        Effect.scoped(
          Effect.map(engine.compile(plan, data, softTrees(undefined), elbo(samples)), (compiled) => {
            const gradient = new Float64Array(plan.parameterCount)
            const controls = { temperature: 1, divergenceWeight: 1 }
            return { ...compiled.valueAndGradient(parameters, noise, controls, gradient), gradient }
          }),
        ),
      )
    const expected = run(scalar)
    const most = expected.gradient.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0)
    expect(Number.isFinite(expected.evidence)).toBe(true)
    expect(most).toBeGreaterThan(0)
    for (const engine of [simd, tfjs]) {
      const found = run(engine)
      expect(Math.abs(found.evidence - expected.evidence)).toBeLessThan(
        1e-4 * Math.max(1, Math.abs(expected.evidence)),
      )
      found.gradient.forEach((value, i) =>
        expect(Math.abs(value - expected.gradient[i]!)).toBeLessThan(2e-3 * most),
      )
    }
  })
})
