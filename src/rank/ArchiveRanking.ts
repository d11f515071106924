import * as Effect from "effect/Effect"
import * as Constants from "../evidence/exact/Constants.ts"
import type { Declared } from "../prob/Plan.ts"
import type { Archive } from "../infer/Archive.ts"
import type * as Ensembles from "./Ensemble.ts"
import type { Model } from "./Model.ts"
import * as Rank from "./Rank.ts"
import * as Scorer from "./Scorer.ts"
import * as Shortlist from "./Shortlist.ts"
import * as Data from "../data/Data.ts"
import type { CompileError, DataError, FitError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"

/** Of more rows than `many`, so many by chance say first which `short` ensembles are worth all rows. */
const many = 20_000
const some = 10_000
const short = 30
/** How many models have their constants rounded; of data with very many rows; while the search is running. */
const rounded = { usual: 30, many: 5, running: 2 }
/** How many ensembles are looked at for the best law so far. */
const few = 8

/** Ranks what a search has found up to now, whenever it is asked. */
export interface Ranker {
  /**
   * The best law of those that were looked at, now or before.
   *
   * @param score of the search's best ensemble: as long as it is the same, nothing is worked out anew
   * @param archive what the search keeps, asked for where it is needed
   */
  readonly best: (score: number, archive: () => Archive) => Model | undefined
  readonly ranking: (archive: Archive) => Effect.Effect<Rank.Ranking, FitError>
}

const better = (a: Model, b: Model): number => b.lmpse - a.lmpse

/** A sample of very many rows; all others are taken as they are. */
const sample = (train: Data.Dataset): Effect.Effect<Data.Dataset, DataError> =>
  train.rows <= many
    ? Effect.succeed(train)
    : Effect.map(
        Data.split(train, 1 - some / train.rows, Rng.fold(Rng.key(0), "sample")),
        (parts) => parts.train,
      )

/**
 * Ranks archives of a model's ensembles: the best of each complexity and the best of all (`Shortlist`) are scored exactly on all rows,
 * constants that are exact numbers are written as such (`Rank.rounded`), and equivalent models count as one.
 *
 * @errors CompileError as of `Scorer.make`
 */
export const make = (
  plan: Declared,
  data: { readonly train: Data.Dataset; readonly test?: Data.Dataset | undefined },
): Effect.Effect<Ranker, CompileError> =>
  Effect.gen(function* () {
    const scorer = yield* Scorer.make(plan, data)
    // A fraction in (0, 1) of more rows than one: the split cannot fail.
    const part = yield* Effect.orDie(sample(data.train))
    const all = part === data.train
    const scout = all ? scorer : yield* Scorer.make(plan, { train: part })
    let known: { readonly score: number; readonly model: Model | undefined } | undefined
    const best: Ranker["best"] = (score, archive) => {
      if (known?.score === score) return known.model
      const models = Shortlist.of(plan.likelihood, archive(), few).flatMap(
        (drawn) => scout.model(drawn) ?? [],
      )
      // What the constants are believed to be counts as well: a simple law may come first by it.
      const first = models.sort(better).slice(0, rounded.running)
      const exact = first.map((one) => one.rounded?.(Constants.defaults) ?? one)
      // Not all that was found is looked at, so that the best law before may still be the best.
      const [model] = [...(known?.model === undefined ? [] : [known.model]), ...exact].sort(better)
      known = { score, model }
      return model
    }
    const shortlist = (drawn: ReadonlyArray<Ensembles.Drawn>): ReadonlyArray<Ensembles.Drawn> => {
      const scores = new Map(drawn.map((one) => [one, scout.score(one.ensemble)?.lmpse ?? -Infinity]))
      return drawn.toSorted((a, b) => scores.get(b)! - scores.get(a)!).slice(0, short)
    }
    const ranking: Ranker["ranking"] = (archive) =>
      Effect.suspend(() => {
        const drawn = Shortlist.of(plan.likelihood, archive)
        return Effect.map(Rank.fromEnsembles(scorer, all ? drawn : shortlist(drawn)), (ranked) =>
          ranked.pipe(
            Rank.rounded({ top: all ? rounded.usual : rounded.many }),
            Rank.groupEquivalent,
            Rank.by(Rank.posterior),
          ),
        )
      })
    return { best, ranking }
  })
