import { length } from "../numeric/collinearity.ts"
import * as Real from "../numeric/Real.ts"
import type { Assessment } from "./Assessment.ts"
import { mean } from "./posteriorMeans.ts"

/** Terms may be this many times as large as their sum at no price. */
const usual = 10

/**
 * The log prior of coefficients whose terms cancel. Terms of independent sizes and signs cancel to a share 1 / R of the largest with a probability of
 * about 1 / R, which a g-prior does not know: it has the shape of the design, in which 8e5 (exp(1/x^2) - 1/x^2 - 1) costs no more than 4e5 / x^4.
 *
 * @param lengths of the terms with their free coefficients, around their means
 * @param whole of their sum
 * @returns minus log (R / 10) where the largest term is R > 10 times as large as the sum, else 0
 */
export const logCancellation = (lengths: ReadonlyArray<number>, whole: number): number =>
  whole > 0 ? -Real.log(Math.max(1, Math.max(0, ...lengths) / (usual * whole))) : 0

/** An assessment of terms on all rows with the log prior of coefficients whose terms cancel. */
export const considered = (
  found: Assessment | undefined,
  columns: ReadonlyArray<Float64Array>,
): Assessment | undefined => {
  // One term does not cancel.
  if (found === undefined || columns.length < 2) return found
  const [, ...coefficients] = found.leastSquares()
  const terms = columns.map((column, k) => {
    const centre = mean(column)
    return column.map((value) => coefficients[k]! * (value - centre))
  })
  const whole = columns[0]!.map((_, i) => terms.reduce((sum, term) => sum + term[i]!, 0))
  const change = logCancellation(terms.map(length), length(whole))
  if (change === 0) return found
  const { others } = found
  return {
    ...found,
    logEvidence: found.logEvidence + change,
    linkEvidence: () => found.linkEvidence() + change,
    ...(others && { others: () => considered(others(), columns) }),
  }
}
