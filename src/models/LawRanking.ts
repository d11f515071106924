import * as Effect from "effect/Effect"
import * as Constants from "../evidence/exact/Constants.ts"
import * as Tree from "../prob/Tree.ts"
import type { Archived } from "../infer/Archive.ts"
import type { Running } from "../infer/Fit.ts"
import * as Ensembles from "../rank/Ensemble.ts"
import type { Model } from "../rank/Model.ts"
import * as Rank from "../rank/Rank.ts"
import * as Scorer from "../rank/Scorer.ts"
import * as Data from "../data/Data.ts"
import type { CompileError, DataError, FitError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"

/** What of a search, running or ended, is looked at. */
export type Searched = Pick<Running, "plan" | "archive">

/** How many of the ensembles that a search kept are scored exactly, and how many of each complexity before others. */
const scored = 150
const each = 3
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
   */
  readonly best: (score: number) => Model | undefined
  readonly ranking: Effect.Effect<Rank.Ranking, FitError>
}

/**
 * Some of what a search has kept: the best of each complexity, then the best. A search that looks at some rows only may
 * think well of terms that all rows refute, and they would crowd out the law. y = b_0 in any case.
 */
const kept = ({ plan, archive }: Searched, count: number): ReadonlyArray<Ensembles.Drawn> => {
  const { grammar } = plan.likelihood.forest
  const complexity = ({ trees }: Archived): number =>
    trees.reduce((sum, tree) => sum + Tree.complexity(grammar, tree), 0)
  const found = new Map<number, number>()
  const places = (archive?.ensembles() ?? []).map((ensemble, rank) => {
    const size = complexity(ensemble)
    const place = found.get(size) ?? 0
    found.set(size, place + 1)
    return { ensemble, order: place < each ? place - each : rank }
  })
  const chosen = places.toSorted((a, b) => a.order - b.order).slice(0, count)
  return Ensembles.fromArchive(grammar, [...chosen.map(({ ensemble }) => ensemble), { link: 0, trees: [] }])
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
 * @errors CompileError as of `Scorer.make`
 */
export const make = (
  searched: Searched,
  data: { readonly train: Data.Dataset; readonly test?: Data.Dataset | undefined },
): Effect.Effect<Ranker, CompileError> =>
  Effect.gen(function* () {
    const scorer = yield* Scorer.make(searched.plan, data)
    // A fraction in (0, 1) of more rows than one: the split cannot fail.
    const part = yield* Effect.orDie(sample(data.train))
    const all = part === data.train
    const scout = all ? scorer : yield* Scorer.make(searched.plan, { train: part })
    let known: { readonly score: number; readonly model: Model | undefined } | undefined
    const best: Ranker["best"] = (score) => {
      if (known?.score === score) return known.model
      const models = kept(searched, few).flatMap((drawn) => scout.model(drawn) ?? [])
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
    const ranking = Effect.suspend(() => {
      const drawn = kept(searched, scored)
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
