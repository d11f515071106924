import type { Grammar } from "../prob/Grammar.ts"
import type * as Skeleton from "../prob/Skeleton.ts"
import * as Tree from "../prob/Tree.ts"

/** A tree in canonical form (`Tree.canonical`) and its key (`Tree.key`). */
export interface Form {
  readonly tree: Tree.Tree
  readonly key: string
}

export const of = (grammar: Grammar, tree: Tree.Tree): Form => {
  const canonical = Tree.canonical(grammar, tree)
  return { tree: canonical, key: Tree.key(canonical) }
}

/** The order of forms in an ensemble, and of the operands of commutative operators: by key. */
export const byKey = (a: Form, b: Form): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

/**
 * The forms of pruned skeletons (`Tree.prune`). Equal trees have the same object as form, and share equal subtrees:
 * most draws of a posterior repeat earlier draws.
 *
 * @param depth the maximum depth of the skeletons
 * @param value the value of a fitted constant at an index of the skeletons' arrays; undefined for a leaf without a
 *   value
 * @returns a function of skeletons and of the index of their first node in the arrays
 */
export const pruning = (
  grammar: Grammar,
  depth: number,
  value: (terminal: number, at: number) => number | undefined = () => undefined,
): ((skeleton: Skeleton.Skeleton, offset: number) => Form) => {
  const leaves = grammar.terminals.map((_, terminal) => of(grammar, Tree.leaf(terminal)))
  const numbers = new Map<string, Form>()
  const number = (terminal: number, at: number): Form => {
    const made = of(grammar, Tree.leaf(terminal, value(terminal, at)))
    const known = numbers.get(made.key) ?? made
    numbers.set(made.key, known)
    return known
  }
  const branches = new Map<string, Form>()
  return Tree.pruning<Form>(grammar, depth, {
    leaf: (terminal, at) =>
      grammar.terminals[terminal]?.fitted === undefined ? leaves[terminal]! : number(terminal, at),
    branch: (operator, children) => {
      const commutes = grammar.operators[operator]?.commutative === true
      const ordered = commutes ? children.toSorted(byKey) : children
      const key = Tree.branchKey(operator, ordered.map(keyOf))
      const known = branches.get(key)
      if (known !== undefined) return known
      const made = { tree: Tree.branch(operator, ordered.map(treeOf)), key }
      branches.set(key, made)
      return made
    },
  })
}

const keyOf = ({ key }: Form): string => key
const treeOf = ({ tree }: Form): Tree.Tree => tree
