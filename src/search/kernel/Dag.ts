import type { Grammar } from "../../prob/Grammar.ts"
import * as Grammars from "../../prob/Grammar.ts"
import type { Skeleton } from "../../prob/Skeleton.ts"
import * as Tree from "../../prob/Tree.ts"
import { room } from "./Room.ts"

/**
 * All distinct expressions met so far, each once: a directed acyclic graph in which equal trees, and equal subtrees of
 * different trees, are one node. Nodes are numbered densely; operands come before the expressions over them, and the
 * terminals of the grammar are the first nodes, in order. Two trees have one number exactly if their
 * `Tree.canonical` forms are equal. Nodes take some 28 bytes each until they are forgotten.
 */
export interface Dag {
  readonly grammar: Grammar
  readonly size: () => number
  /**
   * The nodes as they lie in memory, `width` integers each. An array of its own after growth: take it anew after
   * every call that may add nodes.
   */
  readonly records: () => Int32Array
  /**
   * The node of a tree. Leaves with fitted values are no terminals of a graph.
   *
   * @throws RangeError when the grammar has no such terminal or operator
   */
  readonly intern: (tree: Tree.Tree) => number
  /**
   * The node of the tree that a draw of a skeleton stands for, by the rules of `Tree.prune`, without making the tree.
   *
   * @param skeleton indices in heap order, possibly of many trees one after the other
   * @param offset where the tree's nodes begin, 0 by default
   */
  readonly prune: (depth: number, skeleton: Skeleton, offset?: number) => number
  /**
   * The node of an operator applied to nodes; `right` is ignored for an operator of one argument.
   *
   * @throws RangeError when the grammar has no such operator
   */
  readonly apply: (operator: number, left: number, right: number) => number
  /**
   * Forgets the nodes from a number on, which nothing may use any more; their numbers are given to others. Evaluators
   * have to forget their columns (`Evaluator.forget`).
   */
  readonly forget: (from: number) => void
  /** The tree of a node, in `Tree.canonical` form. */
  readonly tree: (id: number) => Tree.Tree
}

/**
 * A node's integers: operator (-1 for a terminal), left operand, right operand (-1 if there is none), and how often the
 * node was asked for: by how many different nodes, and how often as a whole tree.
 */
export const width = 4
export const LEFT = 1
export const RIGHT = 2
export const ASKED = 3

/** An operator over one node, or over two. */
export interface Application {
  /** the index of the operator in the grammar */
  readonly operator: number
  readonly left: number
  /** -1 of an operator of one argument */
  readonly right: number
}

/** What a node is; undefined of a terminal. Loops over many nodes read `records` themselves. */
export const application = (dag: Pick<Dag, "records">, id: number): Application | undefined => {
  const records = dag.records()
  const at = id * width
  const operator = records[at]!
  return operator < 0 ? undefined : { operator, left: records[at + LEFT]!, right: records[at + RIGHT]! }
}

/** The nodes of a graph as plain data: the first `size` records of `width` integers, zeros behind them. */
export interface Nodes {
  records: Int32Array
  size: number
}

/** No nodes yet: `make` adds the terminals. */
export const nothing = (): Nodes => ({ records: new Int32Array(width * 1024), size: 0 })

