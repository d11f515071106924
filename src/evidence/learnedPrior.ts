import { logSumExp, normalised } from "../numeric/logSum.ts"
import type { Learned, Scale } from "../prob/Constant.ts"
import * as Dist from "../prob/Dist.ts"

/** The log density of numbers together, with its derivatives. */
export interface Joint {
  /** minus infinity outside of the support */
  readonly log: number
  /** length q */
  readonly slope: Float64Array
  /** minus the second derivatives, or more where the integral of the prior would exceed 1 by Laplace's approximation: q x q */
  readonly precision: Float64Array
}

/** Numbers that are independent of the others: one, or those that share a scale. */
interface Group {
  readonly prior: Learned
  readonly places: ReadonlyArray<number>
  readonly scale: Scale | undefined
}

/**
 * The prior of numbers: independent, but for those of a constant with a latent scale (`Constant.hierarchical`), whose scale is
 * integrated out for all of them together:
 *
 *     log sum_m w_m prod_j p(c_j | s_m)
 *
 * @param terminals of which constant each number is
 */
export const joint = (
  terminals: ReadonlyArray<number>,
  priorOf: (terminal: number) => Learned,
): ((numbers: ArrayLike<number>) => Joint) => {
  const count = terminals.length
  const groups = terminals.flatMap((terminal, place): ReadonlyArray<Group> => {
    const prior = priorOf(terminal)
    const places = terminals.flatMap((one, other) => (one === terminal ? [other] : []))
    // With one number the latent scale is integrated out in its own prior.
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
        precision[first * (count + 1)] = Math.max(-own.curvature, flat(own.log))
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
 * The precision at which Laplace's approximation of the integral of a density is 1, from its logarithm. A prior that bends less
 * would have a number that changes nothing earn more than nothing.
 */
const flat = (log: number): number => (log > -Infinity ? 2 * Math.PI * Math.exp(2 * log) : 0)

/** The prior of numbers that share a latent scale. */
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
    // What is less than the rounding of the sum needs no derivatives.
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
  const least = count * Math.log(2 * Math.PI) + 2 * log
  if (logDeterminantOf(precision, count) >= least) return { log, slope, precision }
  // Each as precise as by itself, all by a factor that makes the integral 1.
  const alone = numbers.map((x) => logSumExp(points.map((one) => one.logWeight + one.given.logDensity([x]))))
  const excess = (log - alone.reduce((sum, one) => sum + one, 0)) / count
  const diagonal = new Float64Array(count * count)
  alone.forEach((one, j) => (diagonal[j * (count + 1)] = flat(one + excess)))
  return { log, slope, precision: diagonal }
}

/** By elimination; minus infinity when it meets a pivot that is not positive. */
const logDeterminantOf = (matrix: Float64Array, count: number): number => {
  let log = 0
  const left = matrix.slice()
  for (let j = 0; j < count; j++) {
    const pivot = left[j * (count + 1)]!
    if (!(pivot > 0)) return -Infinity
    log += Math.log(pivot)
    for (let row = j + 1; row < count; row++) {
      const factor = left[row * count + j]! / pivot
      for (let k = j; k < count; k++) left[row * count + k]! -= factor * left[j * count + k]!
    }
  }
  return log
}

/**
 * The log probability of which occurrences share a number, when each new one is a number of its own with weight 1 and
 * any earlier one's with weight 1 (Blackwell and MacQueen 1973): prod (m_j - 1)! / m! for occurrences m_j of each number
 * and m of all.
 */
export const logSharing = (occurrences: ReadonlyArray<number>): number => {
  let log = 0
  let all = 0
  for (const count of occurrences) {
    for (let i = 2; i < count; i++) log += Math.log(i)
    all += count
  }
  for (let i = 2; i <= all; i++) log -= Math.log(i)
  return log
}
