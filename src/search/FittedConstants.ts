import type * as Evaluator from "./kernel/Evaluator.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"

/**
 * Learned numbers as nodes of a space: terminals that are set apart for them, each of which is given a value once and
 * keeps it. What is evaluated with it then stays right.
 */
export interface Numbers {
  /** The node of a number of a learned terminal, the same for values that are equal in float32; -1 when no place is left. */
  readonly node: (terminal: number, value: number) => number
  /** The terminal of the grammar that a node is a number of, or is to be one of; undefined for other nodes. */
  readonly terminal: (id: number) => number | undefined
  /** A tree of nodes with the values of its numbers. */
  readonly valued: (tree: Tree.Tree) => Tree.Tree
}

/** So many numbers at most, and so many values in all. */
const most = 2048
const room = 2 ** 23

/** The terminals that places are set apart for, place by place; none when the grammar learns no constants. */
export const places = (grammar: Grammar, rows: number): ReadonlyArray<number> => {
  const learned = grammar.terminals.flatMap(({ learned }, terminal) =>
    learned === undefined ? [] : [terminal],
  )
  const each = Math.floor(Math.min(most, room / rows) / learned.length)
  return learned.flatMap((terminal) => Array.from({ length: each }, () => terminal))
}

/** @param first the node of the first place */
export const make = (
  kernel: Evaluator.Evaluator,
  terminals: ReadonlyArray<number>,
  first: number,
  rows: number,
): Numbers => {
  const nodes = new Map<string, number>()
  const values = new Map<number, number>()
  const free = new Map<number, Array<number>>()
  // The last place is used first.
  terminals.forEach((terminal, place) => {
    const others = free.get(terminal)
    if (others === undefined) free.set(terminal, [first + place])
    else others.push(first + place)
  })
  const valued = (tree: Tree.Tree): Tree.Tree => {
    if (tree._tag === "Branch") return Tree.branch(tree.operator, tree.children.map(valued))
    const terminal = terminals[tree.terminal - first]
    return terminal === undefined ? tree : Tree.leaf(terminal, values.get(tree.terminal))
  }
  return {
    node: (terminal, value) => {
      const key = `${terminal} ${Math.fround(value)}`
      const known = nodes.get(key)
      if (known !== undefined) return known
      const id = free.get(terminal)?.pop()
      if (id === undefined) return -1
      kernel.replace(id, new Float64Array(rows).fill(value))
      nodes.set(key, id)
      values.set(id, value)
      return id
    },
    terminal: (id) => terminals[id - first],
    valued,
  }
}
