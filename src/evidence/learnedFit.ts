import type * as Constant from "../prob/Constant.ts"
import type { Tree } from "../prob/Tree.ts"
import * as GPrior from "./gPrior.ts"
import type { Learned } from "./learned.ts"
import * as Climb from "./learnedClimb.ts"
import * as Prior from "./learnedPrior.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import { dot } from "../numeric/orthogonal.ts"

/** A law fitted with numbers held. */
export interface Fit {
  readonly rss: number
  /** the number of linearly independent columns beside the intercept's */
  readonly rank: number
  /** least squares, intercept first */
  readonly coefficients: Float64Array
  /** y less the fit, length n, on the scale of the noise */
  readonly residual: Float64Array
  /** the derivative of the fit by the linear part, length n */
  readonly slopes: Float64Array
}

/** Trees with their numbers learned. */
export interface Refined {
  /** The trees with the numbers of highest posterior density, to a thousandth of their posterior deviations. */
  readonly trees: ReadonlyArray<Tree>
  /** the numbers, each once, and their posterior standard deviations */
  readonly numbers: Float64Array
  readonly deviations: Float64Array
  /**
   * log of the integral over the numbers of prior times evidence, less the log evidence at the numbers above: Laplace's
   * approximation, and the prior of which occurrences share a number.
   */
  readonly logVolume: number
}

/** A derivative with less than this share outside of the span of what coefficients move lies in it. */
const dependent = 1e-10

/**
 * Learns the numbers of trees by Levenberg and Marquardt's steps uphill in the posterior density of the numbers, from where
 * they stand. Coefficients and noise are integrated out at every point (`GPrior`), so that the evidence is a function f of
 * rss(c) alone; with J the derivatives of the fit by the numbers, outside of the span of what the coefficients move,
 *
 *     d f / d c = lambda J'e,   - d^2 f / d c^2 = lambda J'J,   lambda = -2 d f / d rss
 *
 * the second up to the curvature of the fit (Gauss and Newton; Kaufman 1975 for the projection).
 *
 * @param fit the law given its columns; undefined where it is none
 * @param priorOf the prior of numbers of a terminal
 * @returns undefined when there is no fit where the numbers stand, or they lie outside of the support
 */
export const refine = (
  learned: Learned,
  fit: (columns: ReadonlyArray<Float64Array>) => Fit | undefined,
  target: GPrior.Target,
  priorOf: (terminal: number) => Constant.Learned,
): Refined | undefined => {
  const evidence: Climb.Evidence = (duals) => {
    const count = learned.start.length
    const columns = duals.map(({ values }) => values)
    const fitted = fit(columns)
    if (fitted === undefined) return undefined
    const { rss, rank, coefficients, residual, slopes } = fitted
    const { logBayesFactor, slope } = GPrior.posterior({ ...target, rank, rss })
    const lambda = (-2 * slope) / Math.max(rss + target.rounding, Number.MIN_VALUE)
    const design = [slopes, ...columns.map((column) => column.map((value, i) => value * slopes[i]!))]
    const derivatives = Array.from({ length: count }, (_, j) => {
      const sum = new Float64Array(residual.length)
      duals.forEach((dual, k) => {
        const by = dual.slopes[j]
        if (by === undefined) return
        for (let i = 0; i < sum.length; i++) sum[i]! += coefficients[k + 1]! * slopes[i]! * by[i]!
      })
      if (!sum.every((value) => Math.abs(value) < 1e100)) return undefined
      const { residual: outside, rss: left } = leastSquares(design, sum)
      // What rounding leaves of a derivative that coefficients can follow is no information.
      return left > dependent ** 2 * dot(sum, sum) ? outside : new Float64Array(sum.length)
    })
    const sound = derivatives.flatMap((one) => one ?? [])
    if (sound.length < count) return undefined
    return {
      height: logBayesFactor,
      gradient: Float64Array.from(sound, (one) => lambda * dot(one, residual)),
      information: Float64Array.from(sound.flatMap((a) => sound.map((b) => lambda * dot(a, b)))),
    }
  }
  const summit = Climb.climb(learned, evidence, priorOf)
  if (summit === undefined) return undefined
  const { numbers, precision } = summit.point
  return {
    trees: learned.trees(numbers),
    numbers,
    deviations: summit.deviations,
    logVolume: Climb.logVolume(summit, precision) + sharing(learned),
  }
}

/** The prior of shared numbers, terminal by terminal. */
const sharing = ({ terminals, occurrences }: Learned): number =>
  [...new Set(terminals)].reduce(
    (sum, terminal) => sum + Prior.logSharing(occurrences.filter((_, j) => terminals[j] === terminal)),
    0,
  )
