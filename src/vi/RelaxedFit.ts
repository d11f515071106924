import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Engine } from "./engines/Engine.ts"
import type { NoiseSlot } from "../prob/Factor.ts"
import type * as Plan from "../prob/Plan.ts"
import * as Simd from "./engines/simd/engine.ts"
import { Relaxation } from "./Relaxation.ts"
import { Backend, type BackendName } from "./Backend.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import type { Relaxed } from "./Objective.ts"
import * as Optimizer from "./Optimizer.ts"
import { zeros } from "./zeros.ts"
import { beginning, type FitState, historyOf, Interrupt, Seed, type Steps } from "../infer/Steps.ts"
import { Stop } from "../infer/Stop.ts"

/** The engine that a fit runs on: the one that belongs to the backend, unless one is provided. */
export const CurrentEngine = Context.Reference<Engine | undefined>("vasst/infer/CurrentEngine", {
  defaultValue: () => undefined,
})

/** tfjs is loaded when a fit needs it. */
const engineOf = (backend: BackendName): Effect.Effect<Engine> =>
  backend === "simd"
    ? Effect.succeed(Simd.engine)
    : Effect.map(
        Effect.promise(() => import("./engines/tfjs/engine.ts")),
        (tfjs) => tfjs.engine,
      )

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

/** A fit whose steps follow the gradient of a relaxed objective. */
export const make = (
  plan: Plan.Plan,
  data: Dataset,
  objective: Relaxed,
): Effect.Effect<Steps, CompileError, Relaxation | Optimizer.Optimizer | Stop | Backend | Scope.Scope> =>
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
    const { elbo: history, seconds: elapsed, restart } = historyOf()

    const advance: Steps["advance"] = (state) => {
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
      const seconds = elapsed()
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
    return { plan, seed: value, elbo: history, initial, restart, advance }
  })

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
