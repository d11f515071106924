import * as Result from "effect/Result"
import type { Dataset } from "../data/Data.ts"
import * as Constants from "../evidence/exact/Constants.ts"
import type { Coefficient } from "../evidence/exact/Declared.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import { inBasicOperators } from "../expr/form/basicOperators.ts"
import * as Term from "../expr/Term.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"
import * as Ensembles from "./Ensemble.ts"
import type { Model } from "./Model.ts"
import type { Scorer } from "./Scorer.ts"

/** A formula whose free numbers are fitted, in one of the ways in which it is a sum of terms under a link. */
export interface Formula {
  readonly parts: FormulaTerms.Parts
  readonly names: ReadonlyArray<string>
  /** one for each name */
  readonly values: Float64Array
}

/** The trees of a formula's terms, or the first that the grammar lacks. */
export const trees = (
  { parts, names, values }: Formula,
  grammar: Grammar.Grammar,
): Result.Result<ReadonlyArray<Tree.Tree>, Tree.OutsideGrammarError> =>
  Result.all(
    parts.terms.map(({ term }) => Tree.fromTerm(grammar, inBasicOperators(Term.valued(term, names, values)))),
  )

/** The key of a tree whatever the values of its fitted constants. */
const formOf = (grammar: Grammar.Grammar, tree: Tree.Tree): string =>
  Tree.key(Tree.canonical(grammar, Tree.withoutValues(tree)))

/** The coefficients of a formula, the intercept first: free are those, too, that its numbers inside of terms can make up for. */
export const restricted = ({ parts, names, values }: Formula, data: Dataset): ReadonlyArray<Coefficient> => {
  const on = (formula: Term.Term, free: ReadonlyArray<string>, at: Float64Array) =>
    FittedLaw.rows({ formula, names: free, values: at }, data.features, data.columns, data.rows)
  const columns = parts.terms.map(
    ({ term }) => on(Term.valued(term, names, values), [], new Float64Array(0)).mean,
  )
  return FormulaTerms.restrictions(
    [parts.intercept, ...parts.terms.map(({ coefficient }) => coefficient)],
    [new Float64Array(data.rows).fill(1), ...columns],
    on(parts.sum, names, values).slopes,
  )
}

/**
 * The model of a formula: its numbers are fitted again under the kinds of noise of the likelihood, and the coefficients that it writes are
 * exact. Undefined where it has no value on some row, and where two of its terms are one tree with different numbers: these would need one
 * coefficient.
 *
 * @param own the trees of its terms (`trees`)
 * @param inside the magnitudes of fitted constants of the trees that the formula writes, and so are exact
 */
export const of = (
  scorer: Scorer,
  grammar: Grammar.Grammar,
  data: Dataset,
  formula: Formula,
  own: ReadonlyArray<Tree.Tree>,
  inside: ReadonlyArray<number> = [],
): Model | undefined => {
  const ensemble = Ensembles.ofSet(grammar, own, formula.parts.link)
  if (ensemble.trees.length < own.length) return undefined
  const [intercept = 0, ...coefficients] = restricted(formula, data)
  const byForm = new Map(own.map((tree, k) => [formOf(grammar, tree), coefficients[k]!]))
  const declared = {
    intercept,
    of: (tree: Tree.Tree) => byForm.get(formOf(grammar, tree)) ?? ("free" as const),
    inside,
  }
  return scorer.model({ ensemble, draws: 1 })?.exact?.(Constants.defaults, { declared })
}
