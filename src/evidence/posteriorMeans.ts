export const mean = (column: Float64Array): number =>
  column.reduce((sum, value) => sum + value, 0) / column.length

/** Slopes times 1 - leftover, with the intercept changed so that the fit at the centres stays the same. */
export const shrink = (
  coefficients: Float64Array,
  centres: ArrayLike<number>,
  leftover: number,
): Float64Array => {
  const out = coefficients.slice()
  for (let k = 1; k < out.length; k++) {
    out[0]! += leftover * coefficients[k]! * centres[k - 1]!
    out[k] = (1 - leftover) * coefficients[k]!
  }
  return out
}
