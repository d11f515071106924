// The inferences of the matrix of exactness: objectives, optimisers and lengths, and the distance of two posteriors.
import * as Layer from "effect/Layer"
import * as Fit from "../../src/infer/Fit.ts"
import * as Stop from "../../src/infer/Stop.ts"
import * as Backend from "../../src/vi/Backend.ts"
import * as Objective from "../../src/vi/Objective.ts"
import * as Optimizer from "../../src/vi/Optimizer.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Schedule from "../../src/vi/Schedule.ts"

export const objectives = {
  elbo: (samples: number) => Objective.elbo({ samples }),
  importanceWeighted: (samples: number) => Objective.importanceWeighted({ samples }),
  renyi: (samples: number) => Objective.renyi({ samples, alpha: 0.5 }),
}
export type ObjectiveName = keyof typeof objectives

const adam = (learningRate: Schedule.Schedule) =>
  Optimizer.layer(Optimizer.chain(Optimizer.clipByNorm(5), Optimizer.adamW({ learningRate })))
export const relaxations = {
  concrete: (temperature: Schedule.Schedule) => Relaxation.concrete({ temperature }),
  straightThrough: (temperature: Schedule.Schedule) => Relaxation.straightThrough({ temperature }),
  gumbelRao: (temperature: Schedule.Schedule) => Relaxation.gumbelRao({ temperature, samples: 10 }),
}
/** A fit by relaxed draws. */
export const relaxed = (
  objective: ObjectiveName,
  steps: number,
  relaxation: keyof typeof relaxations = "concrete",
) =>
  Layer.mergeAll(
    Backend.layer("simd"),
    relaxations[relaxation](Schedule.linear(1, 0.3, steps)),
    objectives[objective](8),
    adam(Schedule.exponential(0.1, 0.01, steps)),
    Stop.layer({ steps }),
    Fit.seed(1),
  )
/** A fit by hard draws. */
export const hard = (objective: ObjectiveName, steps: number) =>
  Layer.mergeAll(
    objectives[objective](16),
    adam(Schedule.exponential(0.1, 0.005, steps)),
    Stop.layer({ steps }),
    Fit.seed(1),
  )

/** Total variation distance of two distributions over texts. */
export const distance = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number =>
  [...new Set([...one.keys(), ...other.keys()])].reduce(
    (sum, key) => sum + Math.abs((one.get(key) ?? 0) - (other.get(key) ?? 0)) / 2,
    0,
  )
