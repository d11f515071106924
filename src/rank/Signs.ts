import type { Archive } from "../infer/Archive.ts"
import type { Dataset } from "../data/Data.ts"
import { scaleOf } from "../evidence/Law.ts"
import * as Misfit from "./Misfit.ts"
import { constantAmong } from "./Ensemble.ts"
import type { FoundNoise } from "../evidence/likelihood/Interface.ts"
import type { Model } from "./Model.ts"
import { numbers } from "./Numbers.ts"
import type { Searched } from "./Searched.ts"

/** How far a search has come, and how its best law fits: what the probability of the unseen is estimated from. */
export interface Signs {
  readonly rows: number
  readonly columns: number
  /** the numbers of restarts that have ended, and that have ended at the best score */
  readonly restarts: number
  readonly agreeing: number
  /** the cost up to which every term was scored */
  readonly exhausted: number
  /** the number of ensembles scored, and when one as good as the best was first found; the same number where none was kept */
  readonly scored: number
  readonly found: number
  readonly complexity: number
  /** the log of the posterior odds of the best law against the best of the first models that is simpler, in nats; against the constant where none is */
  readonly lead: number
  /** the number of terms and fitted constants of the best law */
  readonly terms: number
  /** root mean square error over the standard deviation of y */
  readonly error: number
  readonly misfit: Misfit.Misfit | undefined
  /** the rows that the models are scored on, and those of the table, where a limit of time has left no time for all rows */
  readonly scoredOn?: number | undefined
  readonly table?: number | undefined
}

/** Scores that differ by less, in nats, are as good as the same. */
const same = 1
/** The models among which a simpler one is looked for. */
export const first = 40
/** Residuals below this share of the largest |y| are rounding. */
const rounding = 1e-11

/** What an archive says of its search. */
export const reached = (
  archive: Archive,
): Pick<Signs, "restarts" | "agreeing" | "exhausted" | "scored" | "found"> => ({
  ...(archive.reach ?? { restarts: 0, agreeing: 0, exhausted: 0 }),
  scored: archive.scored,
  found: foundAt(archive),
})

/** When one as good as the best was first found. */
const foundAt = ({ ensembles, scored }: Archive): number => {
  const best = ensembles[0]?.score ?? 0
  return ensembles.reduce(
    (first, one) => (one.score > best - same ? Math.min(first, one.found) : first),
    scored,
  )
}

/** The strongest sign that residuals are not noise. @param wrong the rows that the law takes for wrong */
export const misfitOf = (
  residuals: Float64Array,
  train: Dataset,
  late?: () => boolean,
  wrong: FoundNoise["wrongRows"] = [],
): Misfit.Misfit | undefined => {
  const wrongRows = new Set(wrong.map(({ row }) => row))
  const isWrong = (i: number): boolean => wrongRows.has(train.numbers?.[i] ?? i + 1)
  const fitted = residuals.map((value, i) => train.y[i]! - value)
  const axes = [
    { name: "fitted values", values: fitted },
    ...train.features.map((name, j) => ({ name, values: train.columns[j]! })),
  ]
  return Misfit.of(
    residuals,
    axes,
    rounding * train.y.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
    late,
    wrongRows.size === 0 ? [] : Array.from(fitted.keys()).filter(isWrong),
  )
}

/**
 * The signs of a ranked search.
 *
 * @param models best first; the law without terms is among them
 * @param train the rows that the models were fitted to
 * @param late whether the time for it is over: residuals are then not looked at along further columns; never by default
 */
export const of = (
  { plan, archive }: Searched,
  models: readonly [Model, ...ReadonlyArray<Model>],
  train: Dataset,
  late?: () => boolean,
): Signs => {
  const [best] = models
  const constant = constantAmong(models) ?? best
  const simpler = models.slice(0, first).find(({ complexity }) => complexity < best.complexity) ?? constant
  return {
    rows: train.rows,
    columns: train.features.length,
    ...reached(archive),
    complexity: best.complexity,
    lead: best.lmpse - simpler.lmpse,
    terms: numbers(best.ensemble.trees),
    error: best.rmseTrain / scaleOf(train.y),
    // Residuals of other likelihoods are not symmetrical.
    misfit:
      plan.likelihood.link === undefined
        ? undefined
        : misfitOf(best.residuals(), train, late, best.noise?.wrongRows),
  }
}
