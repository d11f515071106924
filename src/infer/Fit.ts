import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Engine } from "../vi/engines/Engine.ts"
import type { Model } from "../prob/Model.ts"
import * as Plan from "../prob/Plan.ts"
import type { Relaxation } from "../vi/Relaxation.ts"
import type { Backend } from "../vi/Backend.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Turn from "./Turn.ts"
import * as Inclusive from "../inclusive/InclusiveFit.ts"
import { Objective } from "../vi/Objective.ts"
import type * as Optimizer from "../vi/Optimizer.ts"
import type { Posterior } from "./Posterior.ts"
import * as Relaxed from "../vi/RelaxedFit.ts"
import type { FitState, StepInfo, Steps } from "./Steps.ts"
import type { Stop } from "./Stop.ts"

export { CurrentEngine } from "../vi/RelaxedFit.ts"
export { type FitState, initialParameters, Interrupt, Seed, seed, type StepInfo } from "./Steps.ts"

/** A layer that fits on an engine, such as the scalar oracle. */
export const engine = (value: Engine): Layer.Layer<never> => Layer.succeed(Relaxed.CurrentEngine, value)

/** A running fit: its plan, and its states with what each step did. */
export interface Running extends Omit<Steps, "restart" | "advance"> {
  readonly steps: Stream.Stream<{ readonly info: StepInfo; readonly state: FitState }>
}

const prepare = <A, R>(
  model: Model<A, R>,
  data: Dataset,
): Effect.Effect<
  Steps,
  CompileError,
  R | Relaxation | Objective | Optimizer.Optimizer | Stop | Backend | Scope.Scope
> =>
  Effect.gen(function* () {
    const plan = yield* Plan.trace(model)
    const objective = yield* Objective
    return yield* objective._tag === "Relaxed"
      ? Relaxed.make(plan, data, objective)
      : Inclusive.make(plan, data, objective)
  })

/**
 * A fit as a stream of steps, started when the stream is pulled. Steps whose value or gradient is not finite change
 * nothing and are counted. The stream ends with the first step at which a rule of `Stop` gives a reason. Between steps
 * the event loop gets a turn every 8 ms, so that timers and signals are heard and the fiber can be interrupted.
 */
export const run = <A, R>(
  model: Model<A, R>,
  data: Dataset,
): Effect.Effect<
  Running,
  CompileError,
  R | Relaxation | Objective | Optimizer.Optimizer | Stop | Backend | Scope.Scope
> =>
  Effect.map(prepare(model, data), ({ restart, advance, ...fit }) => {
    const steps = Stream.suspend(() => {
      restart()
      const { due, turn } = turns()
      return Stream.unfold(fit.initial, (state: FitState) =>
        state.reason !== undefined
          ? Effect.succeed(undefined)
          : Effect.map(due() ? turn : Effect.void, () => {
              const next = advance(state)
              return [next, next.state] as const
            }),
      )
    })
    return { ...fit, steps }
  })

/**
 * The posterior at a state of a running fit. One that has no reason to end yet was left by whoever pulled the steps: it
 * counts as interrupted.
 *
 * @param seconds how long it took, wall clock
 */
export const posterior = (
  { plan, seed, elbo, archive }: Omit<Running, "steps">,
  state: FitState,
  seconds: number,
): Posterior => ({
  plan,
  seed,
  // A copy, because what is posted to another thread takes its whole buffer along.
  parameters: state.parameters.slice(),
  stopReason: state.reason ?? "interrupted",
  steps: state.step,
  skipped: state.skipped,
  // The fit may be run again.
  elbo: [...elbo],
  seconds,
  archive,
})

/** How long steps may keep the event loop waiting, in milliseconds: less than people or timers notice. */
const PATIENCE = 8

/** Turns of the event loop, the first of which is due at once. */
const turns = (): { readonly due: () => boolean; readonly turn: Effect.Effect<void> } => {
  let last = -Infinity
  return {
    due: () => performance.now() - last >= PATIENCE,
    turn: Effect.map(Turn.turn, () => {
      last = performance.now()
    }),
  }
}

/**
 * Fits a model to data and returns the variational posterior. Every axis is a value that is provided: the family, the
 * relaxation, the objective, the optimiser, when to stop, the backend.
 *
 * @param onStep is told of every step
 */
export const fit = <A, R>(
  model: Model<A, R>,
  data: Dataset,
  onStep: (info: StepInfo) => void = () => undefined,
): Effect.Effect<
  Posterior,
  CompileError,
  R | Relaxation | Objective | Optimizer.Optimizer | Stop | Backend
> =>
  Effect.scoped(
    Effect.gen(function* () {
      const started = performance.now()
      const { restart, advance, ...ready } = yield* prepare(model, data)
      restart()
      const { due, turn } = turns()
      let state = ready.initial
      while (state.reason === undefined) {
        if (due()) yield* turn
        const next = advance(state)
        onStep(next.info)
        state = next.state
      }
      return posterior(ready, state, (performance.now() - started) / 1000)
    }),
  )
