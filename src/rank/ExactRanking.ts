import { normalised } from "../numeric/logSum.ts"
import * as Real from "../numeric/Real.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import { type Model, replace } from "./Model.ts"
import { type Ranking, withModels } from "./Ranking.ts"
import { isWithoutNoise } from "./withoutNoise.ts"
import * as Link from "../prob/Link.ts"
import { logMassFree } from "../evidence/exact/hypothesisPrior.ts"

/**
 * Models whose LMPSE is lower than that of a law without noise by more than this keep their free constants. A constant that becomes exact saves its share of the evidence, half the log
 * of g, at most 20 nats where a law fits to the resolution of the data, and the prior of laws has few constants.
 */
const hopeless = 150

/** Settings of `exactConstants`. */
export interface Settings {
  /** the number of models, best LMPSE first, whose constants are tested; none far below a law without noise; 30 by default */
  readonly top?: number | undefined
  /** the prior of exact constants; `Constants.defaults` if left out */
  readonly prior?: Constants.Constants | undefined
  /** whether time is up: constants of all but the best model stay as they are then; never by default */
  readonly late?: (() => boolean) | undefined
}

/**
 * Makes constants of the best models exact where prior and data support it (docs/adr/0010 and 0068). A coefficient, its ratio to
 * another coefficient, the intercept, or a number inside of terms is an exact number (1/2, pi, 0, ...) if that hypothesis has the higher
 * posterior probability, else free. Models are ranked again, best LMPSE first. The LMPSE is then that of the trees, the
 * link **and** the best hypothesis about the constants: `logEvidence` is the evidence under the hypothesis, and
 * `logPrior` includes the log prior mass of the hypothesis. Models beyond the `top` have the hypothesis that all
 * constants are free. Models of a likelihood without exact constants (`Likelihood.conjugateLinear`) do not change.
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
    const made = new Map<Model, Model>()
    let best = -Infinity
    ranking.models
      .toSorted((a, b) => b.lmpse - a.lmpse)
      .forEach((model, place) => {
        const isTested = place === 0 || (place < top && model.lmpse > best - hopeless && !late())
        const exact = one(model, prior, isTested)
        // A model that fits worse may be removed later, for a row that it hinges on, and is no measure of others.
        if (isTested && isWithoutNoise(exact, ranking.scale)) best = Math.max(best, exact.lmpse)
        made.set(model, exact)
      })
    const models = ranking.models.map((model) => made.get(model)!)
    const held = ranking.models.reduce((sum, { posterior }) => sum + posterior, 0)
    // Posterior probabilities of groups are sums: each changes by the factor of its model's hypothesis.
    const weights = models.map(
      ({ lmpse }, i) => Real.log(ranking.models[i]!.posterior) + lmpse - ranking.models[i]!.lmpse,
    )
    const shares = weights.every((weight) => weight === -Infinity) ? undefined : normalised(weights)
    return withModels(
      ranking,
      models
        .map((model, i) =>
          replace(model, {
            posterior: shares === undefined ? model.posterior : held * shares[i]!,
          }),
        )
        .sort((a, b) => b.lmpse - a.lmpse),
    )
  }

const one = (model: Model, prior: Constants.Constants, isTop: boolean): Model => {
  if (model.exact === undefined) return model
  const { draws, ensembles, posterior } = model
  const exact = isTop ? model.exact(prior) : undefined
  if (exact !== undefined) return replace(exact, { draws, ensembles, posterior })
  const { ensemble, link, columns } = model
  const own = Constants.ofLaw(prior, columns, link.inverse.some(Link.isExponential))
  const logMass = logMassFree(own, ensemble.trees.length, link === Link.identity, model.inside)
  return replace(model, {
    logPrior: model.logPrior + logMass,
    lmpse: model.lmpse + logMass,
    hypothesis: { logMass, logMassOfValues: 0 },
    exact: undefined,
  })
}
