/** The least and the largest of some values. */
export interface Extremes {
  readonly low: number
  readonly high: number
}

/** The least and the largest finite values of columns; undefined where no value is finite. */
export const extremes = (...columns: ReadonlyArray<Float64Array>): Extremes | undefined => {
  let [low, high] = [Infinity, -Infinity]
  for (const column of columns)
    for (const value of column) {
      if (!Number.isFinite(value)) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  return low <= high ? { low, high } : undefined
}
