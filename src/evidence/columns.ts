import * as Effect from "effect/Effect"
import type { Grammar } from "../prob/Grammar.ts"
import * as Tree from "../prob/Tree.ts"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Terminals from "../prob/Terminals.ts"
import { compileColumn } from "../expr/evaluate.ts"
import { allBelow } from "../numeric/finite.ts"

/** The values of a hard tree on every row. */
export interface Column {
  /** length n, float64; shared, not to be written to */
  readonly values: Float64Array
  /** Every value is finite and smaller than `largest` in magnitude, so that the tree may be in a model. */
  readonly admissible: boolean
}

/** Hard trees evaluated over one data set, each distinct subtree once. */
export interface Columns {
  readonly grammar: Grammar
  readonly rows: number
  readonly column: (tree: Tree.Tree) => Column
}

/** From this magnitude on, sums of squares approach the range of float64. */
export const largest = 1e150

/** The default capacity of the cache of columns, in bytes: 256 MiB. */
export const defaultCapacity = 2 ** 28

/**
 * An evaluator of trees over a data set. Equal subtrees (by `Tree.key`) of all trees share one column. Beyond
 * `capacity` the least recently used columns are dropped, and evaluated again when they are needed.
 * Values equal those of the whole tree's term bit for bit.
 *
 * Fails with a `CompileError` that names a feature which the data lack.
 *
 * @param options.capacity bytes for columns beside the data's own, `defaultCapacity` by default
 */
export const make = (
  grammar: Grammar,
  data: Dataset,
  options: { readonly capacity?: number | undefined } = {},
): Effect.Effect<Columns, CompileError> =>
  Effect.map(Terminals.columns(grammar, data), (terminals) => {
    const { rows } = data
    const leaves = terminals.map(column)
    const operators = grammar.operators.map(({ term, arity }) =>
      compileColumn(term, arity === 1 ? ["x"] : ["x", "y"]),
    )
    const most = Math.max(1, Math.floor((options.capacity ?? defaultCapacity) / (8 * Math.max(1, rows))))
    // A Map keeps the order of insertion: the first entry is the one used least recently.
    const cache = new Map<string, Column>()
    const visit = (tree: Tree.Tree): Column => {
      if (tree._tag === "Leaf") {
        const { terminal, value } = tree
        return value === undefined ? leaves[terminal]! : column(new Float64Array(rows).fill(value))
      }
      const key = Tree.key(tree)
      const known = cache.get(key)
      if (known !== undefined) {
        cache.delete(key)
        cache.set(key, known)
        return known
      }
      const out = new Float64Array(rows)
      operators[tree.operator]!(
        tree.children.map((child) => visit(child).values),
        out,
      )
      const made = column(out)
      cache.set(key, made)
      if (cache.size > most) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
      return made
    }
    return { grammar, rows, column: visit }
  })

const column = (values: Float64Array): Column => ({
  values,
  // NaN compares false.
  admissible: allBelow(values, largest),
})
