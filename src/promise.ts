/**
 * vasst for those who do not use Effect: a fit is a promise, its progress an async iterable, and errors are `VasstError`s.
 *
 * @example
 * const fit = await fit({ x: [1, 2, 3], t: Float64Array.of(4, 5, 7), y: [4, 10, 21] }, { target: "y" })
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type { Dataset } from "./data/Data.ts"
import type { DataError, UnitError } from "./errors/Errors.ts"
import * as Setting from "./errors/Setting.ts"
import type { Units } from "./expr/Unit.ts"
import * as UnitTexts from "./expr/UnitTexts.ts"
import * as Fits from "./infer/Fit.ts"
import * as Looks from "./infer/Looks.ts"
import * as Law from "./models/law.ts"
import type * as LawGrammar from "./models/LawGrammar.ts"
import type * as Naming from "./models/Naming.ts"
import type { Grammar } from "./prob/Grammar.ts"
import type { Model } from "./rank/Model.ts"
import * as Columns from "./promise/Columns.ts"
import * as Latest from "./promise/Latest.ts"
import * as Result from "./promise/Result.ts"
import { VasstError } from "./promise/VasstError.ts"

export { VasstError } from "./promise/VasstError.ts"
export type { Tag } from "./promise/VasstError.ts"
export type { Fitted, NewRows, Predict } from "./promise/Result.ts"
export type { Numbers, Rows } from "./promise/Columns.ts"

/**
 * Options of a fit: those of `Law.fit`, the seed, and what ends the fit.
 *
 * @typeParam C the names of the columns
 */
export interface Options<C extends string = string> extends Omit<Law.Options, "error" | "weights" | "units"> {
  /** the units of columns as texts by name, `{ mass: "kg" }`, or as `Units.of` makes them; laws may add unlike quantities if left out */
  readonly units?: Units | { readonly [K in C]?: string | undefined } | undefined
  /** the same seed gives the same fit, as far as `time` does not end it; 0 if left out */
  readonly seed?: number | undefined
  /**
   * Aborts the fit: its threads end, and the promise is rejected with the signal's reason, an `AbortError`, as that of `fetch` is. *When to
   * use*: when nobody wants the result any more; `Fit.stop` for the laws found so far.
   */
  readonly signal?: AbortSignal | undefined
}

/** Where a search stands. */
export interface Progress {
  /** seconds since the start of the search */
  readonly seconds: number
  /** the number of ensembles of terms that were scored */
  readonly evaluations: number
  /** the best law when it was last looked at (first after three seconds), scored exactly; undefined before */
  readonly best: Model | undefined
  /** the same as one line of text, `y = ...`, with the digits that the data determine */
  readonly law: string | undefined
  /** the log evidence of the best law, in nats */
  readonly logEvidence: number | undefined
  /** the probability that the law is none of those found so far */
  readonly unseen: number | undefined
}

/**
 * A fit that runs: a promise of its result, and an async iterable of its progress. Iterating costs nothing while nobody waits for the next
 * value; there are ten a second at most, and a last one. Leaving the loop does not end the fit.
 */
export interface Fit<F extends string = string> extends Promise<Result.Fitted<F>>, AsyncIterable<Progress> {
  /** Ends the search after its step; the promise is fulfilled with the laws found so far. */
  readonly stop: () => void
}

/** Seconds between two reports of progress. */
const pace = 0.1

/**
 * Laws from a table of numbers. The fit starts at once.
 *
 * @param data rows as `{ X, y }`; or columns by name, with the name of the target in the options: every other column is a feature
 * @returns a promise that is rejected with a `VasstError`, whose message is one line and whose `tag` says what is wrong
 *
 * @example
 * const running = fit({ X: [[1, 2], [3, 4], [5, 7]], y: [2, 12, 35] }, { effort: 10_000 })
 * for await (const { law } of running) console.log(law)
 * const { best, predict } = await running
 */
export function fit<
  const F extends string = string,
  const E extends string = never,
  const W extends string = never,
  const P extends LawGrammar.Operators = typeof LawGrammar.operators,
  const G extends Grammar = Grammar,
  const N extends string = never,
