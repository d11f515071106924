import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Plan from "../prob/Plan.ts"
import * as Rng from "../random/Rng.ts"
import type { Archive } from "./Archive.ts"
import type * as Optimizer from "../vi/Optimizer.ts"
import type { StopReason } from "./Stop.ts"

/** The seed of a fit: same seed, same noise on every backend. */
export const Seed = Context.Reference<number>("vasst/infer/Seed", { defaultValue: () => 0 })

/** A layer that fits with a seed. */
export const seed = (value: number): Layer.Layer<never> => Layer.succeed(Seed, value)

/** Whether somebody has asked the fit to stop; looked at after every step. */
export const Interrupt = Context.Reference<{ readonly requested: () => boolean }>("vasst/infer/Interrupt", {
  defaultValue: () => ({ requested: () => false }),
})

/** What a step did. */
export interface StepInfo {
  /** from 1 */
  readonly step: number
  /** the number of steps at which the fit ends at the latest */
  readonly steps: number | undefined
  /** log p(y | T), the mean over relaxed samples */
  readonly evidence: number
  /** KL(q || prior) */
  readonly divergence: number
  /** evidence - divergence, with full weight on the divergence */
  readonly elbo: number
  /** Euclidean norm of the gradient before clipping; 0 with `Objective.inclusive` */
  readonly gradientNorm: number
  /** of the relaxation; with `Objective.inclusive` of the weights that the family was moved to last */
  readonly temperature: number
  /** whether value and gradient were finite; if not, the step was skipped */
  readonly finite: boolean
  /** steps skipped so far */
  readonly skipped: number
  /** wall-clock seconds since the start */
  readonly seconds: number
}

/** What a fit carries from step to step. Immutable: a step makes the next one. */
export interface FitState {
  readonly step: number
  readonly parameters: Float64Array
  readonly optimizer: Optimizer.Step
  /** steps in a row, up to now, that were not finite */
  readonly failures: number
  readonly skipped: number
  readonly reason: StopReason | undefined
}

/** What a run of the steps has been so far. */
export interface History {
  /** the ELBO of every finite step, in order */
  readonly elbo: Array<number>
  /** wall-clock seconds since the run began */
  readonly seconds: () => number
  /** Begins another run. */
  readonly restart: () => void
}

/** The history of a run that begins now. */
export const historyOf = (): History => {
  let started = performance.now()
  const elbo: Array<number> = []
  return {
    elbo,
    seconds: () => (performance.now() - started) / 1000,
    restart: () => {
      started = performance.now()
      elbo.length = 0
    },
  }
}

/** A fit that is ready to go: `advance` takes one step; `restart` goes before the first of a run. */
export interface Steps {
  readonly plan: Plan.Plan
  readonly seed: number
  /** the ELBO of every finite step so far; grows while steps are taken, and starts anew when they are run again */
  readonly elbo: ReadonlyArray<number>
  /** where the fit starts; final already if no step is to be taken */
  readonly initial: FitState
  /** the ensembles scored so far, with `Objective.inclusive`: as much as the steps that were taken have found */
  readonly archive?: Archive | undefined
  readonly restart: () => void
  readonly advance: (state: FitState) => { readonly info: StepInfo; readonly state: FitState }
}

/** The parameters that a plan starts from. */
export const initialParameters = (plan: Plan.Plan, key: Rng.Key): Float64Array => {
  const parameters = new Float64Array(plan.parameterCount)
  plan.parameters.forEach(({ initialise, offset }, index) =>
    parameters.set(Array.from(initialise(Rng.fold(key, index))), offset),
  )
  return parameters
}

/** The parameters of a fit before its first step. */
export const beginning = (plan: Plan.Plan, optimizer: Optimizer.Step, key: Rng.Key): FitState => ({
  step: 0,
  parameters: initialParameters(plan, key),
  optimizer,
  failures: 0,
  skipped: 0,
  reason: undefined,
})
