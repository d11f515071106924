import type * as Columns from "../evidence/columns.ts"
import * as GPrior from "../evidence/gPrior.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import type { RowWeights } from "../evidence/Likelihood.ts"
import type { Tree } from "../prob/Tree.ts"
import type { Entry } from "./HallOfFame.ts"
import type { WorkingResponse } from "../evidence/workingResponse.ts"

/**
 * A fit that leaves less than the first share of the sum of squares of y unexplained, by sums of squares, may be exact. It is
 * when orthogonal columns leave less than the second, and one with many fitted numbers inside of its terms less than the third: a rational function of ten
 * numbers is within 1e-8 of any smooth law.
 */
const shares = { single: 1e-10, double: 1e-16, many: 1e-24 }
/** The fitted numbers inside of terms that are not many. */
const few = 4

/** Rows as an exact fit is judged on them: columns of trees in float64, y, and the working responses. */
export interface Rows {
  readonly columns: Columns.Columns
  readonly y: Float64Array
  /** undefined where a link is not defined on these rows */
  readonly working: (response: number) => WorkingResponse | undefined
}

/** Where an ensemble is the law itself, on data without noise. */
export type Exact = "nowhere" | "here" | "everywhere"

/**
 * Whether an ensemble explains all of y on some rows, as double precision has it.
 *
 * @param relative whether the errors are relative to y, row by row, as under noise in proportion to y
 * @param share of the sum of squares
 */
const leavesNothing = (
  trees: ReadonlyArray<Tree>,
  response: number,
  { columns, y, working }: Rows,
  relative: boolean,
  share: number,
): boolean => {
  const respond = working(response)?.respond
  if (respond === undefined) return false
  const { z, w } = respond(undefined)
  const by = relative ? w.map((value, i) => (y[i] === 0 ? 0 : value / Math.abs(y[i]!))) : w
  const weigh = (column: Float64Array): Float64Array => column.map((value, i) => value * by[i]!)
  const design = trees.map((tree) => weigh(columns.column(tree).values))
  const size = relative ? y.length : GPrior.tssOf(y)
  return leastSquares([by, ...design], weigh(z)).rss <= share * size
}

/**
 * Judges ensembles, the latest of which it remembers.
 *
 * @param here the rows that a search looks at, `everywhere` all of them
 * @param weights the weights of the rows of the search
 */
export const judge = (
  here: Rows,
  everywhere: () => Rows,
  treeOf: (id: number) => Tree,
  weights: () => RowWeights | undefined = () => undefined,
): ((best: Entry) => Exact) => {
  const square = (by: Float64Array | undefined): number =>
    here.y.reduce((sum, value, i) => sum + (value * (by?.[i] ?? 1)) ** 2, 0)
  const exact = ({ rss, response, trees: ids, numbers }: Entry): Exact => {
    const by = weights()?.by
    if (!(rss <= shares.single * square(by))) return "nowhere"
    const trees = ids.map(treeOf)
    const share = numbers > few ? shares.many : shares.double
    const on = (rows: Rows): boolean => {
      const found = leavesNothing(trees, response, rows, false, share)
      return found && (by === undefined || leavesNothing(trees, response, rows, true, share))
    }
    if (!on(here)) return "nowhere"
    const all = everywhere()
    return here === all || on(all) ? "everywhere" : "here"
  }
  let judged: { readonly best: Entry; readonly exact: Exact } | undefined
  return (best) => {
    if (judged?.best !== best) judged = { best, exact: exact(best) }
    return judged.exact
  }
}
