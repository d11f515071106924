import * as Grammar from "../../prob/Grammar.ts"
import type { Choice, PreOrder } from "./PreOrder.ts"

/** The expected number of visits of the rows of a node in each context. */
type Visits = Map<Grammar.Context, Float64Array>

/**
 * The expected number of times that each value of each row is chosen in a tree of q, by one pass from the root: the contexts
 * of the grammar and the rows of a node are few.
 *
 * @param probability of a value, given a row
 * @param use gets the numbers that are not 0
 */
export const each = (
  { first, inner, innerRows, nodes, operators, terminals, rules, rightRow, binary }: PreOrder,
  probability: (choice: Choice, row: number, value: number) => number,
  use: (choice: Choice, row: number, value: number, visits: number) => void,
): void => {
  const found: Array<Visits> = Array.from({ length: nodes }, () => new Map())
  const at = (node: number, context: Grammar.Context): Float64Array => {
    const own = found[node]!.get(context) ?? new Float64Array(first[node + 1]! - first[node]!)
    found[node]!.set(context, own)
    return own
  }
  /** The probabilities of the operators of a node that expands, and of its being a leaf. */
  const shares = (row: number, context: Grammar.Context): { grown: Float64Array; leaf: number } => {
    const grown = new Float64Array(operators)
    if (row >= innerRows) return { grown, leaf: 1 }
    const { allowed } = rules(context)
    const expands = probability("split", row, 1)
    let leaf = probability("split", row, 0)
    for (let k = 0; k < operators; k++) {
      const share = expands * probability("operator", row, k)
      if (allowed[k] === true) grown[k] = share
      else leaf += share
    }
    return { grown, leaf }
  }
  at(0, Grammar.rootContext)[0] = 1
  for (let node = 0; node < nodes; node++)
    for (const [context, rows] of found[node]!) {
      const { below } = rules(context)
      rows.forEach((visits, place) => {
        if (visits === 0) return
        const row = first[node]! + place
        const { grown, leaf } = shares(row, context)
        // The row of a left child is the operator above, which has a right child as well if it is binary.
        const sibling = node % 2 === 1 && binary(place) ? at(node + 1, context) : undefined
        const add = (symbol: number, share: number): void => {
          if (sibling !== undefined) sibling[rightRow(node + 1, place, symbol)]! += visits * share
        }
        for (let k = 0; k < terminals; k++) {
          const share = leaf * probability("terminal", row, k)
          use("terminal", row, k, visits * share)
          add(operators + k, share)
        }
        if (node >= inner) return
        const expands = visits * probability("split", row, 1)
        use("split", row, 1, expands)
        use("split", row, 0, visits - expands)
        for (let k = 0; k < operators; k++) {
          use("operator", row, k, expands * probability("operator", row, k))
          if (grown[k] === 0) continue
          at(2 * node + 1, below[k]!)[k]! += visits * grown[k]!
          add(k, grown[k]!)
        }
      })
    }
}
