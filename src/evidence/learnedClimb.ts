import type * as Constant from "../prob/Constant.ts"
import * as Cholesky from "../numeric/cholesky.ts"
import * as GaussNewton from "../numeric/GaussNewton.ts"
import type { Dual, Learned } from "./learned.ts"
import * as Prior from "./learnedPrior.ts"

/** What the data say of q numbers at a point. */
export interface Slope {
  /** log evidence, up to a constant */
  readonly height: number
  /** its derivatives by the numbers, length q */
  readonly gradient: Float64Array
  /** minus its second derivatives after Gauss and Newton, positive semi-definite: q x q */
  readonly information: Float64Array
}

/** The evidence as a function of the numbers, by the columns with their derivatives; undefined where there is none. */
export type Evidence = (duals: ReadonlyArray<Dual>) => Slope | undefined

/** A point of the posterior of numbers. */
export interface Point {
  readonly numbers: Float64Array
  /** log evidence and log prior, up to a constant */
  readonly height: number
  readonly gradient: Float64Array
  /** minus the second derivatives, those of the evidence after Gauss and Newton */
  readonly precision: Float64Array
}

/** Where a climb has ended. */
export interface Summit {
  readonly point: Point
  /** posterior standard deviations of the numbers, by the precision */
  readonly deviations: Float64Array
  /** log prior of the numbers */
  readonly logPrior: number
  /** Any other point; undefined outside of the prior's support, and where there is no evidence. */
  readonly at: (numbers: Float64Array) => Point | undefined
}

/** Numbers that a search has found take three or four steps, and what does not fit needs no better answer. */
const short: GaussNewton.Rule<Point> = { most: 12, enough: () => 1e-9 }

/**
 * Learns numbers by damped Gauss-Newton steps uphill in their posterior density (`GaussNewton.minimise`), from where they
 * stand. Their digits below a thousandth of their deviations are dropped.
 *
 * @param priorOf the prior of numbers of a terminal
 * @param rule when the climb ends; `enough` in nats
 * @returns undefined when there is no evidence where the numbers stand, or they lie outside of the support
 */
export const climb = (
  { start, terminals, duals: dualsAt }: Learned,
  evidence: Evidence,
  priorOf: (terminal: number) => Constant.Learned,
  rule: GaussNewton.Rule<Point> = short,
): Summit | undefined => {
  const count = start.length
  const priorAt = Prior.joint(terminals, priorOf)

  const at = (numbers: Float64Array): Point | undefined => {
    const prior = priorAt(numbers)
    if (!(prior.log > -Infinity)) return undefined
    const duals = dualsAt(numbers)
    const fits = duals.every(({ values }) => values.every((value) => Math.abs(value) < 1e15))
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
  const tidy = found.numbers.map((value, j) => tidied(value, deviations[j]!))
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

/** log of the integral over the numbers by Laplace's approximation, less the log evidence at the summit. */
export const logVolume = ({ logPrior }: Summit, precision: Float64Array): number => {
  const count = Math.round(Math.sqrt(precision.length))
  const logDeterminant = Cholesky.decompose(precision, Cholesky.make(count))
  return logPrior + (count / 2) * Math.log(2 * Math.PI) - logDeterminant / 2
}
