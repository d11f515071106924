import * as Effect from "effect/Effect"
import * as Constants from "../evidence/exact/Constants.ts"
import type { Declared } from "../prob/Plan.ts"
import type { Archive } from "../infer/Archive.ts"
import type * as Ensembles from "./Ensemble.ts"
import type { Model } from "./Model.ts"
import * as Leverage from "./Leverage.ts"
import * as Memory from "./Memory.ts"
import * as Rank from "./Rank.ts"
import { withUnseen } from "./Ranking.ts"
import * as Scorer from "./Scorer.ts"
import * as Signs from "./Signs.ts"
import * as Shortlist from "./Shortlist.ts"
import type * as Data from "../data/Data.ts"
import type { CompileError, FitError } from "../errors/Errors.ts"
import * as Rows from "../search/Rows.ts"
import * as Unseen from "./Unseen.ts"
import * as Rng from "../random/Rng.ts"

/** Above this number of rows a sample of rows preselects the ensembles that are scored on all rows. */
const manyRows = 20_000
/** The number of rows of the sample, and the number of ensembles of the archive that are scored on it. */
const sampledRows = 4000
const scouted = 60
/**
 * The number of ensembles that the sample preselects: scores on all rows, under each kind of noise, take seconds for a million rows. At
 * most as many values of laws are computed as 30 laws have on the rows of a table without a sample.
 */
const preselected = { least: 2, most: 30, values: 30 * manyRows }
/** The number of models whose constants are tested for exact numbers: usually, with a sample of rows, and while the search runs. */
const tested = { usual: 30, sampled: 5, running: 2 }
/** The number of ensembles scored for the best law so far. */
const scored = 8

/** Ranks the archive of a running or finished search. */
export interface Ranker {
  /**
   * The best law of all that were scored in this call or earlier ones.
   *
   * @param score the score of the search's best ensemble: with the score of the last call, its result is returned again
   * @param archive the search's archive, read only if needed
   */
  readonly best: (score: number, archive: () => Archive) => Model | undefined
  readonly ranking: (archive: Archive) => Effect.Effect<Rank.Ranking, FitError | CompileError>
}

const better = (a: Model, b: Model): number => b.lmpse - a.lmpse

/** A sample of the rows if there are more than `manyRows`, else all rows. */
const sample = (train: Data.Dataset): Data.Dataset =>
  train.rows <= manyRows ? train : Rows.some(train, sampledRows, Rng.fold(Rng.key(0), "sample"))

/**
 * Ranks archives of a model's ensembles: the best of each complexity and the best of all (`Shortlist`) are scored exactly on all rows,
 * constants that are exact numbers are written as such (`Rank.exactConstants`), and equivalent models count as one.
 *
 * @errors CompileError as of `Scorer.make`; with more than 20,000 rows also of the ranking, which is the first to look at all of them
 */
export const make = (
  plan: Declared,
  data: { readonly train: Data.Dataset; readonly test?: Data.Dataset | undefined },
): Effect.Effect<Ranker, CompileError> =>
  Effect.gen(function* () {
    const part = sample(data.train)
    const all = part === data.train
    // What is made of many rows is made when they are scored on.
    const scorer = Scorer.make(plan, data)
    const scout = yield* all ? scorer : Scorer.make(plan, { train: part })
    let known: { readonly score: number; readonly model: Model | undefined } | undefined
    const best: Ranker["best"] = (score, archive) => {
      if (known?.score === score) return known.model
      const models = Shortlist.of(plan.likelihood, archive(), scored).flatMap(
        (drawn) => scout.model(drawn) ?? [],
      )
      // The prior of exact constants counts as well: it may put a simple law first.
      const first = models.sort(better).slice(0, tested.running)
      const exact = first.map((one) => one.exact?.(Constants.defaults) ?? one)
      // Only a part of the archive is scored, so that the previous best law may still be the best.
      const [model] = [...(known?.model === undefined ? [] : [known.model]), ...exact].sort(better)
      known = { score, model }
      return model
    }
    const { least, most, values } = preselected
    const finalists = Math.max(least, Math.min(most, Math.round(values / data.train.rows)))
    const shortlist = (drawn: ReadonlyArray<Ensembles.Drawn>): ReadonlyArray<Ensembles.Drawn> => {
      const scores = new Map(drawn.map((one) => [one, scout.score(one.ensemble)?.lmpse ?? -Infinity]))
      return drawn.toSorted((a, b) => scores.get(b)! - scores.get(a)!).slice(0, finalists)
    }
    const ranking: Ranker["ranking"] = (archive) =>
      Effect.suspend(() => {
        const drawn = Shortlist.of(plan.likelihood, archive, all ? undefined : scouted)
        const made = all
          ? Rank.fromEnsembles(scout, drawn)
          : Effect.flatMap(scorer, (full) => Rank.fromEnsembles(full, shortlist(drawn)))
        return Effect.map(made, (found) => {
          const ranked = found.pipe(
            Rank.exactConstants({ top: all ? tested.usual : tested.sampled }),
            Memory.considered,
            Rank.groupEquivalent,
            Rank.groupForms,
            Leverage.removed,
            Rank.by(Rank.posterior),
          )
          const [best, ...others] = ranked.models
          // A ranking has at least one model.
          const signs = Signs.of({ plan, archive }, [best!, ...others], data.train)
          return withUnseen(ranked, Unseen.of(signs))
        })
      })
    return { best, ranking }
  })
