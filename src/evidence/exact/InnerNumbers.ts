import { leastSquares } from "../../numeric/leastSquares.ts"
import { dependent } from "../../numeric/collinearity.ts"
import { allBelow } from "../../numeric/finite.ts"
import { dot } from "../../numeric/orthogonal.ts"
import { derivatives } from "../fitted/derivatives.ts"
import type { ParametricTrees } from "../fitted/ParametricTrees.ts"
import { significant } from "../../numeric/significant.ts"
import type { ConstantSelection } from "./ConstantSelection.ts"
import * as Exact from "./Exact.ts"
import { free } from "./Hypothesis.ts"
import type { Tree } from "../../prob/Tree.ts"
import { largest } from "../columns.ts"
import { problem, type Regression, times } from "../responseFit.ts"

/**
 * The fitted numbers inside of the terms of a law, to first order. Coefficients are known less well where these numbers make up for them: of
 * a exp(b x) - a the data may say a = 1.06 ± 0.001 for the fitted b, and 1.0 ± 0.1 for any. So the numbers have columns of their own beside those of
 * the coefficients, and move with a hypothesis about these.
 */
export interface InnerNumbers {
  readonly values: Float64Array
  /**
   * The derivatives of the linear part by each number, length n each.
   *
   * @param coefficients of the trees, intercept first
   */
  readonly derivatives: (coefficients: Float64Array) => ReadonlyArray<Float64Array>
  /** The trees with other values of their numbers. */
  readonly trees: (values: ArrayLike<number>) => ReadonlyArray<Tree>
}

/** The fitted numbers of trees. */
export const of = ({ start, trees, duals }: ParametricTrees): InnerNumbers => ({
  values: start,
  trees,
  derivatives: (coefficients) => derivatives(start.length, duals(start), coefficients.subarray(1)),
})

/** The places of columns that lie outside of the span of a design and of each other, linearised at coefficients of the design. */
const independent = (
  regression: Regression,
  start: Float64Array,
  columns: ReadonlyArray<Float64Array>,
): ReadonlyArray<number> => {
  if (columns.length === 0) return []
  const point = problem(regression).at(start)
  if (point === undefined) return []
  const span = regression.design.map((column) => times(column, point.slopes))
  return columns.flatMap((column, j) => {
    const weighted = times(column, point.slopes)
    if (!allBelow(weighted, largest)) return []
    if (!(leastSquares(span, weighted).rss > dependent * dot(weighted, weighted))) return []
    span.push(weighted)
    return [j]
  })
}

/** The numbers that a regression determines beside its coefficients. */
export interface Beside {
  /** their derivatives on the rows of the regression: further columns of its design */
  readonly columns: ReadonlyArray<Float64Array>
  readonly values: ReadonlyArray<number>
  /** The trees with these moved: exact ones to their values, and free ones by a share of their moves. */
  readonly moved: (moves: ConstantSelection["inner"], share: number) => ReadonlyArray<Tree>
}

/**
 * @param coefficients of the trees, intercept first
 * @param start coefficients of the regression's design
 * @param pick the rows of the regression, of a column of all rows
 */
export const beside = (
  inner: InnerNumbers,
  coefficients: Float64Array,
  regression: Regression,
  start: Float64Array,
  pick: (column: Float64Array) => Float64Array,
): Beside => {
  const columns = inner.derivatives(coefficients).map(pick)
  const places = independent(regression, start, columns)
  return {
    columns: places.map((j) => columns[j]!),
    values: places.map((j) => inner.values[j]!),
    moved: (moves, share) => {
      const all = inner.values.slice()
      places.forEach((j, k) => {
        const { state, by, error } = moves[k] ?? { state: free, by: 0, error: Infinity }
        // An exact number is that number to the last digit.
        all[j] = state._tag === "Fixed" ? Exact.value(state.exact) : significant(all[j]! + share * by, error)
      })
      return inner.trees(all)
    },
  }
}
