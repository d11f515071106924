import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError, DataError } from "../errors/Errors.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import * as Operator from "../expr/Operator.ts"
import * as Term from "../expr/Term.ts"
import { numbers as namedNumbers } from "../expr/text/functions.ts"
import { infix } from "../expr/text/infix.ts"
import { tokens } from "../expr/text/lexer.ts"
import { parse, type TermParseError } from "../expr/text/parse.ts"
import { nearest } from "../internal/nearest.ts"
import type { Model } from "../rank/Model.ts"
import * as Residuals from "../rank/Residuals.ts"
import * as LeaveFutureOut from "../rank/LeaveFutureOut.ts"
import * as Declared from "./Declared.ts"
import { FormulaError } from "./FormulaError.ts"
import * as FormulaFuture from "./FormulaFuture.ts"
import * as FormulaModel from "./FormulaModel.ts"
import type { Options } from "./FormulaOptions.ts"
import * as Law from "./law.ts"
import * as LawGrammar from "./LawGrammar.ts"
import { rightHandSide } from "./rightHandSide.ts"
import * as Source from "./Source.ts"

export { FormulaError } from "./FormulaError.ts"
export type { Options } from "./FormulaOptions.ts"

/** A formula with its evidence, beside that of the mean alone. */
export interface Scored {
  /** the formula as it was read, in infix */
  readonly formula: string
  /** its free numbers, with their values, covariance, and the scale of the noise */
  readonly law: FittedLaw.FittedLaw
  /** as the ranking of a search has it: evidence, prior, kind of noise, errors; comparable with the models of `Law.fit` */
  readonly model: Model
  /** the model without terms: y is a number and noise */
  readonly mean: Model
  /** the name of the function of y that is a sum, and the terms of the sum, with the names of its free numbers */
  readonly link: string
  readonly terms: ReadonlyArray<string>
  /** the parts that the usual model lacks and this one has; its prior of other laws differs by these */
  readonly added: ReadonlyArray<string>
  /** the rows that are farthest from the formula */
  readonly farthest: ReadonlyArray<Residuals.Miss>
  /** runs of residuals of one sign along each column, the least probable first */
  readonly runs: ReadonlyArray<Residuals.Runs>
  /** later rows predicted from earlier ones; undefined without `future`, and where too few rows come first */
  readonly future: LeaveFutureOut.LeaveFutureOut | undefined
}

/** The column of a word in a text, from 1. */
const columnOf = (text: string, name: string): number =>
  1 + (tokens(text).find((one) => one.text === name)?.position ?? 0)

/** The free numbers of a formula: its names that no column has. Fails for one that is nearly a column's. */
const freeNames = (
  text: string,
  term: Term.Term,
  features: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, FormulaError> =>
  Effect.gen(function* () {
    const names = Term.variables(term).filter((name) => !features.includes(name))
    for (const name of names) {
      const near = nearest(name, features)
      if (near !== undefined)
        return yield* new FormulaError({
          message: `there is no column "${name}" (at column ${columnOf(text, name)} of the formula); did you mean "${near}"? A number to be fitted needs a name that is less like that of a column`,
        })
    }
    return names
  })

/** Numbers of the grammar are no values of free numbers: a value that is one is moved by this share. */
const apart = 1e-9

/**
 * Scores a formula of one's own on a table: its evidence and prior as the ranking of a search has them (`Scorer`), its free numbers
 * fitted, and the rows where it fails. Names that are no column are numbers to be fitted; written numbers are exact; `y =` may stand before it, as
 * before printed laws.
 *
 * *When to use*: to ask how a law that is known, or a guess, stands beside the laws of `Law.fit`: exp(lmpse - other lmpse) are
 * posterior odds.
 *
 * The formula is brought into the form of the model: a link, terms, coefficients that are free or exact, and fitted numbers inside of
 * terms. Numbers, operators and terms that the model lacks are added to it (`Scored.added`).
 *
 * Fails with a `TermParseError` that names the place of the mistake, with a `FormulaError` for a name that is nearly a column's or a
 * formula without a value on some row, and as `Law.fit` does for data and options.
 *
 * @example
 * const { model, mean, law } = yield* Formula.score("a*x0*sin(x1)", { X, y })
 * model.lmpse - mean.lmpse // log posterior odds
 */
export const score = (
  text: string,
  source: Source.Source,
  options: Options = {},
): Effect.Effect<Scored, TermParseError | FormulaError | DataError | CompileError> =>
  Effect.gen(function* () {
    const data = yield* Source.dataset(source)
    const { operators = LawGrammar.operators, links = Law.defaults.links } = options
    const formula = yield* Effect.mapError(
      Effect.fromResult(rightHandSide(text, data.target)),
      (message) => new FormulaError({ message }),
    )
    const term = yield* Effect.fromResult(parse(formula, { operators: Operator.named(operators) }))
    const names = yield* freeNames(formula, term, data.features)
    const order = options.future === undefined ? undefined : yield* FormulaFuture.order(data, options.future)
    const features = Law.explaining(data.features, options)
    const noValue = new FormulaError({
      message: `the formula ${infix(term)} has no finite value on every row${names.length === 0 ? "" : " for any numbers that were tried"}; keep functions within their domains`,
    })
    const fitted = FormulaFit.fit(term, names, data)
    if (fitted === undefined) return yield* noValue
    const fixed = new Set([...(options.constants ?? LawGrammar.constants), ...namedNumbers.values()])
    const values = fitted.values.map((value) => (fixed.has(value) ? value * (1 + apart) || apart : value))
    const found = yield* Effect.forEach(FormulaTerms.parts(term, names, links), (parts) =>
      FormulaModel.of(parts, { names, values, data, features, options }),
    )
    const best = FormulaModel.mostProbable(found)
    if (best === undefined) return yield* noValue
    const { model, mean } = best
    const under = FittedLaw.under(model)
    const again = FormulaFit.fit(term, names, data, under.by, fitted.values) ?? fitted
    const law = FittedLaw.make({ formula: term, names, values: again.values }, data, under)
    const at = FittedLaw.rows(law, data.features, data.columns, data.rows).mean
    return {
      formula: infix(term),
      law,
      model,
      mean,
      link: model.link.name,
      terms: best.terms,
      added: best.added,
      farthest: Residuals.farthest(data, at, law.sigma, 5, under.by),
      future:
        order &&
        LeaveFutureOut.of(law, data, order, {
          by: under.by,
          errors: options.error === undefined ? undefined : columnsOf(data, [options.error])[0],
        }),
      runs: Residuals.runs({ ...data, features, columns: columnsOf(data, features) }, at),
    }
  }).pipe(Declared.orFail)

const columnsOf = (data: Dataset, features: ReadonlyArray<string>): ReadonlyArray<Float64Array> =>
  features.map((name) => data.columns[data.features.indexOf(name)]!)
