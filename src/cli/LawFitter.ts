import * as Effect from "effect/Effect"
import { infix } from "../expr/text/infix.ts"
import * as Progress from "../report/Progress.ts"
import type { Fit, Inclusive } from "./Fitter.ts"
import * as AppearanceFlags from "./AppearanceFlags.ts"
import * as LawOptions from "./LawOptions.ts"
import * as Outcome from "./Outcome.ts"

/** The search for laws. The library is loaded when it starts, so that everything else answers at once. */
export const fit: Fit<Inclusive> = (data, settings, { onBackend, onProgress, spent, stop }) =>
  Effect.gen(function* () {
    const [Law, Infer] = yield* Effect.promise(() =>
      Promise.all([import("../models/law.ts"), import("../infer/Fit.ts")]),
    )
    const { time, seed, objective, fitted: size, group: _, appearance, ...options } = settings
    const numbers = yield* LawOptions.numbers(size)
    const restrictions = appearance && (yield* AppearanceFlags.restrictions(appearance))
    onBackend("simd", undefined)
    const fitted = yield* Law.fit(
      data,
      { ...options, restrictions, fitted: numbers, time, spent },
      ({ seconds, best }) =>
        onProgress?.(
          Progress.ofSearch({
            seconds,
            limit: time ?? (options.effort === undefined ? Law.defaults.time : undefined),
            best: () => {
              const model = best()
              if (model === undefined) return undefined
              const law = `${data.target} = ${infix(model.expression, { precision: 4 })}`
              return { logPosterior: model.lmpse, law }
            },
          }),
        ),
    ).pipe(
      seed === undefined ? (effect) => effect : Effect.provideService(Infer.Seed, seed),
      Effect.provideService(Infer.Interrupt, { requested: () => stop.aborted }),
    )
    const outcome = Outcome.of(objective, "simd", fitted)
    // A clock is not the same on every machine.
    return options.effort === undefined ? outcome : { ...outcome, seconds: undefined }
  })
