import * as Real from "../../numeric/Real.ts"

/** log sd(y) - mean log |y| over rows other than 0, in nats: how little most rows have to say under equal weights. */
export const of = (y: Float64Array): number => {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length
  const deviation = Math.sqrt(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / y.length)
  let [logs, counted] = [0, 0]
  for (const value of y) {
    if (value === 0) continue
    logs += Real.log(Math.abs(value))
    counted++
  }
  return Real.log(deviation) - logs / counted
}

/** Nats from which on laws found under equal weights tell nothing of most rows, so that weights that follow these laws do not, either. */
const decades = 3

/** Whether values span orders of magnitude, so that a law that fits under equal weights is a law of few rows. */
export const spansDecades = (y: Float64Array): boolean => of(y) > decades
