import * as Real from "../../numeric/Real.ts"
import { triangle } from "../../numeric/triangle.ts"
import { unitVector } from "../../numeric/unitVector.ts"
import { free, originOf, type Problem, restriction, sigma, slopesOf } from "./Hypothesis.ts"
import { logFlat, logMassThere } from "./hypothesisPrior.ts"
import * as Restricted from "./restricted.ts"

/** Standard errors by which an exact number may be larger than the estimate, and by how much wider it is looked for: other numbers that are exact move it. */
const [further, wider] = [3, 2]
/** The number of exact numbers near an estimate that are looked at. */
const looked = 4

/**
 * By how many nats exact numbers can raise the log posterior of the hypothesis that all are free, at most. With F the free numbers of a hypothesis, n - |F|
 * its degrees of freedom and r_k the length of column k outside of the span of those before it, in any order,
 *
 *     log det (L_F) / 2 >= sum_{k in F} log r_k,   rss_F >= rss
 *
 * in the integral of the likelihood (`Restricted.Constrained`), so that an exact number b_k of log prior mass m_k earns log r_k + log(2 |b_k| log range) + m_k, and
 * the most that such numbers earn together is a bound. A number earns nothing where no exact number is near, nor one near a ratio to another coefficient.
 *
 * *When to use*: before a search for exact numbers, which takes a thousand times as long.
 */
export const reach = (problem: Problem): number => {
  const { target, geometry, prior, table, logarithmic, linear } = problem
  const d = geometry.estimate.length
  const slopes = slopesOf(problem)
  const freely = Restricted.constrain(target, geometry, restriction(Array.from({ length: d }, () => free)))
  // Nothing is known of numbers that the rows do not tell apart.
  if (freely === undefined) return Infinity
  const noise = sigma(problem)
  const width = Real.log(Real.log(prior.range))
  const [exactly, not] = [Real.log(prior.exact), Real.log1p(-prior.exact)]
  const at = (k: number): number => originOf(problem, k) + geometry.estimate[k]!
  /** The log prior mass of the most probable exact number near an estimate; minus infinity where there is none. */
  const near = (value: number, error: number): number =>
    table
      .near(value, wider * Math.max(noise * error, Number.MIN_VALUE), looked)
      .reduce((most, { logMass }) => Math.max(most, logMass), -Infinity)
  /** That of its ratio to one of the other coefficients, of which it may be a multiple. */
  const ratios = (k: number): number => {
    let most = -Infinity
    for (let other = 1; other <= slopes; other++) {
      const ratio = at(k) / at(other)
      if (other === k || !Number.isFinite(ratio)) continue
      const against = unitVector(d, k)
      against[other] = -ratio
      most = Math.max(most, near(ratio, freely.error(against) / Math.abs(at(other))))
    }
    return most
  }
  const errors = geometry.estimate.map((_, k) => freely.error(unitVector(d, k)))
  const earnsOf = (k: number): number => {
    const [value, error] = [at(k), errors[k]!]
    const size = Real.log(2 * (Math.abs(value) + further * noise * error)) + width
    if (k > slopes) return size + near(value, error) + exactly - not
    if (k > 0) return size + Math.max(near(value, error), ratios(k)) + exactly - not
    const flat = -logFlat(problem)
    const there = Real.log1p(-prior.zero)
    const tied = linear && slopes > 0 ? Real.log(2 * prior.tied) : -Infinity
    // Of a law without terms the intercept is the law, and of any size.
    const own = logarithmic ? width : d > 1 ? Math.min(flat, size) : size
    // A factor of 1 is an exact number, too.
    const none = Real.log(prior.zero + (logarithmic ? (1 - prior.zero) * prior.exact : 0))
    return (
      Math.max(flat + none, own + there + Math.max(exactly, tied)) - logMassThere(prior, slopes, linear) - not
    )
  }
  const numbers = Array.from({ length: d }, (_, k) => ({ k, earns: earnsOf(k) }))
  // Those that earn nothing come first: the others are outside of their span.
  const idle = numbers.filter(({ earns }) => earns === -Infinity)
  const others = numbers.filter(({ earns }) => earns > -Infinity)
  /** What each of the others earns in an order; undefined where the rows do not tell them apart. */
  const earned = (order: ReadonlyArray<(typeof numbers)[number]>): ReadonlyArray<number> | undefined => {
    const columns = idle.map(({ k }) => geometry.design[k]!)
    let before = triangle(columns)?.logDeterminant
    const nats: Array<number> = []
    for (const { k, earns } of order) {
      columns.push(geometry.design[k]!)
      const after = triangle(columns)?.logDeterminant
      if (after === undefined || before === undefined) return undefined
      nats.push(earns + after - before)
      before = after
    }
    return nats
  }
  const freedom = (exact: number): number => Restricted.logOfNoise(target, d - exact, geometry.rss)
  const together = (nats: ReadonlyArray<number>): number => {
    let [sum, most] = [0, 0]
    nats
      .toSorted((a, b) => b - a)
      .forEach((own, count) => {
        sum += own
        most = Math.max(most, sum + freedom(count + 1) - freedom(0))
      })
    return most
  }
  // Each order gives a bound.
  const orders = [others, others.toReversed(), others.toSorted((a, b) => a.earns - b.earns)]
  return orders.reduce((least, order) => {
    const nats = earned(order)
    return nats === undefined ? least : Math.min(least, together(nats))
  }, Infinity)
}
