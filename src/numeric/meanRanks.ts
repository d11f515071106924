import { dot } from "./orthogonal.ts"

/** Ranks from 1, the mean of equal values. */
export const meanRanks = (values: ArrayLike<number>): Float64Array => {
  const order = Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const out = new Float64Array(values.length)
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let i = from; i < to; i++) out[order[i]!] = (from + to + 1) / 2
    from = to
  }
  return out
}

/**
 * The correlation of the ranks of two columns of one length (Spearman 1904), times the root of that less 1: about standard normal where they are
 * independent. 0 where a column is constant.
 */
export const rankCorrelation = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  const middle = (a.length + 1) / 2
  const centred = (values: ArrayLike<number>): Float64Array => meanRanks(values).map((rank) => rank - middle)
  const [u, v] = [centred(a), centred(b)]
  const size = Math.sqrt(dot(u, u) * dot(v, v))
  return size === 0 ? 0 : (dot(u, v) / size) * Math.sqrt(a.length - 1)
}
