import * as Order from "fp-ts/lib/Ord.js"
import * as Numbers from "fp-ts/lib/number.js"
import type { Model } from "./Model.ts"

/**
 * A number by which models are compared. *When to use*: `lmpse` for the most probable model, `posterior` after
 * grouping, `evidence` without a prior of trees, `bic` for a penalty by rank alone, `rmseTest` for prediction.
 */
export interface Score {
  readonly name: string
  readonly better: "larger" | "smaller"
  readonly of: (model: Model) => number
}

/**
 * A score for `Rank.by`: `Rank.by(Score.make("parsimony", "smaller", (m) => m.complexity + m.bic))`.
 *
 * *When to use*: for a criterion that the shipped scores lack, such as the error on rows of your own.
 */
export const make = (name: string, better: Score["better"], of: (model: Model) => number): Score => ({
  name,
  better,
  of,
})

/**
 * log marginal posterior of the symbolic ensemble (Eq. LMPSE): the paper's criterion.
 *
 * *When to use*: for the law that is most probable given the rows: the default of all rankings.
 */
export const lmpse: Score = make("LMPSE", "larger", (model) => model.lmpse)

/**
 * log p(y | T): the fit and the prior of the coefficients, without the prior of the trees.
 *
 * *When to use*: where forms count alike, as two that theory has derived. Among millions of forms a long one fits by chance.
 */
export const evidence: Score = make("log evidence", "larger", (model) => model.logEvidence)

/**
 * The evidence with noise on the scale of each model's link; see `Model.linkEvidence`.
 *
 * *When to use*: to see how far the choice of a link decided: noise is taken on log(y) under the link log, as if y were measured there.
 */
export const linkEvidence: Score = make("log evidence (link)", "larger", (model) => model.linkEvidence)

/**
 * Bayesian information criterion; see `Model.bic`.
 *
 * *When to use*: to compare with other programs; it counts coefficients, and neither operators nor numbers inside of terms.
 */
export const bic: Score = make("BIC", "smaller", (model) => model.bic)

/**
 * Posterior probability: the order of `lmpse`, except that probabilities of equivalent models in a group add up.
 *
 * *When to use*: after `Rank.groupEquivalent`, where a law that is written in many ways is to have the mass of all.
 */
export const posterior: Score = make("posterior", "larger", (model) => model.posterior)

/**
 * The number of operations and leaves.
 *
 * *When to use*: within Occam's window, to read the simplest law that the rows do not rule out.
 */
export const complexity: Score = make("complexity", "smaller", (model) => model.complexity)

/**
 * Root mean square error on the training data.
 *
 * *When to use*: among laws of one size alone, since a longer one always fits better.
 */
export const rmseTrain: Score = make("RMSE (train)", "smaller", (model) => model.rmseTrain)

/**
 * Root mean square error on the test data; models without test data come last.
 *
 * *When to use*: for prediction, with enough rows to set some aside. The best of many models is then better there than on new rows.
 */
export const rmseTest: Score = make("RMSE (test)", "smaller", (model) => model.rmseTest ?? Number.NaN)

/**
 * Leave-one-out root mean square error on the training data.
 *
 * *When to use*: for prediction within the range of the rows, where there are too few to set some aside. Needs rows that are independent.
 */
export const rmseLoo: Score = make("RMSE (leave-one-out)", "smaller", (model) => model.rmseLoo)

/** The order that puts the best model first, and models without a score last. */
export const ordOf = ({ better, of }: Score): Order.Ord<Model> =>
  Order.contramap((model: Model) => {
    const value = of(model)
    return Number.isNaN(value) ? Infinity : better === "larger" ? -value : value
  })(Numbers.Ord)
