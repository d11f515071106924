import * as Real from "./Real.ts"

const largest = (values: ReadonlyArray<number>): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity)

/** log sum_i exp(values_i) of natural logarithms, minus infinity for a number that is 0. */
export const logSumExp = (values: ReadonlyArray<number>): number => {
  const most = largest(values)
  if (most === -Infinity) return most
  let sum = 0
  for (const value of values) sum += Real.exp(value - most)
  return most + Real.log(sum)
}

/**
 * Probabilities from their natural logarithms, known up to a constant: exp(values_i) / sum_j exp(values_j). None is above 1 by
 * rounding, however large the logarithms are. All 0 where all logarithms are minus infinity.
 */
export const normalised = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const most = largest(values)
  if (most === -Infinity) return values.map(() => 0)
  const weights = values.map((value) => Real.exp(value - most))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
