import { normalised } from "../numeric/logSum.ts"
import * as Real from "../numeric/Real.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import { constantAmong } from "./Ensemble.ts"
import { type Model, replace } from "./Model.ts"
import { type Ranking, withModels } from "./Ranking.ts"
import { explainsNothing } from "./Leverage.ts"
import { isDetermined } from "./Undetermined.ts"
import { fewRows } from "./ManyRows.ts"
import { isWithoutNoise } from "./withoutNoise.ts"
import * as Link from "../prob/Link.ts"
import { interceptOf, intercepts } from "../evidence/exact/Hypothesis.ts"
import { logMassFree } from "../evidence/exact/hypothesisPrior.ts"

/** Of models whose odds against the best are longer than this, in nats, one hypothesis is a model: 1,000 to 1. */
const near = Real.log(1000)

/** Models that exact numbers cannot raise to odds shorter than these, in nats, have none: others may turn out to be equal to a model of more weight. */
const lost = 3 * near

/** The prior of the constants of a model's law. */
const priorOf = ({ columns, link }: Model, prior: Constants.Constants): Constants.OfLaw =>
  Constants.ofLaw(prior, columns, link.inverse.some(Link.isExponential))

/**
 * By how many nats exact numbers may raise a model, at most. The Bayes factor of an exact number against one that is log-uniform is at most
 *
 *     P / (1 - P) log(range) / sqrt(2 pi) T
 *
 * with T the number divided by its standard error, P the prior probability of exact numbers, of which each sign has a half; that of an intercept of 0 is at most P(0) / (1 - P(0)) T.
 * Dropping a term leaves no more than the sum of squares around the mean, so that T is at most sqrt(n TSS / RSS). The log evidence over that of the constant tells this ratio for every link and
 * kind of noise: the g-prior takes half the logarithm for each number from the n - 1 halves of the likelihood.
 */
const reach = (model: Model, nothing: Model, rows: number, prior: Constants.Constants): number => {
  const { ensemble, inside = 0 } = model
  const { exact, zero } = priorOf(model, prior)
  const numbers = ensemble.trees.length + inside
  const freedom = Math.max(1, rows - 1 - numbers)
  const odds = (p: number): number => Real.log(p) - Real.log1p(-p)
  const logT = Real.log(rows) / 2 + Math.max(0, model.logEvidence - nothing.logEvidence) / freedom
  const number = Math.max(0, odds(exact) + Real.log(Real.log(prior.range)) - Real.log(2 * Math.PI) / 2 + logT)
  return Math.max(number, odds(zero) + logT) + numbers * number
}

/** Settings of `exactConstants`. */
export interface Settings {
  /** the number of models, best LMPSE first, whose constants are tested; none that exact numbers cannot raise to about the best; 30 by default */
  readonly top?: number | undefined
  /** the prior of exact constants; `Constants.defaults` if left out */
  readonly prior?: Constants.Constants | undefined
  /** whether time is up: constants of all but the best model stay as they are then, and of many rows that has one hypothesis; never by default */
  readonly late?: (() => boolean) | undefined
}

/**
 * Makes constants of the best models exact where prior and data support it (docs/adr/0010 and 0068). A coefficient, its ratio to
 * another coefficient, the intercept, or a number inside of terms is an exact number (1/2, pi, 0, ...) if that hypothesis has the higher
 * posterior probability, else free. Models are ranked again, best LMPSE first. The LMPSE is then that of the trees, the
 * link **and** the best hypothesis about the constants: `logEvidence` is the evidence under the hypothesis, and
 * `logPrior` includes the log prior mass of the hypothesis. Models beyond the `top` have the hypothesis that all
 * constants are free. A law with an intercept of its own, one whose intercept is minus a coefficient, and one without are different laws: of an ensemble near the
 * best the best hypothesis of each of them is a model. Models of a likelihood without exact constants (`Likelihood.conjugateLinear`) do not change.
 *
 * *When to use*: on data with little noise, for laws with exact numbers.
 *
 * The total posterior probability of the ranking does not change.
 *
 * @example
 * ranking.pipe(Rank.exactConstants(), Rank.groupEquivalent)
 */
