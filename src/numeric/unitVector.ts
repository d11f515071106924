/** A vector with a single 1. */
export const unitVector = (length: number, at: number): Float64Array => {
  const out = new Float64Array(length)
  out[at] = 1
  return out
}
