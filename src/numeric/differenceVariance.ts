/** The variance of the noise of a response. */
export type Variance = (z: Float64Array, w: Float64Array) => number

/**
 * The variance of the noise of z around a smooth function of u that is not known, by the differences of each value from the line through its neighbours
 * (Gasser, Sroka and Jennen-Steinmetz 1986). Its standard deviation is 2 / sqrt(n) of it, of n values.
 *
 * @param u length n; where values are equal the line is through the middle
 * @returns sigma^2 of z, length n, where the noise of a row has variance sigma^2 / w^2, w > 0; infinite with fewer than three values
 */
export const differenceVariance = (u: Float64Array): Variance => {
  const order = Int32Array.from(u.keys()).sort((a, b) => u[a]! - u[b]!)
  const last = order.length - 1
  // The share of the earlier neighbour in the line at each value.
  const shares = Float64Array.from(order, (here, k) => {
    if (k === 0 || k === last) return 0
    const [before, after] = [u[order[k - 1]!]!, u[order[k + 1]!]!]
    return after > before ? (after - u[here]!) / (after - before) : 0.5
  })
  return (z, w) => {
    let sum = 0
    for (let k = 1; k < last; k++) {
      const [before, here, after] = [order[k - 1]!, order[k]!, order[k + 1]!]
      const [a, b] = [shares[k]!, 1 - shares[k]!]
      const difference = z[here]! - a * z[before]! - b * z[after]!
      const variance = 1 / w[here]! ** 2 + (a / w[before]!) ** 2 + (b / w[after]!) ** 2
      sum += (difference * difference) / variance
    }
    return last < 2 ? Infinity : sum / (last - 1)
  }
}
