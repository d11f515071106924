import { type Columns, type Numbers, rowsOf } from "../data/Columns.ts"
import { scalarFunction } from "../expr/evaluate.ts"
import { sympy } from "../expr/text/sympy.ts"
import type { Term } from "../expr/Term.ts"
import type { Model } from "../rank/Model.ts"
import type { Ranking } from "../rank/Rank.ts"
import { DataError } from "../errors/Errors.ts"
import * as Setting from "../errors/Setting.ts"
import * as Prediction from "../rank/Prediction.ts"

/** New rows: arrays of numbers in the order of the data's features, or columns by name, of which others than the features are not read. */
export type NewRows<F extends string = string> = ReadonlyArray<Numbers> | Columns<F>

/** Options of predictions with bands. */
export interface Bands {
  /** the shares of probability that the bands hold, each in (0, 1) */
  readonly bands: ReadonlyArray<number>
  /** the known standard error of the response on each row, where the noise was fitted with such (`error`) */
  readonly errors?: ArrayLike<number> | undefined
}

/**
 * What predicts on new rows.
 *
 * @typeParam F the names of the features: columns by name without one of them do not compile
 */
export interface Predictor<F extends string = string> {
  /**
   * Values of the best model; NaN for a row on which the law is not defined, such as a root of a negative number.
   *
   * @throws DataError for a row with more or fewer values than there are features, or a column that is not there
   *
   * @example
   * fit.predict([[1, 2]])
   * fit.predict({ mass: [1], speed: [2] })
   */
  predict(this: void, rows: NewRows<F>): Float64Array
  /**
   * Values averaged over all models by their posterior probabilities, with credible and predictive bands (`Prediction.make`).
   *
   * @throws DataError as without bands, and when the likelihood has no noise scale; SettingError for a band that is not in (0, 1)
   *
   * @example
   * fit.predict([[1, 2]], { bands: [0.5, 0.9] }).bands[1].predictive.low
   */
  predict(this: void, rows: NewRows<F>, options: Bands): Prediction.Prediction
}

/** Predictions on new rows (`Predictor`). */
export type Predict<F extends string = string> = Predictor<F>["predict"]

/** Models, best first, and the mass of the laws that were not seen. */
type Ranked<M> = Pick<Ranking, "unseen"> & { readonly models: ReadonlyArray<M> }

/**
 * A finished fit.
 *
 * @typeParam P the posterior of the inference, with the record of the fit (`Fit.Fitted`)
 * @typeParam M the models
 * @typeParam F the names of the features
 */
export interface Fitted<P, M = Model, R = Ranking, F extends string = string> extends Predictor<F> {
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
  /** the best model as text that SymPy parses */
  readonly toSymPy: () => string
}

/** The columns of new rows. */
export interface Features<F extends string = string> {
  /** the names that laws may have */
  readonly features: ReadonlyArray<F>
  /** all names in the order of the values of a row; `features` if left out */
  readonly order?: ReadonlyArray<string> | undefined
}

/**
 * @param features the names that laws may have
 * @param of.ranking a ranking with at least one model, as all rankings have
 * @param more.order all names in the order in which `predict` takes the values of a row; `features` if left out
 * @param more.value the best law over the features alone, where its expression has other names too
 *
 * @example
 * // a search with a grammar of one's own: `predict` knows its features
 * Fitted.make(grammar.features, { ranking, posterior, seconds: posterior.seconds }).predict({ mass: [1], speed: [2] })
 */
export const make = <P, M extends Law, R extends Ranked<M>, F extends string = string>(
  features: ReadonlyArray<F>,
  of: Pick<Fitted<P, M, R>, "posterior" | "seconds"> & { readonly ranking: R & Ranked<M> },
  more: Pick<Features, "order"> & { readonly value?: Term | undefined } = {},
): Fitted<P, M, R, F> => {
  const { models, unseen } = of.ranking
  const best = models[0]!
  const predict = predictor({ features, order: more.order }, more.value ?? best.expression, models)
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
export const predictor = <F extends string>(
  { features, order = features }: Features<F>,
  best: Term,
  models: ReadonlyArray<Pick<Law, "law" | "posterior">>,
): Predict<F> => {
  const value = scalarFunction(best, order)
  const checked = (rows: ReadonlyArray<Numbers>): ReadonlyArray<Numbers> => {
    const wrong = rows.findIndex((row) => row.length !== order.length)
    if (wrong >= 0)
      throw new DataError({
        message: `row ${wrong + 1} has ${rows[wrong]!.length} values, but the law is over ${order.length}: ${order.join(", ")}`,
      })
    return rows
  }
  function predict(rows: NewRows<F>): Float64Array
  function predict(rows: NewRows<F>, options: Bands): Prediction.Prediction
  function predict(rows: NewRows<F>, options?: Bands): Float64Array | Prediction.Prediction {
    const all = isRows(rows) ? checked(rows) : rowsOf(rows, order, features)
    if (options === undefined) return Float64Array.from(all, value)
    const columns = order.map((_, j) => Float64Array.from(all, (row) => row[j]!))
    const errors = options.errors && Float64Array.from(options.errors)
    return Prediction.make(
      laws(models),
      { features: order, columns, count: all.length, errors },
      options.bands.map((level) => Setting.probability("the share of a band", level)),
    )
  }
  return predict
}

const isRows = (rows: NewRows<string>): rows is ReadonlyArray<Numbers> => Array.isArray(rows)

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
