import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Engine } from "../compile/Engine.ts"
import type { NoiseSlot } from "../declare/Factor.ts"
import type { Model } from "../declare/Model.ts"
import * as Plan from "../compile/Plan.ts"
import * as Simd from "../compile/simd/engine.ts"
import { Relaxation } from "../relax/Relaxation.ts"
import { Backend, type BackendName } from "../runtime/Backend.ts"
import type { Dataset } from "../runtime/Data.ts"
import type { CompileError } from "../runtime/Errors.ts"
import * as Rng from "../runtime/Rng.ts"
import * as Turn from "../runtime/Turn.ts"
import type { Archive } from "./Archive.ts"
import * as Inclusives from "./inclusive/Inclusive.ts"
import { type Inclusive, Objective, type Relaxed } from "./Objective.ts"
import * as Optimizer from "./Optimizer.ts"
import type { Posterior } from "./Posterior.ts"
import { zeros } from "./Slab.ts"
import { Stop, type StopReason } from "./Stop.ts"

/** The seed of a fit: same seed, same noise on every backend. */
export const Seed = Context.Reference<number>("vasst/infer/Seed", { defaultValue: () => 0 })

/** A layer that fits with a seed. */
export const seed = (value: number): Layer.Layer<never> => Layer.succeed(Seed, value)

/** Whether somebody has asked the fit to stop; looked at after every step. */
export const Interrupt = Context.Reference<{ readonly requested: () => boolean }>("vasst/infer/Interrupt", {
  defaultValue: () => ({ requested: () => false }),
})

/** The engine that a fit runs on: the one that belongs to the backend, unless one is provided. */
export const CurrentEngine = Context.Reference<Engine | undefined>("vasst/infer/CurrentEngine", {
  defaultValue: () => undefined,
})

/** tfjs is loaded when a fit needs it. */
const engineOf = (backend: BackendName): Effect.Effect<Engine> =>
  backend === "simd"
    ? Effect.succeed(Simd.engine)
    : Effect.map(
        Effect.promise(() => import("../compile/tfjs/engine.ts")),
        (tfjs) => tfjs.engine,
      )

/** A layer that fits on an engine, such as the scalar oracle. */
export const engine = (value: Engine): Layer.Layer<never> => Layer.succeed(CurrentEngine, value)

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

/** A running fit: its plan, and its states with what each step did. */
export interface Running {
  readonly plan: Plan.Plan
  readonly seed: number
  /** the ELBO of every finite step so far; grows while the steps are pulled, and starts anew when they are run again */
  readonly elbo: ReadonlyArray<number>
  /** where the fit starts; final already if no step is to be taken */
  readonly initial: FitState
  readonly steps: Stream.Stream<{ readonly info: StepInfo; readonly state: FitState }>
  /** the ensembles scored so far, with `Objective.inclusive`: as much as the steps that were pulled have found */
  readonly archive?: Archive | undefined
}

/** Fills the noise of a step of a key. Each slot has a key of its own: sites added behind do not change the others'. */
const noiseDrawer = (plan: Plan.Plan, samples: number, noise: Float32Array): ((key: Rng.Key) => void) => {
  const slots = plan.noise.map(({ kind, offset, length }) => ({
    fill: fillers[kind],
    out: noise.subarray(samples * offset, samples * (offset + length)),
  }))
  return (key) => slots.forEach(({ fill, out }, index) => fill(Rng.fold(key, index), out))
}

const fillers: Readonly<Record<NoiseSlot["kind"], (key: Rng.Key, out: Float32Array) => Float32Array>> = {
  uniform: Rng.uniform,
  normal: Rng.normal,
  logistic: Rng.logistic,
  gumbel: Rng.gumbel,
}

/** The parameters that a plan starts from. */
export const initialParameters = (plan: Plan.Plan, key: Rng.Key): Float64Array => {
  const parameters = new Float64Array(plan.parameterCount)
  plan.parameters.forEach(({ initialise, offset }, index) =>
    parameters.set(Array.from(initialise(Rng.fold(key, index))), offset),
  )
  return parameters
}

/** A fit that is ready to go: `advance` takes one step; `restart` goes before the first of a run. */
interface Ready extends Omit<Running, "steps"> {
  readonly restart: () => void
  readonly advance: (state: FitState) => { readonly info: StepInfo; readonly state: FitState }
}

const prepare = <A, R>(
  model: Model<A, R>,
  data: Dataset,
): Effect.Effect<
  Ready,
  CompileError,
  R | Relaxation | Objective | Optimizer.Optimizer | Stop | Backend | Scope.Scope
> =>
  Effect.gen(function* () {
    const plan = yield* Plan.trace(model)
    const objective = yield* Objective
    return yield* objective._tag === "Relaxed"
      ? relaxed(plan, data, objective)
      : inclusive(plan, data, objective)
  })

/** The parameters of a fit before its first step. */
const beginning = (plan: Plan.Plan, optimizer: Optimizer.Step, key: Rng.Key): FitState => ({
  step: 0,
  parameters: initialParameters(plan, key),
  optimizer,
  failures: 0,
  skipped: 0,
  reason: undefined,
})