/** @param nodes where the graph keeps its nodes; those that are there already are part of it */
export const make = (grammar: Grammar, nodes: Nodes = nothing()): Dag => {
  const terminals = grammar.terminals.length
  const operators = grammar.operators.length
  const arity = Uint8Array.from(grammar.operators, (operator) => operator.arity)
  const commutative = Uint8Array.from(grammar.operators, (operator) => (operator.commutative ? 1 : 0))
  // What `Grammar.below` and `Grammar.allowed` say, as masks.
  const entered = Int32Array.from(grammar.operators, (_, operator) =>
    Grammars.below(grammar, Grammars.rootContext, operator),
  )
  const banned = Int32Array.from(grammar.operators, (_, operator) =>
    entered.reduce(
      (mask, context) => (Grammars.allowed(grammar, context)[operator] === true ? mask : mask | context),
      0,
    ),
  )

  let { records, size } = nodes
  // Open addressing with linear probing, at most half full; entries are numbers of nodes plus 1, 0 is empty.
  let table = new Int32Array(2048)
  let mask = table.length - 1

  const hash = (operator: number, left: number, right: number): number => {
    let h = Math.imul(operator + 1, 0x9e3779b1) ^ Math.imul(left, 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) ^ Math.imul(right + 1, 0xc2b2ae35)
    h = Math.imul(h ^ (h >>> 13), 0x297a2d39)
    return h ^ (h >>> 16)
  }

  /** A table of at least a length, with all nodes in it. */
  const tabulate = (length: number): void => {
    table = new Int32Array(length)
    mask = table.length - 1
    for (let id = terminals; id < size; id++) {
      const at = id * width
      let slot = hash(records[at]!, records[at + LEFT]!, records[at + RIGHT]!) & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = id + 1
    }
  }
  const grow = (): void => tabulate(2 * table.length)

  const append = (operator: number, left: number, right: number): number => {
    const at = size * width
    nodes.records = records = room(Int32Array, records, at + width)
    records[at] = operator
    records[at + LEFT] = left
    records[at + RIGHT] = right
    nodes.size = size + 1
    return size++
  }

  /** The node, without any check. */
  const node = (operator: number, first: number, second: number): number => {
    let left = first
    let right = second
    if (second < first && commutative[operator] === 1) {
      left = second
      right = first
    }
    let slot = hash(operator, left, right) & mask
    for (;;) {
      const found = table[slot]! - 1
      if (found < 0) break
      const at = found * width
      if (records[at] === operator && records[at + LEFT] === left && records[at + RIGHT] === right)
        return found
      slot = (slot + 1) & mask
    }
    const made = append(operator, left, right)
    table[slot] = made + 1
    records[left * width + ASKED]! += 1
    if (right >= 0 && right !== left) records[right * width + ASKED]! += 1
    if (2 * size >= table.length) grow()
    return made
  }

  const forget = (from: number): void => {
    // Backwards: the place of the latest in the table is one that no earlier search has passed.
    for (let id = size - 1; id >= Math.max(from, terminals); id--) {
      const at = id * width
      const left = records[at + LEFT]!
      const right = records[at + RIGHT]!
      let slot = hash(records[at]!, left, right) & mask
      while (table[slot] !== id + 1) slot = (slot + 1) & mask
      table[slot] = 0
      records[left * width + ASKED]! -= 1
      if (right >= 0 && right !== left) records[right * width + ASKED]! -= 1
      records.fill(0, at, at + width)
      nodes.size = size = id
    }
  }

  const unknown = (what: string, index: number): never => {
    throw new RangeError(`the grammar has no ${what} ${index}`)
  }

  const visit = (tree: Tree.Tree): number => {
    if (tree._tag === "Leaf") {
      const { terminal, value } = tree
      if (value !== undefined) return unknown("terminal for the fitted value", value)
      return terminal >= 0 && terminal < terminals ? terminal : unknown("terminal", terminal)
    }
    const { operator, children } = tree
    const operands = arity[operator]
    if (operands !== children.length) return unknown("operator of this arity", operator)
    const left = visit(children[0]!)
    return node(operator, left, operands === 2 ? visit(children[1]!) : -1)
  }

  const apply = (operator: number, left: number, right: number): number =>
    operator >= 0 && operator < operators
      ? node(operator, left, arity[operator] === 2 ? right : -1)
      : unknown("operator", operator)

  /** `Tree.prune` from a node of the skeleton downwards. */
  const descend = (
    skeleton: Skeleton,
    offset: number,
    last: number,
    heap: number,
    context: number,
  ): number => {
    const operator = skeleton.operator[offset + heap]!
    const expands = heap < last && skeleton.split[offset + heap] === 1 && (context & banned[operator]!) === 0
    if (!expands) {
      const terminal = skeleton.terminal[offset + heap]!
      return terminal >= 0 && terminal < terminals ? terminal : unknown("terminal", terminal)
    }
    if (!(operator >= 0 && operator < operators)) return unknown("operator", operator)
    const inner = context | entered[operator]!
    const left = descend(skeleton, offset, last, 2 * heap + 1, inner)
    if (arity[operator] === 1) return node(operator, left, -1)
    return node(operator, left, descend(skeleton, offset, last, 2 * heap + 2, inner))
  }

  const asked = (id: number): number => {
    records[id * width + ASKED]! += 1
    return id
  }

  const build = (id: number): Tree.Tree => {
    const at = id * width
    const operator = records[at]!
    if (operator < 0) return Tree.leaf(id)
    const left = build(records[at + LEFT]!)
    const right = records[at + RIGHT]!
    return Tree.branch(operator, right < 0 ? [left] : [left, build(right)])
  }

  if (size === 0)
    for (let terminal = 0; terminal < terminals; terminal++) {
      append(-1, -1, -1)
      if (2 * size >= table.length) grow()
    }
  else {
    let length = table.length
    while (2 * size >= length) length *= 2
    tabulate(length)
  }

  return {
    grammar,
    size: () => size,
    records: () => records,
    intern: (tree) => asked(visit(tree)),
    prune: (depth, skeleton, offset = 0) =>
      asked(descend(skeleton, offset, 2 ** depth - 1, 0, Grammars.rootContext)),
    apply,
    forget,
    tree: (id) => {
      if (!(id >= 0 && id < size)) throw new RangeError(`there is no node ${id}`)
      return Tree.canonical(grammar, build(id))
    },
  }
}
