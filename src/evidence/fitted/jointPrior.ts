import { pivots } from "../../numeric/elimination.ts"
import { logSumExp, normalised } from "../../numeric/logSum.ts"
import * as Real from "../../numeric/Real.ts"
import type { Fitted, Scale } from "../../prob/Constant.ts"
import * as Dist from "../../prob/Dist.ts"

/** The joint log density of q fitted constants, with its derivatives. */
export interface Joint {
  /** minus infinity outside of the support */
  readonly log: number
  /** length q */
  readonly slope: Float64Array
  /**
   * Minus the second derivatives, q x q row-major, raised where Laplace's approximation of the prior's integral would
   * exceed 1. The precision of a single constant is at least 2 pi p(c)^2.
   */
  readonly precision: Float64Array
}

/** Constants that are independent of all others a priori: a single one, or those that share a latent scale. */
interface Group {
  readonly prior: Fitted
  readonly places: ReadonlyArray<number>
  readonly scale: Scale | undefined
}

/**
 * The joint prior of fitted constants. They are independent, except for those of a terminal with a latent scale
 * (`Constant.hierarchical`), whose scale is integrated out for all of them together:
 *
 *     log sum_m w_m prod_j p(c_j | s_m)
 *
 * @param terminals the terminal of each constant, length q
 * @param priorOf the prior of the constants of a terminal
 * @param flat whether the constants of a terminal have no prior here: their density is 1, and their precision 0
 */
export const joint = (
  terminals: ReadonlyArray<number>,
  priorOf: (terminal: number) => Fitted,
  flat: (terminal: number) => boolean = () => false,
): ((numbers: ArrayLike<number>) => Joint) => {
  const count = terminals.length
  const groups = terminals.flatMap((terminal, place): ReadonlyArray<Group> => {
    if (flat(terminal)) return []
    const prior = priorOf(terminal)
    const places = terminals.flatMap((one, other) => (one === terminal ? [other] : []))
    // The prior of a single constant has the latent scale integrated out already.
    if (prior.scale === undefined || places.length === 1)
      return [{ prior, places: [place], scale: undefined }]
    return place === places[0] ? [{ prior, places, scale: prior.scale }] : []
  })
  return (numbers) => {
    let log = 0
    const slope = new Float64Array(count)
    const precision = new Float64Array(count * count)
    for (const { prior, places, scale } of groups) {
      const [first = 0] = places
      if (scale === undefined) {
        const own = Dist.derivatives(prior.prior, numbers[first]!)
        log += own.log
        slope[first] = own.slope
        precision[first * (count + 1)] = Math.max(-own.curvature, least(own.log))
        continue
      }
      const own = sharing(
        scale,
        places.map((place) => numbers[place]!),
      )
      log += own.log
      places.forEach((a, j) => {
        slope[a] = own.slope[j]!
        places.forEach((b, k) => (precision[a * count + b] = own.precision[j * places.length + k]!))
      })
    }
    return { log, slope, precision }
  }
}

/**
 * The precision 2 pi p^2 at which Laplace's approximation of the integral of a density is 1, from log p. With a smaller
 * precision a constant without effect on the fit would raise the evidence.
 */
const least = (log: number): number => (log > -Infinity ? 2 * Math.PI * Real.exp(2 * log) : 0)

/** The joint prior of constants that share a latent scale. */
const sharing = ({ points }: Scale, numbers: ReadonlyArray<number>): Joint => {
  const count = numbers.length
  const slope = new Float64Array(count)
  const precision = new Float64Array(count * count)
  const logs = points.map(({ given, logWeight }) =>
    numbers.reduce((sum, x) => sum + given.logDensity([x]), logWeight),
  )
  const log = logSumExp(logs)
  if (log === -Infinity) return { log, slope, precision }
  normalised(logs).forEach((share, m) => {
    // Shares below the rounding of the sum need no derivatives.
    if (share < Number.EPSILON) return
    const each = numbers.map((x) => Dist.derivatives(points[m]!.given, x))
    each.forEach((a, j) => {
      slope[j]! += share * a.slope
      precision[j * (count + 1)]! -= share * a.curvature
      each.forEach((b, k) => (precision[j * count + k]! -= share * a.slope * b.slope))
    })
  })
  for (let j = 0; j < count; j++)
    for (let k = 0; k < count; k++) precision[j * count + k]! += slope[j]! * slope[k]!
  const bound = count * Real.log(2 * Math.PI) + 2 * log
  if (logDeterminantOf(precision) >= bound) return { log, slope, precision }
  // A diagonal precision in the proportions of the marginal priors, scaled so that the integral is 1.
  const alone = numbers.map((x) => logSumExp(points.map((one) => one.logWeight + one.given.logDensity([x]))))
  const excess = (log - alone.reduce((sum, one) => sum + one, 0)) / count
  const diagonal = new Float64Array(count * count)
  alone.forEach((one, j) => (diagonal[j * (count + 1)] = least(one + excess)))
  return { log, slope, precision: diagonal }
}

/** The log determinant of a symmetric matrix; minus infinity for one that is not positive definite. */
const logDeterminantOf = (matrix: Float64Array): number =>
  pivots(matrix).reduce((sum, pivot) => sum + Real.log(pivot), 0)

/**
 * The log probability of a partition of leaves into constants, by Blackwell and MacQueen's urn (1973) with weight 1:
 * prod_j (m_j - 1)! / m!, where constant j has m_j leaves, and m is the number of all leaves.
 *
 * @param occurrences m_j, the number of leaves of each constant
 */
export const logSharing = (occurrences: ReadonlyArray<number>): number => {
  let log = 0
  let all = 0
  for (const count of occurrences) {
    for (let i = 2; i < count; i++) log += Real.log(i)
    all += count
  }
  for (let i = 2; i <= all; i++) log -= Real.log(i)
  return log
}
