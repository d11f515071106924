/** The q-quantile of numbers: the nearest order statistic. */
export const quantile = (values: Iterable<number>, q: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.round(q * (sorted.length - 1))]!
}

export const median = (values: Iterable<number>): number => quantile(values, 0.5)

/** What a contender that is timed many times in one process reports: quantiles of 50, 10 and 90 %. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export const spread = (values: ReadonlyArray<number>): Spread => ({
  median: median(values),
  low: quantile(values, 0.1),
  high: quantile(values, 0.9),
})

/** Of several processes: the median of the medians, and the range from the lowest low to the highest high. */
export const pool = (spreads: ReadonlyArray<Spread>): Spread => ({
  median: median(spreads.map((one) => one.median)),
  low: Math.min(...spreads.map((one) => one.low)),
  high: Math.max(...spreads.map((one) => one.high)),
})

/** Of numbers, one from a process: their median, and the range of all. */
export const range = (values: ReadonlyArray<number>): Spread => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
})