>(
  data: Columns.Rows<F>,
  options?: Naming.Others<Options<F>> & Naming.Options<F, E, W, P, G, N>,
): Fit<Naming.Features<F, E | W, G>>
export function fit<
  const C extends { readonly [K in keyof C]: Columns.Numbers },
  const T extends keyof C & string,
  const E extends keyof C & string = never,
  const W extends keyof C & string = never,
  const P extends LawGrammar.Operators = typeof LawGrammar.operators,
  const G extends Grammar = Grammar,
  const N extends string = never,
>(
  columns: C,
  options: Naming.Others<Options<keyof C & string>> &
    Naming.OwnTerms<Naming.Less<keyof C & string, T | E | W>, P, G, N> & {
      /** the column that is explained */
      readonly target: T
      /** the column with the standard error of each row, above 0, in units of the target; it is no feature */
      readonly error?: E | undefined
      /** the column with the weight of each row, at least 0; it is no feature */
      readonly weights?: W | undefined
    },
): Fit<Naming.Features<keyof C & string, T | E | W, G>>
export function fit(
  data: Columns.Rows | Columns.Columns,
  {
    target,
    ...options
  }: Options & Pick<Law.Options, "error" | "weights"> & { readonly target?: string } = {},
): Fit {
  if (target === undefined) {
    // The first signature: without a target in the options.
    const rows = data as Columns.Rows
    return started(Columns.ofRows(rows), options)
  }
  // The second: with one.
  const columns = data as Columns.Columns
  return started(Columns.ofColumns(columns, target), options)
}

const started = (
  source: Effect.Effect<Dataset, DataError>,
  { seed, signal, units, ...options }: Options & Pick<Law.Options, "error" | "weights">,
): Fit => {
  const progress = Latest.make<Progress>()
  let stopped = false
  const program = Effect.gen(function* () {
    const data = yield* source
    const { target } = data
    const text = (model: Model): string => Result.text(target, model)
    let told = -Infinity
    const looks = Looks.make<{ readonly model: Model | undefined; readonly mass: number | undefined }>()
    const settings = { ...options, units: units && (yield* unitsOf(units)) }
    const fitted = yield* Law.fit(data, settings, ({ seconds, scored, best, unseen }) => {
      if (!progress.wanted() || seconds - told < pace) return
      told = seconds
      const known = looks.at(seconds, () => ({ model: best(), mass: unseen()?.probability }))
      const { model, mass } = known ?? {}
      progress.tell({
        seconds,
        evaluations: scored,
        best: model,
        law: model && text(model),
        logEvidence: model?.logEvidence,
        unseen: mass,
      })
    })
    const { best, unseen, seconds } = fitted
    const last: Progress = {
      seconds,
      evaluations: unseen?.signs.scored ?? 0,
      best,
      law: text(best),
      logEvidence: best.logEvidence,
      unseen: unseen?.probability,
    }
    return {
      last,
      result: Result.of(fitted, { features: Law.explaining(data.features, options), target }, options),
    }
  }).pipe(Effect.provideService(Fits.Interrupt, { requested: () => stopped }), (effect) =>
    seed === undefined
      ? effect
      : Effect.suspend(() => Effect.provideService(effect, Fits.Seed, Setting.whole("the seed", seed, 0))),
  )
  const settled = async (): Promise<Result.Fitted> => {
    try {
      signal?.throwIfAborted()
      const exit = await Effect.runPromiseExit(program, signal && { signal })
      signal?.throwIfAborted()
      if (Exit.isFailure(exit)) throw VasstError.of(Cause.squash(exit.cause))
      progress.end(exit.value.last)
      return exit.value.result
    } catch (error) {
      progress.fail(error)
      throw error
    }
  }
  const promise = settled()
  return Object.assign(promise, {
    stop: () => {
      stopped = true
    },
    [Symbol.asyncIterator]: () => {
      // The loop throws what the promise is rejected with: who loops need not wait for both.
      promise.catch(() => undefined)
      return progress.values()
    },
  })
}

/** The units of texts, or those that are made already. */
const unitsOf = (
  units: Exclude<Options["units"], undefined>,
): Effect.Effect<Units | undefined, UnitError> => {
  // Texts by column have no object among them.
  if (typeof units.columns === "object") return Effect.succeed(units as Units)
  return UnitTexts.read(Record.filter({ ...units }, Predicate.isString))
}
