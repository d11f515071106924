import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Dataset } from "../data/Data.ts"
import { CompileError, type DataError } from "../errors/Errors.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import * as Operator from "../expr/Operator.ts"
import { inBasicOperators } from "../expr/form/basicOperators.ts"
import * as Term from "../expr/Term.ts"
import { numbers as namedNumbers } from "../expr/text/functions.ts"
import { infix } from "../expr/text/infix.ts"
import { tokens } from "../expr/text/lexer.ts"
import { parse, type TermParseError } from "../expr/text/parse.ts"
import { nearest } from "../internal/nearest.ts"
import * as Constant from "../prob/Constant.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Plan from "../prob/Plan.ts"
import * as Tree from "../prob/Tree.ts"
import * as DeclaredModel from "../rank/DeclaredModel.ts"
import * as Ensembles from "../rank/Ensemble.ts"
import * as Known from "../rank/Known.ts"
import type { Model } from "../rank/Model.ts"
import { identified } from "../rank/identified.ts"
import * as Residuals from "../rank/Residuals.ts"
import * as Memory from "../rank/Memory.ts"
import * as Scorer from "../rank/Scorer.ts"
import * as LeaveFutureOut from "../rank/LeaveFutureOut.ts"
import * as Declared from "./Declared.ts"
import { FormulaError } from "./FormulaError.ts"
import * as FormulaFuture from "./FormulaFuture.ts"
import * as Law from "./law.ts"
import * as LawGrammar from "./LawGrammar.ts"
import { rightHandSide } from "./rightHandSide.ts"
import * as Source from "./Source.ts"

export { FormulaError } from "./FormulaError.ts"

/** The options of a score: those of a fit that say what the model is. */
export type Options = Pick<
  Law.Options,
  "trees" | "depth" | "links" | "operators" | "constants" | "fitted" | "noise" | "error" | "weights" | "known"
> & {
  /** a column that says the order of rows, such as time: later rows are predicted from earlier ones (`LeaveFutureOut`) */
  readonly future?: string | undefined
}

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

const constantsOf = (term: Term.Term): ReadonlyArray<number> =>
  term._tag === "Constant" ? [term.value] : Term.children<Term.Term>(term).flatMap(constantsOf)

const operationsOf = (term: Term.Term): ReadonlyArray<string> => [
  ...(term._tag === "Unary" || term._tag === "Binary" ? [term.operation] : []),
  ...Term.children<Term.Term>(term).flatMap(operationsOf),
]

/** Numbers of the grammar are no values of free numbers: a value that is one is moved by this share. */
const apart = 1e-9

/** A formula in the model's form, with a grammar that has all of its parts. */
interface Formed {
  readonly grammar: Grammar.Grammar
  readonly trees: ReadonlyArray<Tree.Tree>
  readonly added: ReadonlyArray<string>
}

/** The trees of terms, in the usual grammar or one with the numbers and operators that it lacks. */
const formed = (
  terms: ReadonlyArray<Term.Term>,
  values: ReadonlyArray<number>,
  features: ReadonlyArray<string>,
  options: Options,
): Result.Result<Formed, Tree.OutsideGrammarError> => {
  const { operators = LawGrammar.operators, constants = LawGrammar.constants, fitted } = options
  const own = terms.map(inBasicOperators)
  const sizes = values.map(Math.abs)
  const lacking = own
    .flatMap(constantsOf)
    .filter((value) => !constants.includes(value) && !sizes.includes(Math.abs(value)))
  const operations = new Set(own.flatMap(operationsOf))
  const named = operators.map((one) => (typeof one === "string" ? one : one.name))
  const further = Object.values(Operator.shipped)
    .map(({ name }) => name)
    .filter((name) => operations.has(name) && !named.includes(name))
  const settings = {
    operators: [...operators, ...further],
    constants: [...new Set([...constants, ...lacking])],
    fitted: fitted === "none" && values.length > 0 ? Constant.scaleFree : fitted,
  }
  const usual = LawGrammar.make(features, settings)
  const read = (grammar: Grammar.Grammar) => Result.all(own.map((term) => Tree.fromTerm(grammar, term)))
  const free = { ...usual, forbidden: [] }
  const inside = read(usual)
  const added = [
    ...new Set(lacking.map((value) => `the number ${infix(Term.constant(value))}`)),
    ...further.map((name) => `the operator ${name}`),
  ]
  if (Result.isSuccess(inside)) return Result.succeed({ grammar: usual, trees: inside.success, added })
  return Result.map(read(free), (trees) => ({
    grammar: free,
    trees,
    added: [...added, "nested functions that the usual grammar forbids"],
  }))
}

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
      scoreAs(parts, { names, values, data, features, options }),
    )
    const best = found
      .flatMap((one) => one ?? [])
      .reduce<Candidate | undefined>(
        (best, one) => (best !== undefined && best.model.lmpse >= one.model.lmpse ? best : one),
        undefined,
      )
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

/** A formula scored in one of the forms that it has. */
interface Candidate {
  readonly model: Model
  readonly mean: Model
  readonly terms: ReadonlyArray<string>
  readonly added: ReadonlyArray<string>
}

/** The deepest tree that a formula may have. */
const deepest = 16

const scoreAs = (
  parts: FormulaTerms.Parts,
  of: {
    readonly names: ReadonlyArray<string>
    readonly values: Float64Array
    readonly data: Dataset
    readonly features: ReadonlyArray<string>
    readonly options: Options
  },
): Effect.Effect<Candidate | undefined, CompileError> =>
  Effect.gen(function* () {
    const { data, features, options } = of
    const formula = identified({ parts, names: of.names, values: of.values }, data)
    const { names, values } = formula
    const terms = formula.parts.terms.map(({ term }) => Term.valued(term, names, values))
    const own = formed(terms, [...values], features, options)
    if (Result.isFailure(own)) return yield* new CompileError({ message: own.failure.message })
    const { grammar, trees } = own.success
    const { trees: most = Law.defaults.trees, depth = Law.defaults.depth } = options
    const depths = trees.map(Tree.depth)
    const deep = Math.max(depth, ...depths)
    if (deep > deepest)
      return yield* new CompileError({
        message: `the formula has a term that is ${deep} operations deep, and a tree has at most ${deepest}; write it shorter`,
      })
    const program = Law.programOf(data, {
      ...options,
      grammar,
      trees: Math.max(most, trees.length),
      depth: deep,
    })
    const plan = yield* Plan.declared(program)
    const scorer = yield* Scorer.make(plan, { train: data })
    const known = yield* Known.make(plan, data)
    const model = DeclaredModel.of(scorer, grammar, data, formula, trees)
    const nothing = scorer.model({ ensemble: Ensembles.ofSet(grammar, [], 0), draws: 1 })
    if (model === undefined || nothing === undefined) return undefined
    const mean = nothing.exact?.(Constants.defaults) ?? nothing
    return {
      model: Memory.under(known.under(model), mean, scorer.scale),
      mean: Memory.under(mean, mean, scorer.scale),
      terms: parts.terms.map(({ term }) => infix(term, { precision: 4 })),
      added: [
        ...own.success.added,
        ...(trees.length > most ? [`${trees.length} terms instead of at most ${most}`] : []),
        ...(deep > depth ? [`trees ${deep} operations deep instead of at most ${depth}`] : []),
      ],
    }
  })
