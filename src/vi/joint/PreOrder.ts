import type { Forest } from "../../prob/Forest.ts"
import * as Grammar from "../../prob/Grammar.ts"
import * as Skeleton from "../../prob/Skeleton.ts"

/** A choice at a node: whether it expands, its operator, its terminal. */
export type Choice = "split" | "operator" | "terminal"

/** The operators that a context allows, and the contexts below them. */
interface Rules {
  readonly allowed: ReadonlyArray<boolean>
  readonly below: ReadonlyArray<Grammar.Context>
}

/**
 * The choices of a tree in pre-order, and their conditions. The symbol of a node is its operator, or m plus its terminal
 * where it is a leaf. Each node has a row for each condition that it may have:
 *
 * | node        | condition                                              | rows                   |
 * | ----------- | ------------------------------------------------------ | ---------------------- |
 * | root        | none                                                   | 1                      |
 * | left child  | the operator of its parent                             | m                      |
 * | right child | the operator of its parent, the symbol of its sibling  | m2 times (m + p, or p) |
 *
 * with m operators, m2 of them binary, and p terminals; siblings at the maximum depth have terminals only. Rows of all nodes
 * are numbered one after the other in heap order, so that those of nodes that may expand come first.
 */
export interface PreOrder {
  /** the number of nodes that may expand; they come first in heap order */
  readonly inner: number
  readonly nodes: number
  readonly operators: number
  readonly terminals: number
  /** the first row of each node, and the number of all rows */
  readonly first: ReadonlyArray<number>
  /** the number of rows of the nodes that may expand */
  readonly innerRows: number
  readonly rules: (context: Grammar.Context) => Rules
  /** the row of a right child, from its first */
  readonly rightRow: (node: number, operator: number, sibling: number) => number
  readonly binary: (operator: number) => boolean
  /**
   * Visits the choices of a tree. `choose` gives the value of a choice; elements that pruning removes are not asked for. A
   * choice that is NaN ends the branch.
   */
  readonly visit: (choose: (choice: Choice, node: number, row: number) => number) => void
}

/** The pre-order of the trees of a forest. */
export const make = ({ grammar, depth }: Forest): PreOrder => {
  const nodes = Skeleton.size(depth)
  const inner = (nodes - 1) / 2
  const operators = grammar.operators.length
  const terminals = grammar.terminals.length
  let count = 0
  const places = grammar.operators.map(({ arity }) => (arity === 2 ? count++ : -1))
  const symbols = (sibling: number): number => (sibling < inner ? operators + terminals : terminals)
  const rowsOf = (node: number): number =>
    node === 0 ? 1 : node % 2 === 1 ? operators : count * symbols(node - 1)
  const first = [0]
  for (let node = 0; node < nodes; node++) first.push(first[node]! + rowsOf(node))
  const known = new Map<Grammar.Context, Rules>()
  const rules = (context: Grammar.Context): Rules => {
    const found = known.get(context) ?? {
      allowed: Grammar.allowed(grammar, context),
      below: grammar.operators.map((_, operator) => Grammar.below(grammar, context, operator)),
    }
    known.set(context, found)
    return found
  }
  const rightRow: PreOrder["rightRow"] = (node, operator, sibling) =>
    places[operator]! * symbols(node - 1) + sibling - (node - 1 < inner ? 0 : operators)
  return {
    inner,
    nodes,
    operators,
    terminals,
    first,
    innerRows: first[inner]!,
    rules,
    rightRow,
    binary: (operator) => places[operator]! >= 0,
    visit: (choose) => {
      const grow = (node: number, context: Grammar.Context, row: number): number => {
        if (node < inner && choose("split", node, row) === 1) {
          const operator = choose("operator", node, row)
          const { allowed, below } = rules(context)
          if (allowed[operator] === true) {
            const under = below[operator]!
            const left = 2 * node + 1
            const sibling = grow(left, under, first[left]! + operator)
            if (places[operator]! >= 0)
              grow(left + 1, under, first[left + 1]! + rightRow(left + 1, operator, sibling))
            return operator
          }
        }
        return operators + choose("terminal", node, row)
      }
      grow(0, Grammar.rootContext, 0)
    },
  }
}