export const exactConstants =
  ({ top = 30, prior = Constants.defaults, late = () => false }: Settings = {}) =>
  (ranking: Ranking): Ranking => {
    /** Models with exact constants, each with the model that it was before; `isOther` for a further hypothesis of the same ensemble. */
    const tried: Array<{ readonly model: Model; readonly before: Model; readonly isOther: boolean }> = []
    const nothing = constantAmong(ranking.models)
    const rows = (nothing ?? ranking.models[0])?.residuals().length ?? 0
    const isHopeless = (model: Model): boolean =>
      nothing !== undefined && model.lmpse + reach(model, nothing, rows, prior) < measure - near
    // One that is removed later, for a row that it hinges on or a number that the rows do not tell, is no measure of others.
    const isMeasure = (model: Model): boolean =>
      isWithoutNoise(model, ranking.scale) ||
      (isDetermined(model) && !(nothing !== undefined && explainsNothing(model, nothing)))
    let [highest, measure] = [-Infinity, -Infinity]
    ranking.models
      .toSorted((a, b) => b.lmpse - a.lmpse)
      .forEach((before, place) => {
        const isBest = place === 0
        const isTested = isBest || (place < top && !isHopeless(before) && !late())
        const model = one(before, prior, isTested, isBest ? undefined : measure - lost)
        // Of few rows the best model has one for each kind of intercept whatever the time.
        const isNear = model.lmpse >= highest - near && ((isBest && rows <= fewRows) || !late())
        highest = Math.max(highest, model.lmpse)
        if (model.lmpse > measure && isMeasure(model)) measure = model.lmpse
        tried.push({ model, before, isOther: false })
        for (const other of isTested && isNear ? otherwise(before, model, prior, highest - near) : [])
          tried.push({ model: other, before, isOther: true })
      })
    const described = tried.filter(({ model, isOther }) => !isOther || model.lmpse >= highest - near)
    const held = ranking.models.reduce((sum, { posterior }) => sum + posterior, 0)
    // Posterior probabilities of groups are sums: each changes by the factor of its model's hypothesis.
    const weights = described.map(
      ({ model, before }) => Real.log(before.posterior) + model.lmpse - before.lmpse,
    )
    const shares = weights.every((weight) => weight === -Infinity) ? undefined : normalised(weights)
    const models = described.map(({ model }, i) =>
      replace(model, { posterior: shares === undefined ? model.posterior : held * shares[i]! }),
    )
    return {
      ...withModels(
        ranking,
        models.sort((a, b) => b.lmpse - a.lmpse),
      ),
      distinct: ranking.distinct + models.length - ranking.models.length,
    }
  }

/** The model with the best hypothesis of each other kind of intercept: the law with an intercept and the law without one are two laws. */
const otherwise = (
  { exact, link, ensemble, posterior }: Model,
  { states }: Model,
  prior: Constants.Constants,
  least: number,
): ReadonlyArray<Model> => {
  if (exact === undefined || states === undefined || ensemble.trees.length === 0) return []
  const linear = link === Link.identity
  const found = interceptOf(states[0], linear)
  return intercepts
    .filter((intercept) => intercept !== found && (linear || intercept !== "tied"))
    .flatMap((intercept) => exact(prior, { intercept }, least) ?? [])
    .map((model) => replace(model, { draws: 0, posterior }))
}

/** @param least the log posterior from which on exact constants are of interest; undefined for any */
const one = (model: Model, prior: Constants.Constants, isTop: boolean, least?: number): Model => {
  if (model.exact === undefined) return model
  const { draws, ensembles, posterior } = model
  const exact = isTop ? model.exact(prior, undefined, least) : undefined
  if (exact !== undefined) return replace(exact, { draws, ensembles, posterior })
  const { ensemble, link } = model
  const logMass = logMassFree(
    priorOf(model, prior),
    ensemble.trees.length,
    link === Link.identity,
    model.inside,
  )
  return replace(model, {
    logPrior: model.logPrior + logMass,
    lmpse: model.lmpse + logMass,
    hypothesis: { logMass, logMassOfValues: 0 },
    exact: undefined,
  })
}
