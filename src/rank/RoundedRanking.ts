import { normalised } from "../numeric/logSum.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import { type Model, replace } from "./Model.ts"
import { type Ranking, withModels } from "./Ranking.ts"
import { unsaid } from "../evidence/exact/RoundingSearch.ts"

/** What `rounded` does. */
export interface Settings {
  /** how many models, the best by LMPSE, are rounded; 30 by default */
  readonly top?: number | undefined
  /** what is believed of constants; `Constants.defaults` if left out */
  readonly prior?: Constants.Constants | undefined
}

/**
 * Says of the constants of the best models what prior and data say (docs/adr/0010): a coefficient, its ratio to another
 * one, or the intercept is an exact number (1/2, pi, 0, ...) where that has the higher posterior probability, and free
 * otherwise. Models are ranked again, best LMPSE first. A model's LMPSE is then that of its trees, its link **and** of the
 * best hypothesis about its constants, prior mass included: `logEvidence` is the evidence under the hypothesis, and
 * `logPrior` has its mass. Models beyond the `top` count as free, with the prior mass of that. Models of a likelihood that
 * does not know how (`Likelihood.conjugateLinear`) stay as they are.
 *
 * The posterior mass of all models of the ranking stays what it was.
 *
 * @example
 * ranking.pipe(Rank.rounded(), Rank.groupEquivalent)
 */
export const rounded =
  ({ top = 30, prior = Constants.defaults }: Settings = {}) =>
  (ranking: Ranking): Ranking => {
    const best = new Set(ranking.models.toSorted((a, b) => b.lmpse - a.lmpse).slice(0, top))
    const models = ranking.models.map((model) => one(model, prior, best.has(model)))
    const held = ranking.models.reduce((sum, { posterior }) => sum + posterior, 0)
    // Posteriors of groups are sums: each model's changes by what its own hypothesis adds.
    const weights = models.map(
      ({ lmpse }, i) => Math.log(ranking.models[i]!.posterior) + lmpse - ranking.models[i]!.lmpse,
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

const one = (model: Model, prior: Constants.Constants, worth: boolean): Model => {
  if (model.rounded === undefined) return model
  const { draws, ensembles, posterior } = model
  const rounded = worth ? model.rounded(prior) : undefined
  if (rounded !== undefined) return replace(rounded, { draws, ensembles, posterior })
  const logMass = unsaid(prior, model.ensemble.trees.length)
  return replace(model, {
    logPrior: model.logPrior + logMass,
    lmpse: model.lmpse + logMass,
    rounded: undefined,
  })
}
