/** Training of the published model for the timing of steps. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dataset } from "../../src/data/Data.ts"
import * as Stop from "../../src/infer/Stop.ts"
import * as Vasst from "../../src/models/vasst.ts"
import type * as Grammar from "../../src/prob/Grammar.ts"
import type * as Plan from "../../src/prob/Plan.ts"
import * as Backend from "../../src/vi/Backend.ts"
import * as Family from "../../src/vi/Family.ts"
import * as Infer from "../../src/vi/Infer.ts"
import * as Objectives from "../../src/vi/Objective.ts"
import * as Optimizer from "../../src/vi/Optimizer.ts"
import * as Relaxation from "../../src/vi/Relaxation.ts"
import * as Schedule from "../../src/vi/Schedule.ts"
import type { Settings } from "./settings.ts"

const { paper } = Vasst

/**
 * Trains the published model for some steps.
 *
 * @returns why it cannot be trained on the backend; undefined if it was
 */
export const trainOn = (
  backend: Backend.BackendName,
  grammar: Grammar.Grammar,
  data: Dataset,
  steps: number,
  onStep: () => void,
): Promise<string | undefined> => {
  const program = Vasst.model(grammar)
  return Effect.runPromise(
    Infer.fit(program, data, onStep).pipe(
      Effect.provide(Vasst.inference(program, { steps })),
      Effect.provide(Backend.layer(backend)),
      Effect.as(undefined),
      Effect.catchTag("BackendError", ({ message }) => Effect.succeed(message)),
    ),
  )
}

/** Trains the published model of another size on the simd engine until both its steps and its seconds are over. */
export const trainFor = async (
  grammar: Grammar.Grammar,
  data: Dataset,
  { trees, depth, samples }: Pick<Settings, "trees" | "depth" | "samples">,
  { steps: least, seconds: most }: { readonly steps: number; readonly seconds: number },
  onStep: () => void,
): Promise<Plan.Plan> => {
  const program = Vasst.model(grammar, trees, depth)
  const inference = Layer.mergeAll(
    Family.meanField(program),
    Relaxation.concrete({ temperature: Schedule.constant(1), valueClip: paper.valueClip }),
    Objectives.elbo({ samples }),
    Optimizer.layer(
      Optimizer.chain(
        Optimizer.clipByNorm(paper.gradientClip),
        Optimizer.adamW({ learningRate: paper.learningRate, betas: paper.betas }),
      ),
    ),
    Stop.layer({
      steps: Number.MAX_SAFE_INTEGER,
      rules: [({ step, seconds }) => (step >= least && seconds > most ? "time" : undefined)],
    }),
  )
  const { plan } = await Effect.runPromise(
    Infer.fit(program, data, onStep).pipe(Effect.provide(inference), Effect.provide(Backend.layer("simd"))),
  )
  return plan
}
