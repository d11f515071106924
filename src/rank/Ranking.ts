import * as Effect from "effect/Effect"
import { type Pipeable, Prototype } from "effect/Pipeable"
import { normalised } from "../numeric/logSum.ts"
import type { Observation } from "../prob/Observation.ts"
import type { Fitted } from "../infer/Fit.ts"
import * as Posterior from "../infer/Posterior.ts"
import * as Turn from "../infer/Turn.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import { type CompileError, FitError } from "../errors/Errors.ts"
import * as Skeleton from "../prob/Skeleton.ts"
import * as Rng from "../random/Rng.ts"
import * as Padding from "./Padding.ts"
import * as Ensembles from "./Ensemble.ts"
import { type Model, replace, update } from "./Model.ts"
import type { Scorer } from "./Scorer.ts"
import * as Scorers from "./Scorer.ts"
import type { Searched } from "./Searched.ts"
import * as Shortlist from "./Shortlist.ts"
import type { Unseen } from "./Unseen.ts"

/** Models in order, best first, and the counts of the draws from which they come. */
export interface Ranking extends Pipeable {
  readonly models: ReadonlyArray<Model>
  /** The number of all draws, H. */
  readonly draws: number
  /** The number of draws without a model: a column was not finite or reached 1e150 in magnitude. */
  readonly inadmissible: number
  /** The number of distinct models among the draws, before any selection. */
  readonly distinct: number
  /** The standard deviation of the training data's y, the unit of differences of fits. */
  readonly scale: number
  /** the mass of laws that are none of the models; undefined for rankings of draws, whose probabilities are shares */
  readonly unseen?: Unseen | undefined
}

export const withModels = (ranking: Ranking, models: ReadonlyArray<Model>): Ranking => ({
  ...ranking,
  models,
})

/** A ranking with the mass of the laws that were not seen: the probability of each model is its share of the rest. */
export const withUnseen = (ranking: Ranking, unseen: Unseen): Ranking => ({
  ...ranking,
  unseen,
  models: ranking.models.map((model) =>
    replace(model, { probability: model.posterior * (1 - unseen.probability) }),
  ),
})

/** A text that models of one link, of the same trees but for the values of fitted constants, and of one hypothesis about coefficients share. */
const keyOf = ({ ensemble: { link, trees }, constants }: Model): string =>
  [link, ...trees.map((tree) => Tree.key(Tree.withoutValues(tree))), ...(constants ?? [])].join(" ")

/**
 * A ranking of distinct models, none of which is a group, with further models. Of a further model that is one of the ranking but for the values of
 * fitted constants the more probable one counts: as two models it would have its prior twice.
 */
export const withFurther = (ranking: Ranking, further: ReadonlyArray<Model>): Ranking => {
  if (further.length === 0) return ranking
  const all = [...ranking.models, ...further].map((model) => ({ model, key: keyOf(model) }))
  const given = new Set(further.map(keyOf))
  const best = new Map<string, Model>()
  for (const { model, key } of all)
    if (!((best.get(key)?.lmpse ?? -Infinity) >= model.lmpse)) best.set(key, model)
  const models = all
    .filter(({ model, key }) => !given.has(key) || best.get(key) === model)
    .map(({ model }) => model)
    .sort((a, b) => b.lmpse - a.lmpse)
  const posterior = normalised(models.map(({ lmpse }) => lmpse))
  return {
    ...ranking,
    models: models.map((model, i) => replace(model, { posterior: posterior[i]! })),
    distinct: ranking.distinct + models.length - ranking.models.length,
  }
}

/** Ensembles that are scored after others, by the models of those. */
export interface Beside {
  readonly of: (models: ReadonlyArray<Model>) => ReadonlyArray<Ensembles.Drawn>
  /** whether time is up */
  readonly late: () => boolean
}

/** How often ensembles beside the best are asked for, at most. */
const rounds = 8

/** As many models are made whatever the time: the best, and the law without terms. */
const fewest = 2

/**
 * The models of distinct ensembles, best LMPSE first, with posterior probabilities among them.
 *
 * *When to use*: for ensembles of your own, such as formulas made into trees; `fromPosterior` after a fit.
 *
 * Fails with a `FitError` when no ensemble is admissible.
 *
 * @param late whether time is up: of later ensembles only the first few are scored; never by default
 * @param beside further ensembles to be scored, given the models of the others in no order, and whether time is up for these; asked again while they
 *   bring a better model; none by default
 */
