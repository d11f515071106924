import * as Effect from "effect/Effect"
import * as Constants from "../evidence/exact/Constants.ts"
import * as Deadline from "./Deadline.ts"
import type { Declared } from "../prob/Plan.ts"
import type { Archive } from "../infer/Archive.ts"
import * as Turn from "../infer/Turn.ts"
import * as Ensembles from "./Ensemble.ts"
import type { Model } from "./Model.ts"
import * as Known from "./Known.ts"
import * as KnownModels from "./KnownModels.ts"
import * as Leverage from "./Leverage.ts"
import * as Memory from "./Memory.ts"
import * as Rank from "./Rank.ts"
import { type Ranking, withFurther, withUnseen } from "./Ranking.ts"
import * as Scorer from "./Scorer.ts"
import * as Signs from "./Signs.ts"
import * as Shortlist from "./Shortlist.ts"
import type * as Data from "../data/Data.ts"
import type { CompileError, FitError } from "../errors/Errors.ts"
import * as Rows from "../search/Rows.ts"
import { fewRows, manyRows } from "./ManyRows.ts"
import * as Variants from "./Variants.ts"
import { isWithoutNoise } from "./withoutNoise.ts"
import * as Undetermined from "./Undetermined.ts"
import * as Unseen from "./Unseen.ts"
import * as Rng from "../random/Rng.ts"
import { orderStatistic } from "../numeric/orderStatistic.ts"

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
/** The number of ensembles that other parametrisations are made of. */
const varied = 60
/** The number of models that are scored without some of their terms, and in limiting cases. */
const trimmed = 4
/** The number of ensembles scored for the best law so far, and by a ranking among the first. */
const scored = 8
/**
 * The shares of a ranking's time after which no further ensemble is scored on the sample, on the rows, no part of the best and none beside the best
 * there, none's constants are tested, and no known form is tried.
 */
