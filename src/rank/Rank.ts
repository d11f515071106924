import type { Semigroup } from "fp-ts/lib/Semigroup.js"
import { skeleton } from "../expr/Term.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as Real from "../numeric/Real.ts"
import { type Model, update } from "./Model.ts"
import { type Ranking, withModels } from "./Ranking.ts"
import { ordOf, type Score } from "./Score.ts"

export { fromArchive, fromDraws, fromEnsembles, fromPosterior, type Ranking } from "./Ranking.ts"
export { paretoFront } from "./paretoFront.ts"
export { exactConstants } from "./ExactRanking.ts"
export {
  bic,
  complexity,
  evidence,
  linkEvidence,
  lmpse,
  posterior,
  rmseLoo,
  rmseTest,
  rmseTrain,
  type Score,
} from "./Score.ts"

/**
 * Sorts the models by a score, best first. Models with equal scores keep their order.
 *
 * *When to use*: to read a ranking by another criterion; each score says when it is the right one. Probabilities stay as they are.
 *
 * @example
 * ranking.pipe(Rank.by(Rank.lmpse), Rank.occamWindow(10), Rank.groupEquivalent)
 */
export const by =
  (score: Score) =>
  (ranking: Ranking): Ranking => {
    // A score may be computed when read: each is read once.
    const { compare } = ordOf({ ...score, of: (model) => values.get(model)! })
    const values = new Map(ranking.models.map((model) => [model, score.of(model)]))
    return withModels(ranking, ranking.models.toSorted(compare))
  }

/**
 * Keeps the models whose posterior probability is at least 1 / ratio of the best model's (Occam's window, Madigan and
 * Raftery 1994). *When to use*: for the models that the data support; `top` for a fixed number.
 *
 * @param ratio > 1; 20 is usual
 */
export const occamWindow =
  (ratio: number) =>
  (ranking: Ranking): Ranking => {
    const best = ranking.models.reduce((best, { posterior }) => Math.max(best, posterior), 0)
    return withModels(
      ranking,
      ranking.models.filter(({ posterior }) => posterior * ratio >= best),
    )
  }

/**
 * Keeps the first r models. *When to use*: for a table of fixed length; `occamWindow` for as many as the data support.
 */
export const top =
  (r: number) =>
  (ranking: Ranking): Ranking =>
    withModels(ranking, ranking.models.slice(0, r))

/**
 * Joins equivalent models: the simpler stands for both (the better if they are equally simple), and posterior
 * probabilities and draws add up.
 */
export const Together: Semigroup<Model> = {
  concat: (a, b) => {
    const simpler =
      b.complexity < a.complexity || (b.complexity === a.complexity && b.lmpse > a.lmpse) ? b : a
    return standing(simpler, simpler === a ? b : a)
  },
}

/** A model that stands for another as well. */
const standing = (model: Model, other: Model): Model =>
  update(model, {
    // The sum is a probability; rounding may take it above 1.
    posterior: Math.min(1, model.posterior + other.posterior),
    draws: model.draws + other.draws,
    ensembles: model.ensembles + other.ensembles,
    alike: [...(model.alike ?? []), other, ...(other.alike ?? [])],
  })

/** Least-squares fits that differ by less than this fraction of the standard deviation of y are equal. */
export const sameFit = 1e-9

/**
 * Groups models with equal fitted values into one: the simplest member of a group, at the place of its best member.
 * Fitted values are those of least squares on [1, t_1, ..., t_K], and equal when their root mean square difference is
 * at most `sameFit` of the standard deviation of y. Least squares depends only on the span of the columns: x and 2 x,
 * or x y and (x + y)^2 - (x - y)^2, are one model, while posterior means shrink each parametrisation differently. On
 * data without noise a true law with a superfluous tree is the law itself.
 *
 * *When to use*: before probabilities are read, which else are shared out among texts of one law; `groupForms` joins more.
 */
export const groupEquivalent = (ranking: Ranking): Ranking => {
  if (ranking.models.length < 2) return ranking
  const fits = ranking.models.map((model) => model.residuals())
  const n = fits[0]?.length ?? 0
  const tolerance = sameFit * ranking.scale * Math.sqrt(n)
  // Fits that agree have nearly the same component along any unit vector (Cauchy and Schwarz), so that only neighbours
  // in the order of that component are compared in full.
  const unit = Float64Array.from({ length: n }, (_, i) => Real.sin(1 + i * i))
  const length = Math.sqrt(dot(unit, unit))
  const along = fits.map((fit) => dot(fit.map(finite), unit) / length)
  const order = along.map((_, i) => i).sort((a, b) => along[a]! - along[b]!)
  const place = new Map(order.map((model, position) => [model, position]))
  const taken = new Set<number>()
  const groups = ranking.models.flatMap((model, first) => {
    if (taken.has(first)) return []
    let group = model
    for (const step of [-1, 1])
      for (let at = place.get(first)! + step; at >= 0 && at < order.length; at += step) {
        const other = order[at]!
        if (Math.abs(along[other]! - along[first]!) > tolerance) break
        if (taken.has(other) || distance(fits[other]!, fits[first]!) > tolerance) continue
        taken.add(other)
        group = Together.concat(group, ranking.models[other]!)
      }
    taken.add(first)
    return [group]
  })
  return withModels(ranking, groups)
}

/** Laws of one form whose fits differ by less than this fraction of the standard deviation of y are one law. */
export const sameLaw = 0.01

/** Nats by which a model with more fitted numbers must be the better one to stand for a law: odds of 10. */
const decided = Real.log(10)
/** The number of operations, leaves and fitted numbers of a law. */
const description = ({ complexity, numbers }: Model): number => complexity + numbers.length

/**
 * Groups models of one form (`Term.skeleton`) whose fitted values nearly agree: a^1.5 and 1.0003 a^1.4998 are one law, once
 * with numbers that are exact and once with fitted ones. The model of highest score stands for the group, or one of fewer fitted
 * numbers and no longer description where the odds against it are below 10: the data do not decide then, and it says less. Posterior probabilities add up.
 *
 * *When to use*: after `groupEquivalent`, to read the posterior probability of a law whatever the values of its numbers.
 */
export const groupForms = (ranking: Ranking): Ranking => {
  const tolerance = sameLaw * ranking.scale
  const groups: Array<{
    model: Model
    readonly form: string
    readonly fit: Float64Array
    readonly lmpse: number
  }> = []
  for (const model of ranking.models) {
    const form = skeleton(model.expression)
    const fit = model.residuals()
    const same = groups.find(
      (one) => one.form === form && distance(one.fit, fit) <= tolerance * Math.sqrt(fit.length),
    )
    if (same === undefined) groups.push({ model, form, fit, lmpse: model.lmpse })
    else {
      const saysLess =
        model.numbers.length < same.model.numbers.length && description(model) <= description(same.model)
      same.model =
        saysLess && model.lmpse > same.lmpse - decided
          ? standing(model, same.model)
          : standing(same.model, model)
    }
  }
  return withModels(
    ranking,
    groups.map(({ model }) => model),
  )
}

/** A residual; 0 on a wrong row where the law is not defined. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

const distance = (a: Float64Array, b: Float64Array): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (finite(value) - finite(b[i]!)) ** 2, 0))
