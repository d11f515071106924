import type * as Constant from "../../prob/Constant.ts"
import type { Tree } from "../../prob/Tree.ts"
import { projectedDerivatives } from "./derivatives.ts"
import * as GPrior from "../gPrior.ts"
import type { ParametricTrees } from "./ParametricTrees.ts"
import * as PosteriorMode from "./PosteriorMode.ts"
import * as Prior from "./jointPrior.ts"
import { dependent } from "../../numeric/collinearity.ts"
import { pivots } from "../../numeric/elimination.ts"
import { dot } from "../../numeric/orthogonal.ts"

/** A law fitted at fixed values of its fitted constants. */
export interface Fit {
  readonly rss: number
  /** the number of linearly independent columns beside the intercept's */
  readonly rank: number
  /** least squares, intercept first */
  readonly coefficients: Float64Array
  /** y minus the fit, length n, on the scale of the noise */
  readonly residual: Float64Array
  /** the derivative of the fit by the linear part, length n */
  readonly slopes: Float64Array
}

export interface FittedTrees {
  /** The trees with the constants at their posterior mode, rounded to a thousandth of their posterior standard deviations. */
  readonly trees: ReadonlyArray<Tree>
  /** the constants, each once, and their posterior standard deviations */
  readonly numbers: Float64Array
  readonly deviations: Float64Array
  /**
   * log of the integral of prior times evidence over the constants (Laplace's approximation), minus the log evidence at
   * `numbers`, plus the log prior of the partition of leaves into constants (`jointPrior.logSharing`); in nats.
   */
  readonly logVolume: number
}

/**
 * Fits the constants c of trees by damped Gauss-Newton steps that raise their posterior density, from their values in the
 * trees. Coefficients and noise are integrated out at every point (`GPrior`), so that the evidence is a function f of
 * rss(c) alone. With e the residuals and J the derivatives of the fit by c, projected out of the span of the coefficients'
 * directions,
 *
 *     d f / d c = lambda J'e,   - d^2 f / d c^2 = lambda J'J,   lambda = -2 d f / d rss
 *
 * the second without the curvature of the fit (Gauss-Newton; Kaufman 1975 for the projection).
 *
 * @param fit the law fitted to given columns; undefined when there is no fit
 * @param priorOf the prior of the constants of a terminal
 * @returns undefined when there is no fit at the initial values, or these lie outside of the prior's support
 */
export const fitConstants = (
  parametric: ParametricTrees,
  fit: (columns: ReadonlyArray<Float64Array>) => Fit | undefined,
  target: GPrior.Target,
  priorOf: (terminal: number) => Constant.Fitted,
): FittedTrees | undefined => {
  const evidence: PosteriorMode.Evidence = (duals) => {
    const count = parametric.start.length
    const columns = duals.map(({ values }) => values)
    const fitted = fit(columns)
    if (fitted === undefined) return undefined
    const { rss, rank, coefficients, residual, slopes } = fitted
    const { logBayesFactor, slope } = GPrior.posterior({ ...target, rank, rss })
    const lambda = (-2 * slope) / Math.max(rss + target.rounding, Number.MIN_VALUE)
    const sound = projectedDerivatives(count, duals, coefficients, slopes)
    if (sound === undefined) return undefined
    return {
      height: logBayesFactor,
      gradient: Float64Array.from(sound, (one) => lambda * dot(one, residual)),
      information: Float64Array.from(sound.flatMap((a) => sound.map((b) => lambda * dot(a, b)))),
    }
  }
  const { terminals } = parametric
  const asCoefficient = (terminal: number): boolean => priorOf(terminal).asCoefficient === true
  const mode = PosteriorMode.find(parametric, evidence, priorOf, PosteriorMode.short, asCoefficient)
  if (mode === undefined) return undefined
  const { numbers, precision } = mode.point
  const free = terminals.flatMap((terminal, j) => (asCoefficient(terminal) ? [j] : []))
  const declared = terminals.flatMap((terminal, j) => (asCoefficient(terminal) ? [] : [j]))
  const fitted = free.length === 0 ? undefined : fit(parametric.values(numbers))
  return {
    trees: parametric.trees(numbers),
    numbers,
    deviations: mode.deviations,
    logVolume:
      (declared.length === 0 ? 0 : PosteriorMode.logVolume(mode, partOf(precision, declared))) +
      (fitted === undefined
        ? 0
        : GPrior.logFurther(
            { ...target, rank: fitted.rank, rss: fitted.rss },
            rankOf(partOf(precision, free)),
          )) +
      sharing(parametric),
  }
}

/** The rows and columns of a square matrix at some places. */
const partOf = (matrix: Float64Array, places: ReadonlyArray<number>): Float64Array => {
  const size = Math.round(Math.sqrt(matrix.length))
  return Float64Array.from(places.flatMap((j) => places.map((k) => matrix[j * size + k]!)))
}

/** The number of linearly independent columns of J, from J'J. */
const rankOf = (information: Float64Array): number =>
  pivots(information, dependent).filter((pivot) => pivot > 0).length

/** The log prior of the partition of leaves into constants, summed over terminals. */
export const sharing = ({ terminals, occurrences }: ParametricTrees): number =>
  [...new Set(terminals)].reduce(
    (sum, terminal) => sum + Prior.logSharing(occurrences.filter((_, j) => terminals[j] === terminal)),
    0,
  )
