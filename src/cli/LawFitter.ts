import * as Effect from "effect/Effect"
import { CompileError, type DataError, type FitError } from "../errors/Errors.ts"
import type { Summary } from "../infer/Fit.ts"
import * as Looks from "../infer/Looks.ts"
import * as Progress from "../report/Progress.ts"
import type { Trace } from "../report/Record.ts"
import type * as Term from "../expr/Term.ts"
import type { Fit, Inclusive } from "./Fitter.ts"
import * as AppearanceFlags from "./AppearanceFlags.ts"
import * as BestLaw from "./BestLaw.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"
import * as LawOptions from "./LawOptions.ts"
import * as Outcome from "../report/Outcome.ts"
import * as Recorder from "./Recorder.ts"
import * as Requests from "./Requests.ts"

/** Settings that have no evidence over groups yet, with their flags. */
const apart = [
  ["noise", "--noise"],
  ["error", "--error"],
  ["weights", "--weights"],
  ["testFraction", "--test-fraction"],
] as const

/** Where a search or a ranking stands. */
interface Standing {
  /** wall-clock seconds since the start */
  readonly seconds: number
  readonly best: () => { readonly expression: Term.Term; readonly lmpse: number } | undefined
  readonly unseen: () => { readonly probability: number } | undefined
}

/** The name of a group in a line that has little room. */
const brief = (label: string): string => (label.length <= 12 ? label : `${label.slice(0, 11)}…`)

/** The search for laws, over groups or not. The library is loaded when it starts, so that everything else answers at once. */
export const fit: Fit<Inclusive> = (data, settings, { onBackend, onProgress, spent, stop }) =>
  Effect.gen(function* () {
    const { time, seed, objective, fitted: size, group, appearance, operators, own, ...others } = settings
    const given = group === undefined ? undefined : apart.find(([name]) => settings[name] !== undefined)
    if (given !== undefined)
      return yield* new CompileError({
        message: `laws over groups have additive noise and are fitted to all rows; leave ${given[1]} out, or --group`,
      })
    if (group !== undefined && data.tests !== undefined)
      return yield* new CompileError({
        message: "laws over groups are fitted to all rows; leave --test-column out, or --group",
      })
    const [Law, Infer, LawGrammar] = yield* Effect.promise(() =>
      Promise.all([import("../models/law.ts"), import("../infer/Fit.ts"), import("../models/LawGrammar.ts")]),
    )
    const restrictions = appearance && (yield* AppearanceFlags.restrictions(appearance))
    const chosen = OwnOperators.withDefaults({ operators, own }, LawGrammar.operators)
    const options = {
      ...others,
      operators: chosen,
      restrictions,
      fitted: yield* LawOptions.numbers(size),
      time,
      spent,
    }
    const limit = time ?? (options.effort === undefined ? Law.defaults.time : undefined)
    const report = (search: Omit<Progress.Search, "limit">): void =>
      onProgress?.(Progress.ofSearch({ ...search, limit }))
    onBackend("simd", undefined)
    const tally: Array<number> = []
    const searching = Looks.make<Progress.Best | undefined>()
    const ranking = Looks.make<Progress.Best | undefined>({ ...Looks.usual, first: 0 })
    /** The latest best law: a search, and the ranking, have none at first. */
    let latest: Progress.Best | undefined
    const bestOf = (
      { seconds, best, unseen }: Standing,
      rows?: string,
      looks = searching,
    ): Progress.Best | undefined => {
      latest =
        looks.at(seconds, () => {
          const law = BestLaw.of(data.target, best())
          return law && { ...law, rows, unseen: unseen()?.probability }
        }) ?? latest
      return latest
    }
    const fitted: Effect.Effect<
      Outcome.Reported<Summary> & { readonly trace: Trace },
      CompileError | DataError | FitError
    > =
      group === undefined
        ? Effect.map(
            Law.fit(data, options, (step) => {
              const { seconds, scored } = step
              report({ seconds, scored, best: () => bestOf(step) })
            }),
            (found) => ({ ...found, trace: Recorder.ofSearch(found.posterior.course) }),
          )
        : Effect.map(
            Effect.flatMap(
              Effect.promise(() => import("../models/groupLaw.ts")),
              (GroupLaw) =>
                GroupLaw.fit(
                  data,
                  { ...options, group },
                  (step) => {
                    const { seconds, search, label } = step
                    tally[search - 1] = step.scored
                    report({
                      seconds,
                      scored: tally.reduce((sum, one) => sum + one, 0),
                      best: () => bestOf(step, label === undefined ? "rows as one" : `in ${brief(label)}`),
                    })
                  },
                  (step) => {
                    const { seconds, scored } = step
                    report({ seconds, scored, best: () => bestOf(step, "in all groups", ranking) })
                  },
                ),
            ),
            ({ models, labels, searches, ...found }) => ({
              ...found,
              trace: Recorder.ofGroups(searches),
              models: models.map((model) => ({ ...model, groups: { column: group, labels, ...model } })),
            }),
          )
    const found = yield* fitted.pipe(
      seed === undefined ? (effect) => effect : Effect.provideService(Infer.Seed, seed),
      Effect.provideService(Infer.Interrupt, Requests.of(stop)),
    )
    const outcome = {
      ...Outcome.of(objective, "simd", found),
      trace: found.trace,
    }
    // A clock is not the same on every machine.
    return options.effort === undefined ? outcome : { ...outcome, seconds: undefined }
  })