export const fromEnsembles = (
  scorer: Scorer,
  drawn: ReadonlyArray<Ensembles.Drawn>,
  late: () => boolean = () => false,
  beside: Beside = { of: () => [], late },
): Effect.Effect<Ranking, FitError> =>
  Effect.gen(function* () {
    const found = new Map<string, Model>()
    let [draws, kept] = [0, 0]
    const pause = yield* Turn.Pause
    const score = function* (listed: ReadonlyArray<Ensembles.Drawn>, late: () => boolean) {
      draws += listed.reduce((sum, { draws }) => sum + draws, 0)
      for (const one of listed) {
        if (found.size >= fewest && late()) break
        yield* pause
        const model = scorer.model(one)
        // The evidence is finite for admissible columns, unless the data themselves overflow.
        if (model === undefined || !Number.isFinite(model.lmpse)) continue
        kept += one.draws
        const { key } = model.ensemble
        const before = found.get(key)
        // Ensembles that differ in the values of fitted constants may be equal after these are fitted.
        found.set(key, before === undefined ? model : update(before, { draws: before.draws + model.draws }))
      }
    }
    yield* score(drawn, late)
    const highest = (): number =>
      [...found.values()].reduce((most, { lmpse }) => Math.max(most, lmpse), -Infinity)
    // Ensembles beside the best models are asked for again while they bring a better model.
    for (let round = 0, before = -Infinity; round < rounds && highest() > before; round++) {
      before = highest()
      yield* score(
        beside.of([...found.values()]).filter(({ ensemble }) => !found.has(ensemble.key)),
        beside.late,
      )
    }
    const models = [...found.values()]
    if (models.length === 0)
      return yield* new FitError({
        message:
          draws === 0
            ? "there are no draws to rank; ask for at least one"
            : `none of the ensembles that were found is a model (${draws} in all): each has a column with values that are not finite or reach 1e150${scorer.dropped.length > 0 ? `, or a link that the data rule out (${scorer.dropped.join("; ")})` : ""}. ` +
              `Keep operators within their domains (no logarithm of a feature that is negative on some row), give the response in a unit in which it stays below 1e150${scorer.dropped.length > 0 ? ", or add the identity to the links" : ""}`,
      })
    const posterior = normalised(models.map(({ lmpse }) => lmpse))
    return {
      ...Prototype,
      models: models
        // The scorer made these models for this ranking alone: they are changed in place, because copies of a thousand
        // take time.
        .map((model, i) => Object.assign(model, { posterior: posterior[i]! }))
        .sort((a, b) => b.lmpse - a.lmpse),
      draws,
      inadmissible: draws - kept,
      distinct: models.length,
      scale: scorer.scale,
    }
  })

/**
 * The models of drawn skeletons (`Posterior.draws`), best LMPSE first.
 *
 * *When to use*: for draws of several fits together, or with a scorer of your own; `fromPosterior` for those of one fit.
 *
 * Fails with a `FitError` when no ensemble is admissible.
 */
export const fromDraws = (
  scorer: Scorer,
  likelihood: Pick<Observation, "ensembles" | "forest">,
  draws: Ensembles.Draws,
): Effect.Effect<Ranking, FitError> =>
  Effect.suspend(() => {
    const sets = likelihood.ensembles === "sets"
    return fromEnsembles(scorer, Ensembles.fromDraws(likelihood.forest, draws, { sets }))
  })

/**
 * The models of a search's archive of hard ensembles, best LMPSE first. Posterior probabilities are normalised over the
 * whole archive.
 *
 * *When to use*: for archives that were joined (`Archive`), or with a scorer of your own; `fromPosterior` for that of one search.
 *
 * Fails with a `FitError` when no ensemble is admissible.
 */
export const fromArchive = (
  scorer: Scorer,
  likelihood: Pick<Observation, "forest">,
  archive: Iterable<Ensembles.Archived>,
): Effect.Effect<Ranking, FitError> =>
  Effect.suspend(() => fromEnsembles(scorer, Ensembles.fromArchive(likelihood.forest.grammar, archive)))

