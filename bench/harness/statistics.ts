/** The q-quantile of numbers: the nearest order statistic. */
export const quantile = (values: Iterable<number>, q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.round(q * (sorted.length - 1))]!
}

export const median = (values: Iterable<number>): number => quantile(values, 0.5)

/** What a contender that is timed many times in one process reports: quantiles of 50, 10 and 90 %. */
export interface Quantiles {
  readonly median: number
  readonly low: number
  readonly high: number
}

export const spread = (values: ReadonlyArray<number>): Quantiles => ({
  median: median(values),
  low: quantile(values, 0.1),
  high: quantile(values, 0.9),
})

/** Of several processes: the median of the medians, and the range from the lowest low to the highest high. */
export const pool = (spreads: ReadonlyArray<Quantiles>): Quantiles => ({
  median: median(spreads.map((one) => one.median)),
  low: Math.min(...spreads.map((one) => one.low)),
  high: Math.max(...spreads.map((one) => one.high)),
})

/** Of numbers, one from a process: their median, and the range of all. */
export const range = (values: ReadonlyArray<number>): Quantiles => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
})

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Standard deviation, n - 1; NaN of fewer than two. */
export const sd = (values: ReadonlyArray<number>): number => {
  const centre = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}

/** Two-sided exact sign test: the probability of pairs as uneven as b against c, were each as likely. */
export const signTest = (b: number, c: number): number => {
  const n = b + c
  let p = 0.5 ** n
  let sum = 0
  for (let k = 0; k <= Math.min(b, c); k++) {
    sum += p
    p *= (n - k) / (k + 1)
  }
  return Math.min(1, 2 * sum)
}
