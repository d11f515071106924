import { leastSquares } from "../../numeric/leastSquares.ts"
import { dot } from "../../numeric/orthogonal.ts"
import { largest } from "../columns.ts"
import type { Dual } from "./ParametricTrees.ts"
import { allBelow } from "../../numeric/finite.ts"

/**
 * A derivative with less than this fraction of its length outside of the span of the coefficients' directions lies in
 * the span.
 */
const dependent = 1e-10

/**
 * The derivatives of b_0 + sum_k b_k f_k(x, c) by the constants c.
 *
 * @param count the number of constants q
 * @param coefficients b_1 ... b_K, without the intercept
 * @returns q columns of length n, of their own
 */
export const derivatives = (
  count: number,
  duals: ReadonlyArray<Dual>,
  coefficients: Float64Array,
): ReadonlyArray<Float64Array> =>
  Array.from({ length: count }, (_, j) => {
    const sum = new Float64Array(duals[0]!.values.length)
    duals.forEach(({ slopes }, k) => {
      const slope = slopes[j]
      if (slope === undefined) return
      for (let i = 0; i < sum.length; i++) sum[i]! += coefficients[k]! * slope[i]!
    })
    return sum
  })

/**
 * The derivatives of a fit by the constants inside of its columns, projected out of the span of the coefficients' directions
 * (variable projection; Kaufman 1975): J in the Gauss-Newton approximation of the fit as a function of the constants alone.
 *
 * @param count the number of constants q
 * @param coefficients of the columns, intercept first
 * @param slopes the weight of each row: the derivative of the fit by the linear part, length n
 * @returns q columns of length n; undefined where a derivative is not finite
 */
export const projectedDerivatives = (
  count: number,
  duals: ReadonlyArray<Dual>,
  coefficients: Float64Array,
  slopes: Float64Array,
): ReadonlyArray<Float64Array> | undefined => {
  const design = [slopes, ...duals.map(({ values }) => values.map((value, i) => value * slopes[i]!))]
  const found = derivatives(count, duals, coefficients.subarray(1)).map((slope) => {
    const sum = slope.map((value, i) => value * slopes[i]!)
    if (!allBelow(sum, largest)) return undefined
    const { residual, rss } = leastSquares(design, sum)
    // The remainder of a derivative that the coefficients absorb is rounding error, not information.
    return rss > dependent ** 2 * dot(sum, sum) ? residual : new Float64Array(sum.length)
  })
  const sound = found.flatMap((one) => one ?? [])
  return sound.length === count ? sound : undefined
}
