import { scalarFunction } from "../expr/evaluate.ts"
import { sympy } from "../expr/text/sympy.ts"
import type * as Ranked from "../rank/Model.ts"
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

/**
 * A finished fit.
 *
 * @typeParam P the posterior of the inference, with the record of the fit (`Fit.Fitted`)
 */
export interface Fitted<P> {
  /** the first of `models` */
  readonly best: Ranked.Model
  /** the models that were ranked, best first */
  readonly models: ReadonlyArray<Ranked.Model>
  readonly ranking: Ranking
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
 */
export const make = <P>(
  features: ReadonlyArray<string>,
  of: Pick<Fitted<P>, "ranking" | "posterior" | "seconds">,
): Fitted<P> => {
  const { models } = of.ranking
  const best = models[0]!
  const value = scalarFunction(best.expression, features)
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
  return { ...of, best, models, unseen: of.ranking.unseen, predict, toSymPy: () => sympy(best.expression) }
}

/** The leading models with their laws. */
const laws = (models: ReadonlyArray<Ranked.Model>): ReadonlyArray<Prediction.Weighted> =>
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