/** The data and draws of a ranking. */
export interface Setting {
  readonly train: Dataset
  /** rows for out-of-sample errors */
  readonly test?: Dataset | undefined
  /** the number of hard ensembles that are drawn, H; not used for an archive */
  readonly draws: number
  /** the key of the draws; derived from the fit's seed if left out */
  readonly key?: Rng.Key | undefined
  /** whether the time for draws is over, asked between parts of them; never by default */
  readonly late?: (() => boolean) | undefined
}

/** The most nodes that are drawn at once: those of 2,000 draws of ten trees of depth 5 are. */
const atOnce = 2 ** 21

/**
 * A fit that can be ranked: a variational posterior, from which ensembles are drawn, or an archive of scored ensembles.
 */
export type Rankable =
  | Fitted<Posterior.Posterior & { readonly archive?: Searched["archive"] }>
  | Fitted<Searched & { readonly parameters?: undefined }>

/**
 * Ranks the posterior of a fit, best LMPSE first. From a variational posterior hard ensembles are drawn (Algorithm
 * "SampleHard"). Of an archive the best ensembles of each complexity and the best of all are ranked (`Shortlist`);
 * ensembles with fewer trees than the likelihood are padded (`Padding`).
 *
 * Its models are ensembles that the inference found, under the declared model and nothing else. `Law.rank` of the same archive looks for the law:
 * it adds other parametrisations, laws with terms removed, exact constants and known forms, whose priors may put another law first. Where no
 * number is exact and data decide, both have the same law first.
 *
 * *When to use*: after a fit, to compare inferences of one model, and for the paper's model; `Law.rank` for the law of a search. `fromDraws`,
 * `fromArchive` and `fromEnsembles` rank draws, archives and lists with your own scorer.
 *
 * Fails with a `FitError` when no ensemble is admissible.
 *
 * @example
 * const ranking = yield* Infer.fit(model, data).pipe(
 *   Effect.flatMap(Rank.fromPosterior({ train: data, draws: 2000 })),
 *   Effect.map(Rank.occamWindow(20)),
 * )
 */
export const fromPosterior =
  ({ train, test, draws, key, late }: Setting) =>
  (posterior: Rankable): Effect.Effect<Ranking, CompileError | FitError> =>
    Effect.gen(function* () {
      const { plan, seed } = posterior
      const scorer = yield* Scorers.make(plan, { train, test: test?.rows === 0 ? undefined : test })
      const { likelihood } = plan
      const { archive } = posterior
      // Of a search with a family that has found nothing yet the family is known.
      if (posterior.parameters === undefined || (archive !== undefined && archive.ensembles.length > 0)) {
        const kept = Shortlist.archived(likelihood, archive ?? { scored: 0, ensembles: [] })
        return yield* fromEnsembles(scorer, Padding.complete(scorer, likelihood, kept))
      }
      const source = key ?? Rng.fold(Rng.key(seed), "rank")
      return yield* fromEnsembles(scorer, drawn(posterior, likelihood, source, draws, late))
    })

/** The distinct ensembles among draws, which are made in parts: all nodes of many large trees would take gigabytes. */
const drawn = (
  posterior: Posterior.Posterior,
  likelihood: Observation,
  key: Rng.Key,
  count: number,
  late: () => boolean = () => false,
): ReadonlyArray<Ensembles.Drawn> => {
  const { forest } = likelihood
  const sets = likelihood.ensembles === "sets"
  const each = Math.max(1, Math.floor(atOnce / (forest.trees * Skeleton.size(forest.depth))))
  const parts: Array<ReadonlyArray<Ensembles.Drawn>> = []
  for (let made = 0; made < count && !(made > 0 && late()); made += each) {
    const [own, some] = [made === 0 ? key : Rng.fold(key, made), Math.min(each, count - made)]
    const draws = {
      ...Posterior.draws(posterior, forest, own, some),
      ...selection(posterior, likelihood, own, some),
    }
    parts.push(Ensembles.fromDraws(forest, draws, { sets }))
  }
  return Ensembles.together(parts)
}

/** Draws of the sites beside the trees. */
const selection = (
  posterior: Posterior.Posterior,
  { included, link }: Observation,
  key: Rng.Key,
  count: number,
): Pick<Ensembles.Draws, "included" | "link"> => {
  const draw = (site: string): Float64Array =>
    Posterior.sampleSite(posterior, site, Rng.fold(key, site), count)
  return { included: included && draw(included.site), link: link && draw(link.site.site) }
}
