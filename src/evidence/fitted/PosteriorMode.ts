import type * as Constant from "../../prob/Constant.ts"
import * as Cholesky from "../../numeric/cholesky.ts"
import { pivots } from "../../numeric/elimination.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { significant } from "../../numeric/significant.ts"
import * as Real from "../../numeric/Real.ts"
import type { Dual, ParametricTrees } from "./ParametricTrees.ts"
import { largest } from "../columns.ts"
import * as Prior from "./jointPrior.ts"
import { allBelow } from "../../numeric/finite.ts"

/** The log evidence at given values of q fitted constants, to second order. */
export interface Expansion {
  /** log evidence, up to a constant */
  readonly height: number
  /** derivatives of the log evidence by the constants, length q */
  readonly gradient: Float64Array
  /** minus the second derivatives in the Gauss-Newton approximation, positive semi-definite, q x q row-major */
  readonly information: Float64Array
}

/** The evidence as a function of the columns and their derivatives by the constants; undefined where there is no fit. */
export type Evidence = (duals: ReadonlyArray<Dual>) => Expansion | undefined

/** The log posterior density of fitted constants at one point. */
export interface Point {
  readonly numbers: Float64Array
  /** log evidence plus log prior, up to a constant */
  readonly height: number
  readonly gradient: Float64Array
  /** minus the second derivatives, q x q; those of the evidence in the Gauss-Newton approximation */
  readonly precision: Float64Array
}

/** The mode that an ascent has ended at. */
export interface Mode {
  readonly point: Point
  /** posterior standard deviations of the constants, from the precision */
  readonly deviations: Float64Array
  /** log prior density of the constants at the mode */
  readonly logPrior: number
  /** The log posterior at any other values; undefined outside of the prior's support, and where there is no evidence. */
  readonly at: (numbers: Float64Array) => Point | undefined
}

/** Constants that a search has fitted converge in three or four steps; a law that does not fit needs no accurate optimum. */
export const short: GaussNewton.Rule<Point> = { most: 12, enough: () => 1e-9 }

/**
 * Fits constants by damped Gauss-Newton steps that raise their posterior density (`GaussNewton.minimise`), from their
 * values in the trees. Digits below a thousandth of the posterior standard deviations are dropped.
 *
 * @param priorOf the prior of the constants of a terminal
 * @param rule when the ascent ends; `enough` in nats
 * @param flat whether the constants of a terminal have no prior (`jointPrior`)
 * @returns undefined when there is no evidence at the initial values, or these lie outside of the prior's support
 */
export const find = (
  { start, terminals, duals: dualsAt }: ParametricTrees,
  evidence: Evidence,
  priorOf: (terminal: number) => Constant.Fitted,
  rule: GaussNewton.Rule<Point> = short,
  flat: (terminal: number) => boolean = () => false,
): Mode | undefined => {
  const count = start.length
  const priorAt = Prior.joint(terminals, priorOf, flat)

  const at = (numbers: Float64Array): Point | undefined => {
    const prior = priorAt(numbers)
    if (!(prior.log > -Infinity)) return undefined
    const duals = dualsAt(numbers)
    const fits = duals.every(({ values }) => allBelow(values, largest))
    const found = fits ? evidence(duals) : undefined
    if (found === undefined) return undefined
    return {
      numbers,
      height: found.height + prior.log,
      gradient: found.gradient.map((slope, j) => slope + prior.slope[j]!),
      precision: found.information.map((value, place) => value + prior.precision[place]!),
    }
  }

  const problem: GaussNewton.Problem<Point> = {
    at,
    loss: ({ height }) => -height,
    model: ({ gradient, precision }) => GaussNewton.normalEquations(gradient, precision),
  }
  const found = GaussNewton.minimise(problem, start, rule)?.point
  if (found === undefined) return undefined
  const deviations = deviationsOf(found.precision, count)
  const tidy = found.numbers.map((value, j) => significant(value, deviations[j]!))
  const point = at(tidy) ?? found
  return {
    point,
    deviations,
    logPrior: priorAt(point.numbers).log,
    at,
  }
}

/** Roots of the diagonal of the inverse of a precision. */
const deviationsOf = (precision: Float64Array, count: number): Float64Array => {
  const covariance = Cholesky.inverse(precision)
  return Float64Array.from({ length: count }, (_, j) => Math.sqrt(covariance[j * (count + 1)]!))
}

/**
 * log of the integral of prior times evidence over the constants by Laplace's approximation, minus the log evidence at
 * the mode.
 */
export const logVolume = ({ logPrior }: Mode, precision: Float64Array): number => {
  const count = Math.round(Math.sqrt(precision.length))
  const logDeterminant = Cholesky.decompose(precision, Cholesky.make(count))
  return logPrior + (count / 2) * Real.log(2 * Math.PI) - logDeterminant / 2
}

/** The step of central differences of the gradient, in posterior standard deviations of a constant. */
const share = 0.02

/** Minus the second derivatives at a mode by central differences; undefined where they are not positive definite. */
export const curvature = ({ point: { numbers }, deviations, at }: Mode): Float64Array | undefined => {
  const count = numbers.length
  const out = new Float64Array(count * count)
  for (let j = 0; j < count; j++) {
    const h = share * deviations[j]!
    const above = at(numbers.with(j, numbers[j]! + h))?.gradient
    const below = at(numbers.with(j, numbers[j]! - h))?.gradient
    if (above === undefined || below === undefined) return undefined
    for (let k = 0; k < count; k++) {
      const slope = (below[k]! - above[k]!) / (2 * h)
      out[j * count + k]! += slope / 2
      out[k * count + j]! += slope / 2
    }
  }
  return positive(out) ? out : undefined
}

/** Whether a symmetric matrix is positive definite, with some digits to spare. */
const positive = (matrix: Float64Array): boolean => pivots(matrix, 1e-9).every((pivot) => pivot > 0)
