import { latex } from "../expr/text/latex.ts"
import type * as Fits from "../models/Fitted.ts"
import type * as Law from "../models/law.ts"
import type { Model } from "../rank/Model.ts"
import type { Prediction } from "../rank/Prediction.ts"
import * as Document from "../report/Document.ts"
import * as NumberText from "../report/NumberText.ts"
import * as Outcome from "../report/Outcome.ts"
import { type Columns, type Numbers, rowsOf } from "./Columns.ts"
import { VasstError } from "./VasstError.ts"

/** New rows: arrays of numbers in the order of the features, or columns by name, of which others than the features are not read. */
export type NewRows<F extends string> = ReadonlyArray<Numbers> | Columns<F>

/** Predictions on new rows. */
export interface Predict<F extends string> {
  /**
   * Values of the best law; NaN for a row on which it is not defined.
   *
   * @throws VasstError for a row with more or fewer values than there are features, or a column that is not there
   */
  (rows: NewRows<F>): Float64Array
  /** Values averaged over all laws by their probabilities, with credible and predictive bands. */
  (rows: NewRows<F>, options: Fits.Bands): Prediction
}

/**
 * A finished fit.
 *
 * @typeParam F the names of the features
 */
export interface Fitted<F extends string = string> extends Omit<Law.Fitted, "predict"> {
  /** in the order in which `predict` takes the values of a row */
  readonly features: ReadonlyArray<F>
  readonly target: string
  readonly predict: Predict<F>
  /** The best law as LaTeX, without the target. */
  readonly toLaTeX: () => string
  /** The best law as one line of text, `y = ...`, with the digits that the data determine. */
  readonly toString: () => string
  /** All laws, with probabilities, numbers and texts in every notation, as plain data for JSON: the document of `vasst fit --json`. */
  readonly document: () => Document.Document
}

export const text = (target: string, { expression, numbers }: Model): string =>
  `${target} = ${NumberText.law(expression, numbers)}`

/** Calls a function of the library; its errors are of this module. */
const translated = <A>(call: () => A): A => {
  try {
    return call()
  } catch (error) {
    throw VasstError.of(error)
  }
}

const isRows = (rows: NewRows<string>): rows is ReadonlyArray<Numbers> => Array.isArray(rows)

/**
 * @param options those of the fit: with a limit of effort the document is the same on every machine, without the clock's seconds
 */
export const of = <F extends string>(
  fitted: Law.Fitted,
  { features, target }: Pick<Fitted<F>, "features" | "target">,
  options: Pick<Law.Options, "effort">,
): Fitted<F> => {
  function predict(rows: NewRows<F>): Float64Array
  function predict(rows: NewRows<F>, bands: Fits.Bands): Prediction
  function predict(rows: NewRows<F>, bands?: Fits.Bands): Float64Array | Prediction {
    return translated(() => {
      const all = isRows(rows) ? rows.map((row) => Array.from(row)) : rowsOf(rows, features)
      return bands === undefined ? fitted.predict(all) : fitted.predict(all, bands)
    })
  }
  const document = (): Document.Document => {
    const outcome = Outcome.of("inclusive", "simd", fitted)
    const made = Document.make(
      options.effort === undefined ? outcome : { ...outcome, seconds: undefined },
      target,
    )
    if (made === undefined) throw new VasstError("FitError", "no law was ranked")
    return made
  }
  return {
    ...fitted,
    features,
    target,
    predict,
    toLaTeX: () => latex(fitted.best.expression),
    toString: () => text(target, fitted.best),
    document,
  }
}
