import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Dataset } from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as FormulaFit from "../evidence/fitted/formulaFit.ts"
import { inBasicOperators } from "../expr/form/basicOperators.ts"
import * as Term from "../expr/Term.ts"
import { parse } from "../expr/text/parse.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as Link from "../prob/Link.ts"
import type * as Plan from "../prob/Plan.ts"
import * as Tree from "../prob/Tree.ts"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import { rightHandSide } from "./rightHandSide.ts"

/** An ensemble for a search to begin with. */
export interface Begun {
  readonly link: number
  readonly trees: ReadonlyArray<Tree.Tree>
}

/**
 * The ensembles of a grammar that are a formula, its free numbers fitted to data: one for each link under which it is a sum of terms.
 *
 * Fails with a `CompileError` that says which part of the formula the grammar lacks, or where it cannot be read.
 */
export const of = (
  text: string,
  data: Dataset,
  grammar: Grammar,
  links: ReadonlyArray<Link.Link>,
): Effect.Effect<ReadonlyArray<Begun>, CompileError> =>
  Effect.gen(function* () {
    const refuse = (reason: string) =>
      new CompileError({ message: `the search cannot start from ${text}: ${reason}` })
    const formula = yield* Effect.mapError(Effect.fromResult(rightHandSide(text, data.target)), refuse)
    const term = yield* Effect.mapError(
      Effect.fromResult(parse(formula, { operators: grammar.operators })),
      ({ message }) => refuse(message),
    )
    const names = Term.variables(term).filter((name) => !data.features.includes(name))
    const fitted = FormulaFit.fit(term, names, data)
    if (fitted === undefined) return yield* refuse("it has no finite value on every row")
    const treeOf = (one: Term.Term) =>
      Tree.fromTerm(grammar, inBasicOperators(Term.valued(one, names, fitted.values)))
    const found = FormulaTerms.parts(term, names, links).map(({ link, terms }) =>
      Result.map(Result.all(terms.map((one) => treeOf(one.term))), (trees) => ({ link, trees })),
    )
    const begun = found.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
    const failed = found.find(Result.isFailure)
    if (begun.length === 0) return yield* refuse(failed?.failure.message ?? "it is a function of no link")
    return begun
  })

/** The ensembles that a search of a model begins with: those of a formula, or none. */
export const begun = (
  { likelihood: { forest, link } }: Plan.Declared,
  data: Dataset,
  text: string | undefined,
): Effect.Effect<ReadonlyArray<Begun>, CompileError> =>
  text === undefined ? Effect.succeed([]) : of(text, data, forest.grammar, link?.links ?? [Link.identity])