/** A fit whose steps are pieces of a search over hard ensembles. */
const inclusive = (
  plan: Plan.Plan,
  data: Dataset,
  objective: Inclusive,
): Effect.Effect<Ready, CompileError, Optimizer.Optimizer | Stop> =>
  Effect.gen(function* () {
    const optimizer = yield* Optimizer.Optimizer
    const stop = yield* Stop
    const interrupt = yield* Interrupt
    const value = yield* Seed
    const [initialKey, searchKey] = Rng.split(Rng.key(value), 2)
    const initial = beginning(plan, optimizer.start(plan.parameterCount), initialKey)
    const session = yield* Inclusives.prepare(plan, data, objective, initial.parameters, searchKey)
    const history: Array<number> = []
    let started = performance.now()
    const advance: Ready["advance"] = (state) => {
      const step = state.step + 1
      const { best, logEvidence, settled, ...moved } = session.advance(state.parameters)
      const seconds = (performance.now() - started) / 1000
      history.push(best)
      const reason = interrupt.requested()
        ? "interrupted"
        : settled
          ? "converged"
          : stop.rule({ step, seconds, elbo: history, failures: 0 })
      const { parameters, temperature } = reason === undefined ? moved : session.settle(moved.parameters)
      return {
        info: {
          step,
          steps: stop.steps,
          evidence: logEvidence,
          divergence: logEvidence - best,
          elbo: best,
          gradientNorm: 0,
          temperature,
          finite: Number.isFinite(best),
          skipped: 0,
          seconds,
        },
        state: { ...state, step, parameters, reason },
      }
    }
    const restart = (): void => {
      started = performance.now()
      history.length = 0
    }
    return { plan, seed: value, elbo: history, initial, restart, advance, archive: session.archive }
  })

/** A fit whose steps follow the gradient of a relaxed objective. */
const relaxed = (
  plan: Plan.Plan,
  data: Dataset,
  objective: Relaxed,
): Effect.Effect<Ready, CompileError, Relaxation | Optimizer.Optimizer | Stop | Backend | Scope.Scope> =>
  Effect.gen(function* () {
    const relaxation = yield* Relaxation
    const optimizer = yield* Optimizer.Optimizer
    const stop = yield* Stop
    const interrupt = yield* Interrupt
    const value = yield* Seed
    const backend = yield* Backend
    const compiler = (yield* CurrentEngine) ?? (yield* engineOf(backend.name))
    const compiled = yield* compiler.compile(plan, data, relaxation.soft, objective.form)
    const [initialKey, noiseKey] = Rng.split(Rng.key(value), 2)
    const { samples } = objective.form
    const noise = new Float32Array(samples * plan.noiseCount)
    const drawNoise = noiseDrawer(plan, samples, noise)
    const gradient = new Float64Array(plan.parameterCount)
    let started = performance.now()
    const history: Array<number> = []

    const advance: Ready["advance"] = (state) => {
      const step = state.step + 1
      drawNoise(Rng.fold(noiseKey, step))
      const temperature = relaxation.temperature(step)
      const evaluation = compiled.valueAndGradient(
        state.parameters,
        noise,
        { temperature, divergenceWeight: objective.divergenceWeight(step) },
        gradient,
      )
      const elbo = evaluation.evidence - evaluation.divergence
      const gradientNorm = Optimizer.norm(gradient)
      const finite = Number.isFinite(evaluation.objective) && Number.isFinite(gradientNorm)
      const moved = finite ? move(state, gradient) : skip(state)
      if (finite) history.push(elbo)
      const seconds = (performance.now() - started) / 1000
      const reason = interrupt.requested()
        ? "interrupted"
        : stop.rule({ step, seconds, elbo: history, failures: moved.failures })
      return {
        info: {
          step,
          steps: stop.steps,
          evidence: evaluation.evidence,
          divergence: evaluation.divergence,
          elbo,
          gradientNorm,
          temperature,
          finite,
          skipped: moved.skipped,
          seconds,
        },
        state: { ...moved, step, reason },
      }
    }

    const initial: FitState = {
      ...beginning(plan, optimizer.start(plan.parameterCount), initialKey),
      reason: stop.rule({ step: 0, seconds: 0, elbo: history, failures: 0 }),
    }
    // The clock and the history are those of one run of the steps.
    const restart = (): void => {
      started = performance.now()
      history.length = 0
    }
    return { plan, seed: value, elbo: history, initial, restart, advance }
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
  elbo,
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

const move = (state: FitState, gradient: Float64Array): FitState => {
  const { updates, next } = state.optimizer(gradient, state.parameters)
  const parameters = zeros(updates.length)
  for (let i = 0; i < updates.length; i++) parameters[i] = state.parameters[i]! + updates[i]!
  return { ...state, parameters, optimizer: next, failures: 0 }
}

const skip = (state: FitState): FitState => ({
  ...state,
  failures: state.failures + 1,
  skipped: state.skipped + 1,
})

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
