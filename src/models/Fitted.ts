import { scalarFunction } from "../expr/evaluate.ts"
import { sympy } from "../expr/text/sympy.ts"
import type { Term } from "../expr/Term.ts"
import type { Model } from "../rank/Model.ts"
import type { Ranking } from "../rank/Rank.ts"
import { DataError } from "../errors/Errors.ts"
import * as Setting from "../errors/Setting.ts"
import * as Prediction from "../rank/Prediction.ts"

/** Rows of features, in the order of the data's features. */
type Rows = ReadonlyArray<ReadonlyArray<number>>

/** Options of predictions with bands. */
export interface Bands {
  /** the shares of probability that the bands hold, each in (0, 1) */
  readonly bands: ReadonlyArray<number>
  /** the known standard error of the response on each row, where the noise was fitted with such (`error`) */
  readonly errors?: ArrayLike<number> | undefined
}

/** Predictions on rows of features. */
export interface Predict {
  /**
   * Values of the best model; NaN for a row on which the law is not defined, such as a root of a negative number.
   *
   * @throws DataError for a row with more or fewer values than there are features
   */
  (rows: Rows): Float64Array
  /**
   * Values averaged over all models by their posterior probabilities, with credible and predictive bands (`Prediction.make`).
   *
   * @throws DataError as without bands, and when the likelihood has no noise scale; SettingError for a band that is not in (0, 1)
   *
   * @example
   * fit.predict([[1, 2]], { bands: [0.5, 0.9] }).bands[1].predictive.low
   */
  (rows: Rows, options: Bands): Prediction.Prediction
}

/** Models, best first, and the mass of what was not seen. */
type Ranked<M> = Pick<Ranking, "unseen"> & { readonly models: ReadonlyArray<M> }

/**
 * A finished fit.
 *
 * @typeParam P the posterior of the inference, with the record of the fit (`Fit.Fitted`)
 * @typeParam M the models
 */
export interface Fitted<P, M = Model, R = Ranking> {
  /** the first of `models` */
  readonly best: M
  /** the models that were ranked, best first */
  readonly models: ReadonlyArray<M>
  readonly ranking: R
  /** the mass of laws that are none of `models`, and what it follows from; undefined where probabilities are shares among draws */
  readonly unseen: Ranking["unseen"]
  readonly posterior: P
  /** seconds of the whole call, ranking included */
  readonly seconds: number
  readonly predict: Predict
  /** the best model as text that SymPy parses */
  readonly toSymPy: () => string
}

/**
 * @param features names, in the order in which `predict` takes their values
 * @param of.ranking a ranking with at least one model, as all rankings have
 * @param value the best law over the features alone, where its expression has other names too
 */
export const make = <P, M extends Law, R extends Ranked<M>>(
  features: ReadonlyArray<string>,
  of: Pick<Fitted<P, M, R>, "posterior" | "seconds"> & { readonly ranking: R & Ranked<M> },
  value: Term = of.ranking.models[0]!.expression,
): Fitted<P, M, R> => {
  const { models, unseen } = of.ranking
  const best = models[0]!
  const predict = predictor(features, value, models)
  return { ...of, best, models, unseen, predict, toSymPy: () => sympy(best.expression) }
}

/** A ranked model as a prediction needs it. */
export type Law = Pick<Model, "expression" | "posterior"> & {
  readonly law: () => Prediction.Weighted["law"] | undefined
}

/**
 * Predictions by laws.
 *
 * @param best the best law over the features
 * @param models whose laws are averaged over
 */
export const predictor = (
  features: ReadonlyArray<string>,
  best: Term,
  models: ReadonlyArray<Pick<Law, "law" | "posterior">>,
): Predict => {
  const value = scalarFunction(best, features)
  const check = (rows: Rows): void => {
    const wrong = rows.findIndex((row) => row.length !== features.length)
    if (wrong >= 0)
      throw new DataError({
        message: `row ${wrong + 1} has ${rows[wrong]!.length} values, but the law is over ${features.length}: ${features.join(", ")}`,
      })
  }
  function predict(rows: Rows): Float64Array
  function predict(rows: Rows, options: Bands): Prediction.Prediction
  function predict(rows: Rows, options?: Bands): Float64Array | Prediction.Prediction {
    check(rows)
    if (options === undefined) return Float64Array.from(rows, value)
    const columns = features.map((_, j) => Float64Array.from(rows, (row) => row[j]!))
    const errors = options.errors && Float64Array.from(options.errors)
    return Prediction.make(
      laws(models),
      { features, columns, count: rows.length, errors },
      options.bands.map((level) => Setting.probability("the share of a band", level)),
    )
  }
  return predict
}

/** The leading models with their laws. */
const laws = (models: ReadonlyArray<Pick<Law, "law" | "posterior">>): ReadonlyArray<Prediction.Weighted> =>
  Prediction.leading(models.map((model) => ({ model, probability: model.posterior }))).map(
    ({ model, probability }) => {
      const law = model.law()
      if (law === undefined)
        throw new DataError({
          message:
            "the likelihood of this fit has no noise scale, so that its laws have no bands; predict without bands",
        })
      return { law, probability }
    },
  )
