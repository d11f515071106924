import * as Effect from "effect/Effect"
import type { Chunks } from "../data/Chunks.ts"
import type { Dataset } from "../data/Data.ts"
import * as Fit from "../infer/Fit.ts"
import * as Outcome from "../report/Outcome.ts"
import * as Looks from "../infer/Looks.ts"
import * as Progress from "../report/Progress.ts"
import * as AppearanceFlags from "./AppearanceFlags.ts"
import * as BestLaw from "./BestLaw.ts"
import { Complaint } from "./Complaint.ts"
import type { Input } from "./FitFlags.ts"
import type { Hooks, Inclusive } from "./Fitter.ts"
import * as LawOptions from "./LawOptions.ts"
import * as Recorder from "./Recorder.ts"
import * as Requests from "./Requests.ts"
import * as OwnOperators from "./rows/OwnOperators.ts"

/** Flags that need all rows in memory. */
const whole = {
  group: "--group",
  error: "--error",
  weights: "--weights",
  where: "--where",
  testColumn: "--test-column",
  testFraction: "--test-fraction",
} as const satisfies Partial<Record<keyof Input, string>>

/** Fails with a complaint about the first flag that a table which is read in parts cannot have. */
export const check = (input: Input): Effect.Effect<void, Complaint> => {
  const flag =
    input.objective === "elbo"
      ? "--objective elbo"
      : input.column.length > 0
        ? "--column"
        : // `whole` has keys of the input alone.
          Object.entries<string>(whole).find(([name]) => input[name as keyof typeof whole] !== undefined)?.[1]
  return flag === undefined
    ? Effect.void
    : Effect.fail(
        new Complaint({
          message: `${flag} needs all rows in memory, and this table is read in parts; leave ${flag} out, or give --stream never where there is memory for all of it`,
        }),
      )
}

/** A fit of a table that is read in parts: what a document needs, with the sample in the place of the data. */
export const fit = (
  chunks: Chunks,
  { time, seed, objective, fitted: size, appearance, operators, own, noise, ...others }: Inclusive,
  { onBackend, onProgress, spent, stop }: Hooks,
) =>
  Effect.gen(function* () {
    const [Streamed, Law, LawGrammar] = yield* Effect.promise(() =>
      Promise.all([
        import("../models/streamedLaw.ts"),
        import("../models/law.ts"),
        import("../models/LawGrammar.ts"),
      ]),
    )
    const { group: _group, error: _error, weights: _weights, testFraction: _test, ...asked } = others
    const limit = time ?? (asked.effort === undefined ? Law.defaults.time : undefined)
    onBackend("simd", undefined)
    const looks = Looks.make<Progress.Best | undefined>()
    const found = yield* Streamed.fit(
      chunks,
      {
        ...asked,
        noise,
        operators: OwnOperators.withDefaults({ operators, own }, LawGrammar.operators),
        restrictions: appearance && (yield* AppearanceFlags.restrictions(appearance)),
        fitted: yield* LawOptions.numbers(size),
        time,
        spent,
      },
      (step) => {
        onProgress?.(
          Progress.ofSearch({
            seconds: step.seconds,
            limit,
            scored: step.scored,
            best: () => looks.at(step.seconds, () => BestLaw.of(chunks.target, step.best())),
          }),
        )
      },
    ).pipe(
      seed === undefined ? (effect) => effect : Effect.provideService(Fit.Seed, seed),
      Effect.provideService(Fit.Interrupt, Requests.of(stop)),
    )
    const outcome = {
      ...Outcome.of(objective, "simd", found),
      trace: Recorder.ofSearch(found.posterior.course),
    }
    const sample: Dataset = found.sample
    return {
      fitted: asked.effort === undefined ? { ...outcome, time } : { ...outcome, seconds: undefined },
      sample,
      rows: found.rows,
      note:
        `read in parts ${found.passes} times: ${found.rows} rows, of which the search saw ${sample.rows}; the evidence is that of all rows, with additive noise and without links` +
        (found.lacking > 30
          ? `; all rows know of terms that the best law lacks (${found.lacking.toPrecision(3)} nats), too small for the sample`
          : ""),
    }
  })
