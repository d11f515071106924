import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StepInfo } from "../infer/Fit.ts"
import * as Progress from "../runtime/Progress.ts"
import { Fitter } from "./Fitter.ts"

/** The library's fit. Tensors are loaded when the first fit starts, so that everything else answers at once. */
export const layer: Layer.Layer<Fitter> = Layer.succeed(Fitter, {
  fit: (data, options) =>
    Effect.gen(function* () {
      const [Vasst, Infer, Stop, Backend] = yield* Effect.promise(() =>
        Promise.all([
          import("../models/vasst.ts"),
          import("../infer/Fit.ts"),
          import("../infer/Stop.ts"),
          import("../runtime/Backend.ts"),
        ]),
      )
      const { time, seed, backend: request, stop, onBackend, onStep, ...settings } = options
      const backend = yield* Backend.select(request)
      onBackend(backend.name, backend.note)
      const fit = yield* Vasst.fit(
        data,
        { ...settings, rules: time === undefined ? [] : [Stop.afterSeconds(time)] },
        onStep === undefined ? undefined : reporter(onStep),
      ).pipe(
        Effect.provideService(Backend.Backend, backend),
        seed === undefined ? (effect) => effect : Effect.provideService(Infer.Seed, seed),
        Effect.provideService(Infer.Interrupt, { requested: () => stop.aborted }),
      )
      const { posterior, models, seconds } = fit
      return {
        models,
        backend: backend.name,
        seed: posterior.seed,
        stopReason: posterior.stopReason,
        seconds,
        steps: posterior.steps,
      }
    }),
})

/** Tells of steps with the noise of the ELBO's estimate smoothed away. */
const reporter = (onStep: (step: Progress.Step) => void): ((info: StepInfo) => void) => {
  const trend = Progress.trend(50)
  return ({ step, steps = step, elbo, finite, seconds }) =>
    onStep({ step, steps, seconds, ...trend(finite ? elbo : undefined) })
}
