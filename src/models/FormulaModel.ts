import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Dataset } from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import type * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import * as Operator from "../expr/Operator.ts"
import { inBasicOperators } from "../expr/form/basicOperators.ts"
import * as Term from "../expr/Term.ts"
import { infix } from "../expr/text/infix.ts"
import * as Constant from "../prob/Constant.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Plan from "../prob/Plan.ts"
import * as Tree from "../prob/Tree.ts"
import * as DeclaredModel from "../rank/DeclaredModel.ts"
import * as Ensembles from "../rank/Ensemble.ts"
import * as Known from "../rank/Known.ts"
import type { Model } from "../rank/Model.ts"
import { condensed } from "../rank/condensed.ts"
import { identified } from "../rank/identified.ts"
import * as Memory from "../rank/Memory.ts"
import * as Scorer from "../rank/Scorer.ts"
import type { Options } from "./FormulaOptions.ts"
import * as Law from "./law.ts"
import * as LawGrammar from "./LawGrammar.ts"

const constantsOf = (term: Term.Term): ReadonlyArray<number> =>
  term._tag === "Constant" ? [term.value] : Term.children<Term.Term>(term).flatMap(constantsOf)

const operationsOf = (term: Term.Term): ReadonlyArray<string> => [
  ...(term._tag === "Unary" || term._tag === "Binary" ? [term.operation] : []),
  ...Term.children<Term.Term>(term).flatMap(operationsOf),
]

/** A formula in the model's form, with a grammar that has all of its parts. */
interface Formed {
  readonly grammar: Grammar.Grammar
  readonly trees: ReadonlyArray<Tree.Tree>
  readonly added: ReadonlyArray<string>
}

/** The numbers that terms in basic operators write and a grammar does not have, without those of numbers that are fitted. */
const lackingIn = (
  terms: ReadonlyArray<Term.Term>,
  values: ReadonlyArray<number>,
  { constants = LawGrammar.constants }: Options,
): ReadonlyArray<number> => {
  const sizes = values.map(Math.abs)
  return terms
    .flatMap(constantsOf)
    .filter((value) => !constants.includes(value) && !sizes.includes(Math.abs(value)))
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
  const lacking = lackingIn(own, values, options)
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

/** A formula scored in one of the forms that it has. */
export interface Candidate {
  readonly model: Model
  readonly mean: Model
  readonly terms: ReadonlyArray<string>
  readonly added: ReadonlyArray<string>
}

/** The deepest tree that a formula may have. */
const deepest = 16

/** A formula, and the table and options with which it is scored. */
interface Given {
  readonly names: ReadonlyArray<string>
  readonly values: Float64Array
  readonly data: Dataset
  readonly features: ReadonlyArray<string>
  readonly options: Options
}

/**
 * A formula as one sum of terms under a link. A number that it writes inside of a term is a fitted constant that is exact, as the table of a search has
 * it (`Rank.exactConstants`), and a constant of the grammar where the data do not determine it beside the others.
 */
export const of = (
  parts: FormulaTerms.Parts,
  { names, values, data, features, options }: Given,
): Effect.Effect<Candidate | undefined, CompileError> =>
  Effect.gen(function* () {
    const given = { parts, names, values }
    const shorter = condensed(given, data.features)
    const own = identified(given, data)
    const texts = own.parts.terms.map(({ term }) => infix(term, { precision: 4 }))
    const found = yield* Effect.forEach(
      [own, ...(shorter === undefined ? [] : [identified(shorter, data)])],
      (formula) => asWritten(formula, data, features, options),
    )
    const best = mostProbable(found)
    return best && { ...best, terms: texts }
  })

/** The first of those that have the highest log posterior; undefined where there is none. */
export const mostProbable = (all: ReadonlyArray<Candidate | undefined>): Candidate | undefined =>
  all
    .flatMap((one) => one ?? [])
    .reduce<Candidate | undefined>(
      (best, one) => (best !== undefined && best.model.lmpse >= one.model.lmpse ? best : one),
      undefined,
    )

/** A formula as its terms are written. */
const asWritten = (
  formula: DeclaredModel.Formula,
  data: Dataset,
  features: ReadonlyArray<string>,
  options: Options,
): Effect.Effect<Candidate | undefined, CompileError> =>
  Effect.gen(function* () {
    const terms = formula.parts.terms.map(({ term }) => Term.valued(term, formula.names, formula.values))
    const fitted = [...formula.values]
    const own = formed(terms, fitted, features, options)
    if (Result.isFailure(own)) return yield* new CompileError({ message: own.failure.message })
    if (options.fitted !== "none") {
      const folded = terms.map((term) => Term.simplify(term))
      const lacking = lackingIn(folded.map(inBasicOperators), fitted, options)
      const written = [...new Set(lacking.map(Math.abs))].filter((size) => size > 0)
      const other = formed(folded, [...fitted, ...written], features, options)
      if (written.length > 0 && Result.isSuccess(other)) {
        const exact = yield* scored(formula, other.success, written, data, options)
        if (exact !== undefined) return exact
      }
    }
    return yield* scored(formula, own.success, [], data, options)
  })

const scored = (
  formula: DeclaredModel.Formula,
  { grammar, trees, added }: Formed,
  inside: ReadonlyArray<number>,
  data: Dataset,
  options: Options,
): Effect.Effect<Candidate | undefined, CompileError> =>
  Effect.gen(function* () {
    const { trees: most = Law.defaults.trees, depth = Law.defaults.depth } = options
    const deep = Math.max(depth, ...trees.map(Tree.depth))
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
    const model = DeclaredModel.of(scorer, grammar, data, formula, trees, inside)
    const nothing = scorer.model({ ensemble: Ensembles.ofSet(grammar, [], 0), draws: 1 })
    if (model === undefined || nothing === undefined) return undefined
    const mean = nothing.exact?.(Constants.defaults) ?? nothing
    return {
      model: Memory.under(known.under(model), mean, scorer.scale),
      mean: Memory.under(mean, mean, scorer.scale),
      terms: formula.parts.terms.map(({ term }) => infix(term, { precision: 4 })),
      added: [
        ...added,
        ...(trees.length > most ? [`${trees.length} terms instead of at most ${most}`] : []),
        ...(deep > depth ? [`trees ${deep} operations deep instead of at most ${depth}`] : []),
      ],
    }
  })
