/**
 * The variance of the noise of a response z, length n, of whose rows each has its own.
 *
 * @param spread the variance of each row's noise as a multiple of sigma^2, length n
 * @param most where sigma^2 is more it is not asked for
 * @returns sigma^2; infinite where it is more than `most`, and with fewer than three values
 */
export type Variance = (z: Float64Array, spread: Float64Array, most?: number) => number

/**
 * The variance of the noise of z around a smooth function of u that is not known, by the differences of each value from the line through its neighbours
 * (Gasser, Sroka and Jennen-Steinmetz 1986). Its standard deviation is 2 / sqrt(n) of it, of n values.
 *
 * @param u length n; where values are equal the line is through the middle
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
  return (z, spread, most = Infinity) => {
    const enough = most * (last - 1)
    let sum = 0
    for (let k = 1; k < last && sum <= enough; k++) {
      const [before, here, after] = [order[k - 1]!, order[k]!, order[k + 1]!]
      const a = shares[k]!
      const b = 1 - a
      const difference = z[here]! - a * z[before]! - b * z[after]!
      sum += (difference * difference) / (spread[here]! + a * a * spread[before]! + b * b * spread[after]!)
    }
    return last < 2 || sum > enough ? Infinity : sum / (last - 1)
  }
}
