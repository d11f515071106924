import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import { scalarFunction } from "../expr/evaluate.ts"
import * as Operator from "../expr/Operator.ts"
import * as Grammar from "../prob/Grammar.ts"
import type * as Tree from "../prob/Tree.ts"
import { edits } from "./edits.ts"

/**
 * The limiting cases of a tree with fitted numbers, in which it loses one number:
 *
 * - x + c and x + c f become x, as c goes to 0;
 * - exp(c x), cos(c x) and x^c, as a factor or a divisor, become 1, as c goes to 0;
 * - f(c x) and f(x + c) become x: a smooth function of what hardly varies is a line, and the coefficient and the intercept of the term have its slope and
 *   its value.
 *
 * A search may find a law with such a number first, and a number that the rows do not tell from its limit leaves too little trace in the evidence
 * for the search to look for the law without it: a column of 1e-9 beside log(x + 7e-7), or exp(1e-15 x) as a factor.
 *
 * @returns trees with one such change each, without factors and shifts that a coefficient and an intercept have
 */
export const of = (grammar: Grammar.Grammar): ((tree: Tree.Tree) => ReadonlyArray<Tree.Tree>) => {
  const place = (operator: Operator.Operator): number => Grammar.placeOf(grammar, operator)
  const add = place(Operator.add)
  const sub = place(Operator.sub)
  const mul = place(Operator.mul)
  const div = place(Operator.div)
  const power = Grammar.powerPlace(grammar)
  const isNumber = (tree: Tree.Tree): boolean =>
    tree._tag === "Leaf" && ParametricTrees.isNumber(grammar, tree)
  const hasNumber = (tree: Tree.Tree): boolean =>
    tree._tag === "Leaf" ? isNumber(tree) : tree.children.some(hasNumber)
  /** The operand beside a number; undefined where there is none, or both are numbers. */
  const besideNumber = (children: ReadonlyArray<Tree.Tree>): Tree.Tree | undefined => {
    const others = children.filter((child) => !isNumber(child))
    return others.length === 1 && children.length === 2 ? others[0] : undefined
  }
  /** A tree without numbers that are operands of one of some operators at its root. */
  const without =
    (operators: ReadonlyArray<number>) =>
    (tree: Tree.Tree): Tree.Tree => {
      if (tree._tag === "Leaf" || !operators.includes(tree.operator)) return tree
      if (tree.operator === div && isNumber(tree.children[0]!)) return tree
      const other = besideNumber(tree.children)
      return other === undefined ? tree : without(operators)(other)
    }
  const unscaled = without([mul, div])
  const bare = without([add, sub, mul, div])
  /** Whether a tree is a number, or a multiple of one. */
  const isScaled = (tree: Tree.Tree): boolean => isNumber(tree) || unscaled(tree) !== tree
  /** Operators of one operand that are 1 at 0. */
  const areOneAtZero = grammar.operators.flatMap(({ term, arity }, operator) =>
    arity === 1 && scalarFunction(term, ["x"])([0]) === 1 ? [operator] : [],
  )
  /** Whether a tree is exp(c x), or x^c. */
  const isOneAtZero = (tree: Tree.Tree): boolean => {
    if (tree._tag === "Leaf") return false
    const { operator, children } = tree
    const [first, second] = children
    if (second !== undefined) return operator === power && isNumber(second)
    return areOneAtZero.includes(operator) && first !== undefined && unscaled(first) !== first
  }
  /** What takes the place of a branch. */
  const limits = (tree: Tree.Tree): ReadonlyArray<Tree.Tree> => {
    if (tree._tag === "Leaf") return []
    const { operator, children } = tree
    const [first, second] = children
    if (first === undefined) return []
    if (second === undefined) return hasNumber(first) ? [unscaled(first), bare(first)] : []
    if (operator === add || operator === sub)
      return children.filter((child, k) => !isNumber(child) && isScaled(children[1 - k]!))
    if (operator === mul)
      return [...(isOneAtZero(first) ? [second] : []), ...(isOneAtZero(second) ? [first] : [])]
    return operator === div && isOneAtZero(second) ? [first] : []
  }
  return (tree) =>
    hasNumber(tree) ? [...edits(tree, limits)].map(bare).filter((made) => !isNumber(made)) : []
}
