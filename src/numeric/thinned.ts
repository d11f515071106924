/** Columns with values at equal distances alone, from the first on: at most a given number of them. */
export const thinned = (rows: number, most: number): ((column: Float64Array) => Float64Array) => {
  const step = Math.max(1, Math.ceil(rows / most))
  return (column) => column.filter((_, i) => i % step === 0)
}
