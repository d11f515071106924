import * as Result from "effect/Result"
import * as FormulaTerms from "../evidence/fitted/FormulaTerms.ts"
import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import * as Term from "../expr/Term.ts"
import { untaken } from "../internal/untaken.ts"
import type * as Grammar from "../prob/Grammar.ts"
import * as Link from "../prob/Link.ts"
import * as Tree from "../prob/Tree.ts"
import * as DeclaredModel from "./DeclaredModel.ts"

/** Numbers that differ by no more than this share of the larger one are near. */
const near = 0.1

/** A tree as a term whose numbers have names. */
interface Named {
  readonly term: Term.Term
  readonly names: ReadonlyArray<string>
  readonly values: Float64Array
}

const named = (grammar: Grammar.Grammar, tree: Tree.Tree): Named => {
  const names: Array<string> = []
  const values: Array<number> = []
  const term = Tree.toTerm(grammar, tree, (leaf) => {
    if (leaf.value === undefined || !ParametricTrees.isNumber(grammar, leaf))
      return Tree.leafTerm(grammar, leaf)
    const name = untaken("c", [...grammar.features, ...names])
    names.push(name)
    values.push(leaf.value)
    return Term.variable(name)
  })
  return { term, names, values: Float64Array.from(values) }
}

/**
 * The confluent limits of two trees that are one function with nearly the same numbers. Of cos(a x) and cos(b x) with coefficients that cancel, as b goes
 * to a, x sin(a x) is left: the derivative by the number. A search may find the difference first, for it is made of shorter parts, and it fits as well as
 * its limit does.
 *
 * @returns for each number that differs the trees whose sum is the derivative, but for coefficients; none for other pairs
 */
export const of =
  (grammar: Grammar.Grammar) =>
  (one: Tree.Tree, other: Tree.Tree): ReadonlyArray<ReadonlyArray<Tree.Tree>> => {
    const [first, second] = [named(grammar, one), named(grammar, other)]
    const { term, names, values } = first
    if (!Term.equals(term, second.term)) return []
    const moved = names.flatMap((_, j) => (values[j] === second.values[j] ? [] : [j]))
    const isNear = (j: number): boolean => {
      const [a, b] = [values[j]!, second.values[j]!]
      return Math.abs(a - b) <= near * Math.max(Math.abs(a), Math.abs(b))
    }
    if (!moved.every(isNear)) return []
    const between = values.map((value, j) => (value + second.values[j]!) / 2)
    return moved.flatMap((j) => {
      const slope = Term.simplify(Term.derivative(term, names[j]!))
      const [parts] = FormulaTerms.parts(slope, names, [Link.identity])
      const trees = parts && DeclaredModel.trees({ parts, names, values: between }, grammar)
      return trees !== undefined && Result.isSuccess(trees) && trees.success.length > 0 ? [trees.success] : []
    })
  }
