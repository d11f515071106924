import { scalarFunction } from "../expr/evaluate.ts"
import * as Operator from "../expr/Operator.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"

const turn = 2 * Math.PI

/** Whether a function of one argument has the same value a whole turn on. */
const isPeriodic = ({ term, arity }: Grammar.Grammar["operators"][number]): boolean => {
  if (arity !== 1) return false
  const run = scalarFunction(term, ["x", "y"])
  const values = [0.3, 1.1, 2.9, 4.7, 5.9].map((x) => [run([x, 0]), run([x + turn, 0])] as const)
  const varies = values.some(([value]) => Math.abs(value - values[0]![0]) > 1e-6)
  return varies && values.every(([a, b]) => Math.abs(a - b) <= 1e-9 * (1 + Math.abs(a)))
}

/**
 * Trees with phases from -pi to pi: a fitted number that is added to the argument of sin, cos or another function with the period 2 pi
 * is known up to whole turns, and fits end at any of them.
 */
export const wrapped = (grammar: Grammar.Grammar): ((tree: Tree.Tree) => Tree.Tree) => {
  const periodic = grammar.operators.map(isPeriodic)
  const add = Grammar.placeOf(grammar, Operator.add)
  const within = (tree: Tree.Tree): Tree.Tree =>
    tree._tag === "Leaf" && tree.value !== undefined
      ? Tree.leaf(tree.terminal, tree.value - turn * Math.round(tree.value / turn))
      : tree
  const visit = (tree: Tree.Tree): Tree.Tree => {
    if (tree._tag === "Leaf") return tree
    const children = tree.children.map(visit)
    const [inside] = children
    return periodic[tree.operator] === true && inside?._tag === "Branch" && inside.operator === add
      ? Tree.branch(tree.operator, [Tree.branch(add, inside.children.map(within))])
      : Tree.branch(tree.operator, children)
  }
  return visit
}
