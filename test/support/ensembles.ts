// Random ensembles, compiled: what the property tests of engines share.
import * as Effect from "effect/Effect"
import type { Compiled, Engine, ObjectiveForm, SoftTrees } from "../../src/vi/engines/Engine.ts"
import * as Plan from "../../src/prob/Plan.ts"
import type { Relaxable } from "../../src/prob/Observation.ts"
import * as Family from "../../src/vi/Family.ts"
import * as Objective from "../../src/vi/Objective.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Backend from "../../src/vi/Backend.ts"
import type { Ensemble } from "../../src/testing/arbitraryModel.ts"
import { binaryOperations, unaryOperations } from "../../src/testing/arbitraryTerm.ts"
import type { TestBackend } from "./backends.ts"

/** Operations with a value everywhere. The others make NaN of most random trees, which leaves little to compare. */
export const everywhere = [...unaryOperations, ...binaryOperations].filter(
  (operation) => !["sqrt", "log", "asin", "acos", "exp", "div", "pow"].includes(operation),
)

/** Makes a backend the active one; for `beforeAll`. */
export const activate = (backend: TestBackend): Promise<unknown> => Effect.runPromise(Backend.select(backend))

/** The plan of an ensemble under the mean-field family. */
export const planOf = ({ model }: Ensemble): Plan.Plan<Relaxable> =>
  Effect.runSync(
    Plan.trace(model).pipe(Effect.flatMap(Plan.relaxable), Effect.provide(Family.meanField(model))),
  )

/** The concrete relaxation as engines see it. */
export const softTrees = (valueClip: number | undefined): SoftTrees => {
  const settings = { temperature: () => 1, ...(valueClip !== undefined && { valueClip }) }
  const { soft } = Effect.runSync(Relaxation.Relaxation.pipe(Effect.provide(Relaxation.concrete(settings))))
  return soft
}

/** The evidence lower bound as engines see it. */
export const elbo = (samples: number): ObjectiveForm => {
  const objective = Effect.runSync(Objective.Objective.pipe(Effect.provide(Objective.elbo({ samples }))))
  return objective.form
}

export interface Setting {
  readonly samples: number
  readonly valueClip: number | undefined
}

/** Runs `use` on a compiled ensemble, and frees what the engine allocated. */
export const withCompiled = <A>(
  engine: Engine,
  plan: Plan.Plan,
  { data }: Ensemble,
  { samples, valueClip }: Setting,
  use: (compiled: Compiled) => A,
): A =>
  Effect.runSync(
    Effect.scoped(Effect.map(engine.compile(plan, data, softTrees(valueClip), elbo(samples)), use)),
  )
