// An objective at a point, to be compared between engines, of models over five rows with features a and b.
import * as Effect from "effect/Effect"
import type * as Plan from "../../src/prob/Plan.ts"
import type { Engine } from "../../src/vi/engines/Engine.ts"
import { elbo, softTrees } from "./ensembles.ts"
import { dataset } from "./selected.ts"

export const data = dataset(
  { a: [0.5, 1, 1.7, 2.2, -0.4], b: [1.2, 0.3, 2, 0.9, 0.1] },
  [0.4, -1.1, 0.2, 1.3, 0.7],
)

/** The ELBO of a plan and its gradient on an engine. */
export const evaluatorOf =
  (plan: Plan.Plan, samples: number) =>
  (engine: Engine, parameters: Float64Array, noise: Float32Array, temperature = 0.8) => {
    const gradient = new Float64Array(plan.parameterCount)
    const result = Effect.map(engine.compile(plan, data, softTrees(200), elbo(samples)), (compiled) =>
      compiled.valueAndGradient(parameters, noise, { temperature, divergenceWeight: 1 }, gradient),
    )
    return { ...Effect.runSync(Effect.scoped(result)), gradient }
  }

interface Gradient {
  readonly gradient: Float64Array
}

/** The largest difference of two slopes, as a share of 1 more than the size of the second. */
export const worstSlope = ({ gradient }: Gradient, reference: Gradient): number =>
  gradient.reduce(
    (most, slope, i) =>
      Math.max(most, Math.abs(slope - reference.gradient[i]!) / (1 + Math.abs(reference.gradient[i]!))),
    0,
  )
