import type * as Constant from "../../declare/Constant.ts"
import type { Tree } from "../../declare/Tree.ts"
import * as Cholesky from "./cholesky.ts"
import * as GPrior from "./gPrior.ts"
import type { Learned } from "./learned.ts"
import * as Prior from "./learnedPrior.ts"
import { leastSquares } from "./leastSquares.ts"
import { dot } from "./orthogonal.ts"

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

/** Steps: numbers that a search has found take three or four, and what does not fit needs no better answer. */
const most = 12
/** Nats that another step is about to gain when the search ends. */
const enough = 1e-9
/** A derivative with less than this share outside of the span of what coefficients move lies in it. */
const dependent = 1e-10

/** A point of the search. */
interface Point {
  readonly numbers: Float64Array
  /** log evidence, up to the null model's, and log prior */
  readonly height: number
  /** derivatives of the height; minus the second ones after Gauss and Newton */
  readonly gradient: Float64Array
  readonly precision: Float64Array
}

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
  const { start, terminals } = learned
  const count = start.length
  const priors = terminals.map(priorOf)

  const at = (numbers: Float64Array): Point | undefined => {
    const prior = priors.map((one, j) => Prior.at(one, numbers[j]!))
    if (!prior.every(({ log }) => log > -Infinity)) return undefined
    const duals = learned.duals(numbers)
    const columns = duals.map(({ values }) => values)
    const fitted = columns.every((column) => column.every((value) => Math.abs(value) < 1e15))
      ? fit(columns)
      : undefined
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
    const precision = new Float64Array(count * count)
    sound.forEach((a, j) =>
      sound.forEach((b, k) => {
        // A prior that bends the other way does not make a posterior wider than the likelihood.
        const own = j === k ? Math.max(0, -prior[j]!.curvature) : 0
        precision[j * count + k] = lambda * dot(a, b) + own
      }),
    )
    return {
      numbers,
      height: logBayesFactor + prior.reduce((sum, { log }) => sum + log, 0),
      gradient: Float64Array.from(sound, (one, j) => lambda * dot(one, residual) + prior[j]!.slope),
      precision,
    }
  }

  const cholesky = Cholesky.make(count)
  const step = new Float64Array(count)
  const begun = at(start)
  if (begun === undefined) return undefined
  let found: Point = begun
  let damping = 0
  for (let i = 0; i < most && damping < 1e12; i++) {
    const { gradient, precision, numbers, height } = found
    const raised = precision.map((value, place) =>
      place % (count + 1) === 0 ? value * (1 + damping) || Number.MIN_VALUE : value,
    )
    Cholesky.decompose(raised, cholesky)
    Cholesky.solve(cholesky, gradient, step)
    if (!(dot(step, gradient) > enough)) break
    const next = numbers.map((value, j) => value + step[j]!)
    const there = next.every(Number.isFinite) ? at(next) : undefined
    if (there !== undefined && there.height > height) {
      found = there
      damping /= 10
    } else damping = Math.max(1e-3, 10 * damping)
  }
  const deviations = deviationsOf(found.precision, count)
  const tidy = found.numbers.map((value, j) => tidied(value, deviations[j]!))
  const settled = at(tidy) ?? found
  const logDeterminant = Cholesky.decompose(settled.precision, cholesky)
  const logPrior = priors.reduce((sum, one, j) => sum + Prior.at(one, settled.numbers[j]!).log, 0)
  return {
    trees: learned.trees(settled.numbers),
    numbers: settled.numbers,
    deviations,
    logVolume: logPrior + (count / 2) * Math.log(2 * Math.PI) - logDeterminant / 2 + sharing(learned),
  }
}

/** Roots of the diagonal of the inverse of a precision. */
const deviationsOf = (precision: Float64Array, count: number): Float64Array => {
  const cholesky = Cholesky.make(count)
  Cholesky.decompose(precision, cholesky)
  return Float64Array.from({ length: count }, (_, j) => {
    const unit = new Float64Array(count)
    unit[j] = 1
    Cholesky.solve(cholesky, unit, unit)
    return Math.sqrt(unit[j])
  })
}

/** A number without digits below a thousandth of its deviation, as decimal notation has it. */
const tidied = (value: number, deviation: number): number => {
  const digits = Math.ceil(Math.log10(Math.abs(value) / deviation)) + 4
  return Number.isFinite(digits) ? Number(value.toPrecision(Math.min(17, Math.max(1, digits)))) : value
}

/** The prior of shared numbers, terminal by terminal. */
const sharing = ({ terminals, occurrences }: Learned): number =>
  [...new Set(terminals)].reduce(
    (sum, terminal) => sum + Prior.logSharing(occurrences.filter((_, j) => terminals[j] === terminal)),
    0,
  )
