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
import * as Variants from "./Variants.ts"
import * as Unseen from "./Unseen.ts"
import * as Rng from "../random/Rng.ts"

/** Above this number of rows a sample of rows preselects the ensembles that are scored on all rows. */
const manyRows = 20_000
/** The number of rows of the sample, and the number of ensembles of the archive that are scored on it. */
const sampledRows = 4000
const scouted = 30
/**
 * The number of ensembles that the sample preselects: a score on all rows takes seconds for a million. At most as many values of laws are
 * computed as 30 laws have on the rows of a table without a sample. One that is further below the best on the sample, in nats, is still further
 * below it on all rows.
 */
const preselected = { least: 2, most: 30, values: 30 * manyRows, hopeless: 50 }
/**
 * The number of models whose constants are tested for exact numbers: of few rows, in general, with a sample of rows, and while the search
 * runs. A law of few rows that is b (1 - exp(-c x)) and not a + b exp(-c x) may gain more by it than the best thirty differ.
 */
const tested = { few: 150, usual: 30, sampled: 5, running: 2 }
/** Up to this number of rows a test takes next to no time. */
const fewRows = 200
/** The number of ensembles that other parametrisations are made of. */
const varied = 60
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
  /** The mass of laws that are not seen so far, by the best law of `best` with the same arguments; undefined before there is one. */
  readonly unseen: (score: number, archive: () => Archive) => Unseen.Unseen | undefined
  /** @param late whether time is up: then only the first few are scored; never by default */
  readonly ranking: (
    archive: Archive,
    late?: () => boolean,
  ) => Effect.Effect<Rank.Ranking, FitError | CompileError>
}

const testedOf = (rows: number): number =>
  rows > manyRows ? tested.sampled : rows > fewRows ? tested.usual : tested.few

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
    const { grammar } = plan.likelihood.forest
    const part = sample(data.train)
    const all = part === data.train
    // What is made of many rows is made when they are scored on.
    const scorer = Scorer.make(plan, data)
    const scout = yield* all ? scorer : Scorer.make(plan, { train: part })
    let known:
      | {
          readonly score: number
          readonly model: Model | undefined
          /** as they were scored for it, the law without terms among them */
          readonly others: ReadonlyArray<Model>
        }
      | undefined
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
      known = { score, model, others: models }
      return model
    }
    const unseen: Ranker["unseen"] = (score, archive) => {
      const model = best(score, archive)
      const signs = model && Signs.of({ plan, archive: archive() }, [model, ...(known?.others ?? [])], part)
      return signs && Unseen.of(signs)
    }
    const { least, most, values, hopeless } = preselected
    const finalists = Math.max(least, Math.min(most, Math.round(values / data.train.rows)))
    /** Those of some ensembles that the sample leaves possible, best first. */
    const shortlist = (
      drawn: ReadonlyArray<Ensembles.Drawn>,
      late: () => boolean,
    ): ReadonlyArray<Ensembles.Drawn> => {
      const scored: Array<{ readonly one: Ensembles.Drawn; readonly score: number }> = []
      for (const one of drawn) {
        if (scored.length >= least && late()) break
        scored.push({ one, score: scout.score(one.ensemble)?.lmpse ?? -Infinity })
      }
      scored.sort((a, b) => b.score - a.score)
      return scored
        .filter(({ score }, place) => place === 0 || score >= scored[0]!.score - hopeless)
        .slice(0, finalists)
        .map(({ one }) => one)
    }
    /** Models as the sample has them, beside the law without terms. */
    const sampled = (
      best: Model,
      constant: Ensembles.Drawn | undefined,
    ): readonly [Model, ...Array<Model>] => {
      const { ensemble, draws } = best
      const own = scout.model({ ensemble, draws }) ?? best
      const nothing = constant && scout.model(constant)
      return [own.exact?.(Constants.defaults) ?? own, ...(nothing === undefined ? [] : [nothing])]
    }
    const ranking: Ranker["ranking"] = (archive, late = () => false) =>
      Effect.gen(function* () {
        const drawn = Shortlist.of(plan.likelihood, archive, all ? undefined : scouted)
        const found = all
          ? yield* Rank.fromEnsembles(scout, Variants.beside(grammar, drawn, varied), late)
          : yield* Rank.fromEnsembles(yield* scorer, shortlist(drawn, late))
        const ranked = found.pipe(
          Rank.exactConstants({ top: testedOf(data.train.rows), late }),
          Memory.considered,
          Rank.groupEquivalent,
          Rank.groupForms,
          Leverage.removed,
          Rank.by(Rank.posterior),
        )
        // A ranking has at least one model.
        const [best, ...others] = ranked.models as readonly [Model, ...ReadonlyArray<Model>]
        const constant = drawn.find(({ ensemble }) => ensemble.trees.length === 0)
        const models = all ? ([best, ...others] as const) : sampled(best, constant)
        return withUnseen(ranked, Unseen.of(Signs.of({ plan, archive }, models, part)))
      })
    return { best, unseen, ranking }
  })