const shares = { scouted: 0.25, scored: 0.36, parts: 0.5, varied: 0.57, tested: 0.67, known: 0.75 } as const
/** The share of the time for scores on all rows, and how many times as long as a score a model takes there, its numbers and errors included. */
const spending = { share: 0.6, model: 4 } as const

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
  /**
   * The models of known forms that rows have beside the best law of `best` with the same arguments, best first; none where that leaves nothing.
   *
   * @param deadline when it has to be done; none by default
   */
  readonly known: (
    score: number,
    archive: () => Archive,
    deadline?: Deadline.Deadline,
  ) => Effect.Effect<ReadonlyArray<Model>>
  /**
   * @param deadline when it has to be done: then fewer ensembles are scored, and of a table of more than 20,000 rows as many rows as there is
   *   time for (`Signs.of`); none by default
   */
  readonly ranking: (
    archive: Archive,
    deadline?: Deadline.Deadline,
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
    // This is an effect: the scorer of all rows is made when models are scored on them.
    const scorer = Scorer.make(plan, data)
    const scout = yield* all ? scorer : Scorer.make(plan, { train: part })
    const known = yield* Known.make(plan, part)
    let lead:
      | {
          readonly score: number
          readonly model: Model | undefined
          /** as they were scored for it, the law without terms among them */
          readonly others: ReadonlyArray<Model>
        }
      | undefined
    const best: Ranker["best"] = (score, archive) => {
      if (lead?.score === score) return lead.model
      const models = Shortlist.of(plan.likelihood, archive(), scored).flatMap(
        (drawn) => scout.model(drawn) ?? [],
      )
      // The prior of exact constants counts as well: it may put a simple law first.
      const first = models.sort(better).slice(0, tested.running)
      const exact = first.map((one) => one.exact?.(Constants.defaults) ?? one)
      // Only a part of the archive is scored, so that the previous best law may still be the best.
      const [model] = [...(lead?.model === undefined ? [] : [lead.model]), ...exact].sort(better)
      lead = { score, model, others: models }
      return model
    }
    const unseen: Ranker["unseen"] = (score, archive) => {
      const model = best(score, archive)
      const signs = model && Signs.of({ plan, archive: archive() }, [model, ...(lead?.others ?? [])], part)
      return signs && Unseen.of(signs)
    }
    const { least, most, values, hopeless } = preselected
    const finalists = Math.max(least, Math.min(most, Math.round(values / data.train.rows)))
    /**
     * Ensembles, each once, the first, its parts and its rivals before the others, and the number of these: they are scored while there is time, for on
     * some rows the best ensemble may have terms that others refute, and under its link a score that the scale of y refutes. Where all rows are
     * looked at the next few are scored, too: exact constants decide between them, of which the search knows nothing.
     */
    const partsFirst = (drawn: ReadonlyArray<Ensembles.Drawn>, rivals: ReadonlyArray<Ensembles.Drawn>) => {
      const first = drawn.slice(0, 1)
      const next = drawn.slice(1, all ? scored : 1)
      const parts = [...first, ...Variants.shortened(grammar, first), ...rivals, ...next]
      const known = new Set(parts.map(({ ensemble }) => ensemble.key))
      return {
        listed: [...parts, ...drawn.filter(({ ensemble }) => !known.has(ensemble.key))],
        parts: parts.length,
      }
    }
    /** Whether it is late, asked before each ensemble but the first two: the parts have more of the time than the others. */
    const afterParts = (parts: number, used: (share: number) => boolean): (() => boolean) => {
      let asked = 0
      return () => used(++asked < parts ? shares.parts : shares.scored)
    }
    /** The models of ensembles in other parametrisations, too, and of parts and limiting cases of the best, on all rows. */
    const onAll = (
      drawn: ReadonlyArray<Ensembles.Drawn>,
      rivals: ReadonlyArray<Ensembles.Drawn>,
      used: (share: number) => boolean,
    ) => {
      const { listed, parts } = partsFirst(Variants.beside(grammar, drawn, varied), rivals)
      return Rank.fromEnsembles(scout, listed, afterParts(parts, used), {
        of: (models) => {
          const best = models.toSorted(better).slice(0, trimmed)
          return [...Variants.shortened(grammar, best), ...Variants.limiting(grammar, best)]
        },
        late: () => used(shares.varied),
      })
    }
    /** The models of known forms on the sample, where the law that leads is not exact already. */
    const knownBeside = (lead: Model, until: Deadline.Deadline): Effect.Effect<ReadonlyArray<Model>> =>
      isWithoutNoise(lead, scout.scale)
        ? Effect.succeed([])
        : KnownModels.models(scout, plan.likelihood, part, until, lead.expression)
    /** Those of some ensembles that the sample leaves possible, best first, and the seconds that one takes there. */
    const shortlist = Effect.fnUntraced(function* (
      drawn: ReadonlyArray<Ensembles.Drawn>,
      rivals: ReadonlyArray<Ensembles.Drawn>,
      until: Deadline.Deadline,
    ) {
      const pause = yield* Turn.Pause
      const scored: Array<{ readonly one: Ensembles.Drawn; readonly score: number }> = []
      const times: Array<number> = []
      const { listed, parts } = partsFirst(drawn, rivals)
      for (const one of listed) {
        if (scored.length >= parts + least - 1 && until.left() <= 0) break
        yield* pause
        const begun = performance.now()
        scored.push({ one, score: scout.score(one.ensemble)?.lmpse ?? -Infinity })
        times.push((performance.now() - begun) / 1000)
      }
      scored.sort((a, b) => b.score - a.score)
      const [first] = scored
      const lead = first && scout.model(first.one)
      const keys = new Set(listed.map(({ ensemble }) => ensemble.key))
      for (const { ensemble } of lead === undefined ? [] : yield* knownBeside(lead, until))
        if (!keys.has(ensemble.key))
          scored.push({ one: { ensemble, draws: 1 }, score: scout.score(ensemble)?.lmpse ?? -Infinity })
      scored.sort((a, b) => b.score - a.score)
      const left = scored
        .filter(({ score }, place) => place === 0 || score >= scored[0]!.score - hopeless)
        .slice(0, finalists)
        .map(({ one }) => one)
      return { left, seconds: orderStatistic(Float64Array.from(times), times.length >> 1) }
    })
    /** The rows on which there is time to score some ensembles: all, the sample, or more by chance. */
    const affordable = (count: number, seconds: number, left: number) => {
      const rows = (sampledRows * spending.share * left) / (count * spending.model * seconds)
      if (rows >= data.train.rows) return { rows: data.train.rows, scorer }
      if (rows < 2 * sampledRows) return { rows: part.rows, scorer: Effect.succeed(scout) }
      const train = Rows.some(data.train, Math.floor(rows), Rng.fold(Rng.key(0), "affordable"))
      return { rows: train.rows, scorer: Scorer.make(plan, { ...data, train }) }
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
    /** With the models of known forms, where all rows are looked at: of a sample these are in the shortlist. */
    const withKnown = (ranking: Ranking, until: Deadline.Deadline): Effect.Effect<Ranking> => {
      const [best] = ranking.models
      return !all || best === undefined
        ? Effect.succeed(ranking)
        : Effect.map(knownBeside(best, until), (models) => withFurther(ranking, models))
    }
    const ranking: Ranker["ranking"] = (archive, deadline = Deadline.none) =>
      Effect.gen(function* () {
        const until = Deadline.parts(deadline)
        const used = Deadline.begun(deadline)
        const pause = yield* Turn.Pause
        const drawn = Shortlist.of(plan.likelihood, archive, all ? undefined : scouted)
        const rivals = Shortlist.rivals(plan.likelihood, archive)
        const short = all ? undefined : yield* shortlist(drawn, rivals, until(shares.scouted))
        const looked = short && affordable(short.left.length, short.seconds, deadline.left())
        const found =
          short === undefined || looked === undefined
            ? yield* onAll(drawn, rivals, used)
            : yield* Rank.fromEnsembles(yield* looked.scorer, short.left)
        yield* pause
        const tests = Rank.exactConstants({
          top: testedOf(data.train.rows),
          late: () => used(shares.tested),
        })
        const exact = tests(found)
        yield* pause
        let ranked = yield* withKnown(exact, until(shares.known))
        const stages: ReadonlyArray<(ranking: Ranking) => Ranking> = [
          known.considered,
          Memory.considered,
          Rank.groupEquivalent,
          Rank.groupForms,
          Leverage.removed,
          Undetermined.removed,
          Rank.by(Rank.posterior),
        ]
        for (const stage of stages) {
          yield* pause
          ranked = stage(ranked)
        }
        // A ranking has at least one model.
        const [best, ...others] = ranked.models as readonly [Model, ...ReadonlyArray<Model>]
        const constant = Ensembles.constantAmong(drawn)
        const counted =
          looked === undefined || looked.rows === data.train.rows
            ? {}
            : { scoredOn: looked.rows, table: data.train.rows }
        const models = all ? ([best, ...others] as const) : sampled(best, constant)
        return withUnseen(
          ranked,
          Unseen.of({ ...Signs.of({ plan, archive }, models, part, () => used(1)), ...counted }),
        )
      })
    const knownOf: Ranker["known"] = (score, archive, deadline = Deadline.none) => {
      const model = best(score, archive)
      return model === undefined
        ? Effect.succeed([])
        : Effect.map(knownBeside(model, deadline), (models) => models.toSorted(better))
    }
    return { best, unseen, known: knownOf, ranking }
  })
