import * as Effect from "effect/Effect"
import { CompileError } from "../errors/Errors.ts"
import * as Progress from "../report/Progress.ts"
import type { Fit, Inclusive } from "./Fitter.ts"
import * as AppearanceFlags from "./AppearanceFlags.ts"
import * as LawOptions from "./LawOptions.ts"

/** Settings of a fit over groups. */
export type Settings = Inclusive & { readonly group: string }

/** Settings that have no evidence over groups yet, with their flags. */
const apart = [
  ["noise", "--noise"],
  ["error", "--error"],
  ["weights", "--weights"],
  ["testFraction", "--test-fraction"],
] as const

/** The search for laws over groups. */
export const fit: Fit<Settings> = (data, settings, { onBackend, onProgress, stop }) =>
  Effect.gen(function* () {
    const given = apart.find(([name]) => settings[name] !== undefined)
    if (given !== undefined)
      return yield* new CompileError({
        message: `laws over groups have additive noise and are fitted to all rows; leave ${given[1]} out, or --group`,
      })
    const [GroupLaw, Infer] = yield* Effect.promise(() =>
      Promise.all([import("../models/groupLaw.ts"), import("../infer/Fit.ts")]),
    )
    const {
      time,
      seed,
      objective,
      fitted: size,
      group,
      operators,
      constants,
      effort,
      trees,
      depth,
      links,
      appearance,
    } = settings
    const prior = yield* LawOptions.numbers(size)
    const restrictions = appearance && (yield* AppearanceFlags.restrictions(appearance))
    onBackend("simd", undefined)
    const found = yield* GroupLaw.fit(
      data,
      { group, operators, constants, effort, time, trees, depth, links, restrictions, fitted: prior },
      ({ seconds }) => onProgress?.(Progress.ofSearch({ seconds, limit: time, best: () => undefined })),
    ).pipe(
      seed === undefined ? (effect) => effect : Effect.provideService(Infer.Seed, seed),
      Effect.provideService(Infer.Interrupt, { requested: () => stop.aborted }),
    )
    const { models, labels, posterior, seconds } = found
    return {
      objective,
      models: models.map(({ numbers, shared, noiseByGroup, ...model }) => ({
        ...model,
        numbers: shared,
        groups: { column: group, labels, numbers, noiseByGroup },
      })),
      backend: "simd",
      seed: posterior.seed,
      stopReason: posterior.stopReason,
      seconds: effort === undefined ? seconds : undefined,
      steps: posterior.steps,
    }
  })
