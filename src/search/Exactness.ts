import type * as Columns from "../evidence/columns.ts"
import * as GPrior from "../evidence/gPrior.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import type { Tree } from "../prob/Tree.ts"
import type { Entry } from "./HallOfFame.ts"
import type { Working } from "../evidence/workingResponse.ts"

/**
 * A fit that leaves less than the first share of the sum of squares of y unexplained may be exact: columns of float32
 * cannot tell. It is when columns of float64 leave less than the second.
 */
const shares = { single: 1e-10, double: 1e-16 }

/** Rows as an exact fit is judged on them: columns of trees in float64, y, and the working responses. */
export interface Rows {
  readonly columns: Columns.Columns
  readonly y: Float64Array
  /** undefined where a link is not defined on these rows */
  readonly working: (response: number) => Working | undefined
}

/** Where an ensemble is the law itself, on data without noise. */
export type Exact = "nowhere" | "here" | "everywhere"

/** Whether an ensemble explains all of y on some rows, as double precision has it. */
const leavesNothing = (
  trees: ReadonlyArray<Tree>,
  response: number,
  { columns, y, working }: Rows,
): boolean => {
  const respond = working(response)?.respond
  if (respond === undefined) return false
  const { z, w } = respond(undefined)
  const weigh = (column: Float64Array): Float64Array => column.map((value, i) => value * w[i]!)
  const design = trees.map((tree) => weigh(columns.column(tree).values))
  return leastSquares([w, ...design], weigh(z)).rss <= shares.double * GPrior.tssOf(y)
}

/**
 * Judges ensembles, the latest of which it remembers.
 *
 * @param here the rows that a search looks at, `everywhere` all of them
 */
export const judge = (
  here: Rows,
  everywhere: Rows,
  treeOf: (id: number) => Tree,
): ((best: Entry) => Exact) => {
  const square = here.y.reduce((sum, value) => sum + value * value, 0)
  const exact = ({ rss, response, trees: ids }: Entry): Exact => {
    if (!(rss <= shares.single * square)) return "nowhere"
    const trees = ids.map(treeOf)
    if (!leavesNothing(trees, response, here)) return "nowhere"
    if (here === everywhere) return "everywhere"
    return leavesNothing(trees, response, everywhere) ? "everywhere" : "here"
  }
  let judged: { readonly best: Entry; readonly exact: Exact } | undefined
  return (best) => {
    if (judged?.best !== best) judged = { best, exact: exact(best) }
    return judged.exact
  }
}
