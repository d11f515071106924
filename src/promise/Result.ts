import { latex } from "../expr/text/latex.ts"
import type * as Fits from "../models/Fitted.ts"
import type * as Law from "../models/law.ts"
import type { Model } from "../rank/Model.ts"
import type { Prediction } from "../rank/Prediction.ts"
import * as Document from "../report/Document.ts"
import * as NumberText from "../report/NumberText.ts"
import * as Outcome from "../report/Outcome.ts"
import { VasstError } from "./VasstError.ts"

export type { NewRows } from "../models/Fitted.ts"

/** Predictions on new rows, as `Law.fit` has them. Throws a `VasstError`. */
export type Predict<F extends string> = Fits.Predict<F>

/**
 * A finished fit.
 *
 * @typeParam F the names of the features
 */
export interface Fitted<F extends string = string> extends Law.Fitted<F> {
  /** in the order in which `predict` takes the values of a row */
  readonly features: ReadonlyArray<F>
  readonly target: string
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

/**
 * @param options those of the fit: with a limit of effort the document is the same on every machine, without the clock's seconds
 */
export const of = <F extends string>(
  fitted: Law.Fitted<F>,
  { features, target }: Pick<Fitted<F>, "features" | "target">,
  options: Pick<Law.Options, "effort">,
): Fitted<F> => {
  function predict(rows: Fits.NewRows<F>): Float64Array
  function predict(rows: Fits.NewRows<F>, bands: Fits.Bands): Prediction
  function predict(rows: Fits.NewRows<F>, bands?: Fits.Bands): Float64Array | Prediction {
    return translated(() => (bands === undefined ? fitted.predict(rows) : fitted.predict(rows, bands)))
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
