import type * as Evaluator from "./kernel/Evaluator.ts"
import type { Grammar } from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"

/**
 * Fitted numbers as nodes of a space: terminals that are set apart for them, each of which is given a value once and
 * keeps it, so that columns evaluated with it stay right.
 */
export interface FittedConstants {
  /** The node of a number of a fitted terminal, the same for values that are equal in float32; -1 when no place is left. */
  readonly node: (terminal: number, value: number) => number
  /** The terminal of the grammar that a node is a number of, or is to be one of; undefined for other nodes. */
  readonly terminal: (id: number) => number | undefined
  /** The value of a node that is a number; undefined of other nodes. */
  readonly value: (id: number) => number | undefined
  /** A tree of nodes with the values of its numbers. */
  readonly valued: (tree: Tree.Tree) => Tree.Tree
  /** Forgets the numbers from the `from`-th on, counted from 0, and gives their places to others. No node may be left that has one. */
  readonly forget: (from: number) => void
}

/** The most numbers, and the most values of all their columns. */
const most = 6000
const room = 2 ** 23

/** The terminals that places are set apart for, place by place; none when the grammar learns no constants. */
export const places = (grammar: Grammar, rows: number): ReadonlyArray<number> => {
  const fitted = grammar.terminals.flatMap(({ fitted }, terminal) => (fitted === undefined ? [] : [terminal]))
  const each = Math.floor(Math.min(most, room / rows) / fitted.length)
  return fitted.flatMap((terminal) => Array.from({ length: each }, () => terminal))
}

/** The numbers that were given to places, in order: the terminal, and the value. Plain data. */
export type Data = Array<readonly [terminal: number, value: number]>

/**
 * @param first the node of the first place
 * @param given where the numbers that are given to places are kept; those that are there already have theirs
 */
export const make = (
  kernel: Evaluator.Evaluator,
  terminals: ReadonlyArray<number>,
  first: number,
  rows: number,
  given: Data = [],
): FittedConstants => {
  const nodes = new Map<string, number>()
  const values = new Map<number, number>()
  const free = new Map<number, Array<number>>()
  const forget = (): void => {
    nodes.clear()
    values.clear()
    free.clear()
    // The last place is used first.
    terminals.forEach((terminal, place) => {
      const others = free.get(terminal)
      if (others === undefined) free.set(terminal, [first + place])
      else others.push(first + place)
    })
  }
  forget()
  const valued = (tree: Tree.Tree): Tree.Tree => {
    if (tree._tag === "Branch") return Tree.branch(tree.operator, tree.children.map(valued))
    const terminal = terminals[tree.terminal - first]
    return terminal === undefined ? tree : Tree.leaf(terminal, values.get(tree.terminal))
  }
  const keyOf = (terminal: number, value: number): string => `${terminal} ${Math.fround(value)}`
  /** Gives a number the next place of its terminal; -1 when none is left. */
  const place = (terminal: number, value: number): number => {
    const id = free.get(terminal)?.pop()
    if (id === undefined) return -1
    kernel.replace(id, new Float64Array(rows).fill(value))
    nodes.set(keyOf(terminal, value), id)
    values.set(id, value)
    return id
  }
  for (const [terminal, value] of given) place(terminal, value)
  return {
    node: (terminal, value) => {
      const known = nodes.get(keyOf(terminal, value))
      if (known !== undefined) return known
      const id = place(terminal, value)
      if (id >= 0) given.push([terminal, value])
      return id
    },
    terminal: (id) => terminals[id - first],
    value: (id) => values.get(id),
    valued,
    forget: (from) => {
      given.length = Math.min(given.length, from)
      forget()
      for (const [terminal, value] of given) place(terminal, value)
    },
  }
}
