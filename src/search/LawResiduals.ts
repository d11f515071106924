import type { RowWeights } from "../evidence/Likelihood.ts"
import type { WorkingResponse } from "../evidence/workingResponse.ts"
import type { Claims } from "./Claims.ts"

/**
 * Residuals of laws on the scale of y, where the working response has them to first order around another mean. A row on which a law is not defined
 * has the residual of the mean of y.
 *
 * @param working the working responses, by response
 * @param y length n
 * @param weights the weights of the rows
 */
export const make = (
  working: ReadonlyArray<WorkingResponse>,
  y: Float64Array,
  weights: () => RowWeights | undefined,
): Omit<Claims, "leading"> => {
  const law = new Float64Array(y.length)
  const slope = new Float64Array(y.length)
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length
  const valuesOf = (response: number, eta: Float64Array): Float64Array => {
    working[response]!.back.run(eta, law, slope)
    return law
  }
  return {
    law: (response, eta) => valuesOf(response, eta).slice(),
    // The response of a density has residuals on the scale of its own linear part.
    areChecked: (response) => {
      const { fixed, rough } = working[response]!
      return !fixed && !rough
    },
    rss: (response, eta) => {
      const by = weights()?.by
      valuesOf(response, eta)
      let sum = 0
      for (let i = 0; i < y.length; i++)
        sum += ((by?.[i] ?? 1) * (y[i]! - (Number.isFinite(law[i]!) ? law[i]! : mean))) ** 2
      return sum
    },
  }
}
