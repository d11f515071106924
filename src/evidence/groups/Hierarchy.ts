import { integrate } from "../../numeric/quadrature.ts"
import * as Real from "../../numeric/Real.ts"
import * as GPrior from "../gPrior.ts"
import { eliminate, triangleOf } from "./elimination.ts"

/**
 * A law with d numbers, linearised in them, on rows in groups:
 *
 *     z_i = sum_j J_ij theta_gj + sigma eps_i   for the rows i of a group g
 *
 * A number is shared, theta_gj = mu_j, or varies between groups with a normal distribution,
 *
 *     theta_gj ~ N(mu_j, tau_j^2),   tau_j^2 = g_j sigma^2 / (J_j'J_j)
 *
 * where g_j has the hyper-g/n prior that coefficients have (`GPrior`): the spread of a number is as uncertain as a number. The
 * numbers of the groups are integrated out in closed form: the noise of z has the covariance sigma^2 W, and the means mu are the
 * coefficients of a linear model with that noise, whose evidence is `GPrior`'s. The g_j are integrated by quadrature.
 *
 * All that the rows of a group say is in the triangle of its columns [J, 1, z, y].
 */
export interface Linearised {
  /** y on all rows, as a law without groups has it */
  readonly target: GPrior.Target
  /** d */
  readonly count: number
  /** for each group the triangle of [J, 1, z, y], (d + 3) x (d + 3), row-major */
  readonly groups: ReadonlyArray<Float64Array>
  /** J_j'J_j over all rows, length d */
  readonly squares: Float64Array
}

/** One group's part of a linearised law; rows are divided by the deviation of the group's noise. */
export interface Part {
  /** d columns of derivatives by the numbers; the intercept's first */
  readonly columns: ReadonlyArray<Float64Array>
  /** y less the law's values, plus the columns times the numbers */
  readonly z: Float64Array
  readonly y: Float64Array
  readonly ones: Float64Array
}

export const linearised = (target: GPrior.Target, parts: ReadonlyArray<Part>): Linearised => {
  const count = parts[0]!.columns.length
  return {
    target,
    count,
    groups: parts.map(({ columns, ones, z, y }) => triangleOf([...columns, ones, z, y])),
    squares: Float64Array.from({ length: count }, (_, j) =>
      parts.reduce((sum, { columns }) => columns[j]!.reduce((inner, value) => inner + value * value, sum), 0),
    ),
  }
}

/** The linear model of the means mu, whitened: its columns are those of [J, 1, z, y] times W^(-1/2). */
export interface Whitened {
  /** the triangle of [mu_1 ... mu_d, 1, z, y], (d + 3) x (d + 3), row-major */
  readonly triangle: Float64Array
  /** log |W| */
  readonly logDeterminant: number
}

/**
 * Integrates the numbers of the groups out.
 *
 * @param varying the places of the numbers that vary
 * @param logG log g_j of each, in the same order
 */
export const whiten = (
  { count, groups, squares }: Linearised,
  varying: ReadonlyArray<number>,
  logG: ArrayLike<number>,
): Whitened => {
  const width = count + 3
  const free = varying.length
  const whole = free + width
  /** sigma / tau of each number that varies */
  const roots = varying.map((j, k) => Math.sqrt(squares[j]!) * Real.exp(-logG[k]! / 2))
  const stack = new Float64Array(2 * width * width)
  const work = new Float64Array((width + free) * whole)
  let logDeterminant = 0
  for (const group of groups) {
    // Columns: the numbers of the group that vary, then the means and shared numbers, 1, z and y.
    work.fill(0)
    for (let i = 0; i < width; i++)
      for (let j = i; j < width; j++) {
        const place = j < count ? varying.indexOf(j) : -1
        work[i * whole + (place < 0 ? free + j : place)] = group[i * width + j]!
      }
    varying.forEach((j, k) => {
      work[(width + k) * whole + k] = roots[k]!
      work[(width + k) * whole + free + j] = -roots[k]!
    })
    eliminate(work, width + free, whole, free)
    for (let k = 0; k < free; k++) logDeterminant += 2 * Real.log(Math.abs(work[k * whole + k]!) / roots[k]!)
    for (let i = 0; i < width; i++)
      for (let j = 0; j < width; j++) stack[(width + i) * width + j] = work[(free + i) * whole + free + j]!
    eliminate(stack, 2 * width, width, width)
  }
  return { triangle: stack.slice(0, width * width), logDeterminant }
}

/** Columns with less than this share of their length outside of the span of those before them lie in it. */
const dependent = 1e-9

/** The evidence of the means' linear model, with all numbers free; minus infinity where the rows do not determine them. */
export const logEvidence = (
  { target, count, squares }: Linearised,
  { triangle, logDeterminant }: Whitened,
): number => {
  const width = count + 3
  const at = (i: number, j: number): number => triangle[i * width + j]!
  let rank = 0
  for (let j = 0; j < count; j++) {
    let square = 0
    for (let i = 0; i <= j; i++) square += at(i, j) ** 2
    if (!(Math.abs(at(j, j)) > dependent * Math.sqrt(square))) return -Infinity
    rank += 1
  }
  const rss = at(count, count + 1) ** 2 + at(count + 1, count + 1) ** 2
  let [ones, cross, square] = [0, 0, 0]
  for (let i = 0; i < width; i++) {
    ones += at(i, count) ** 2
    cross += at(i, count) * at(i, count + 2)
    square += at(i, count + 2) ** 2
  }
  const tss = Math.max(rss, square - cross ** 2 / ones)
  const whitened = { ...target, tss }
  // The intercept's flat prior has the height of that without groups.
  return (
    GPrior.logNull(whitened) +
    Real.log((tss + target.rounding) / (target.tss + target.rounding)) / 2 +
    GPrior.logBayesFactor({ ...whitened, rank: rank - 1, rss }) -
    logDeterminant / 2 -
    Real.log(at(0, 0) ** 2 / squares[0]!) / 2
  )
}

/** log p(t) of t = log g under the hyper-g/n prior. */
const logSpread = (t: number, { rows, a }: GPrior.Target): number =>
  Real.log((a - 2) / (2 * rows)) + t - (a / 2) * Real.log1p(Real.exp(t) / rows)

/** Where the spreads are sought: log g in this range. */
const range = { low: -12, high: 80 }
/** Steps of the ascent in log g. */
const steps = [3, 1, 0.4]
const rule = { step: 0.7, negligible: 10 }

/** A law with the numbers that vary given, at the mode of the spreads. */
export interface Mode {
  /** the evidence times the prior density of the log spreads, log */
  readonly height: number
  /** log g_j of the numbers that vary, at the mode */
  readonly logG: ReadonlyArray<number>
}

const heightOf =
  (law: Linearised, varying: ReadonlyArray<number>) =>
  (logG: ReadonlyArray<number>): number =>
    logEvidence(law, whiten(law, varying, logG)) + logG.reduce((sum, t) => sum + logSpread(t, law.target), 0)

/**
 * The mode of the spreads, by ascent along one after the other.
 *
 * @param start log g of each number that varies
 */
export const mode = (
  law: Linearised,
  varying: ReadonlyArray<number>,
  start: ReadonlyArray<number> = varying.map(() => Real.log(law.target.rows)),
): Mode => {
  const height = heightOf(law, varying)
  let logG = [...start]
  let best = height(logG)
  if (!(best > -Infinity)) return { height: best, logG }
  for (const step of steps)
    for (let moved = true; moved;) {
      moved = false
      for (let k = 0; k < logG.length; k++)
        for (const way of [step, -step]) {
          let here = false
          for (;;) {
            const t = logG[k]! + way
            if (t < range.low || t > range.high) break
            const next = logG.with(k, t)
            const there = height(next)
            if (!(there > best + 1e-2)) break
            ;[logG, best, moved, here] = [next, there, true, true]
          }
          if (here) break
        }
      if (logG.length === 1) break
    }
  return { height: best, logG }
}

/**
 * The log evidence, spreads integrated out: along each spread by the trapezoidal rule with the others at the mode, which is exact
 * where the spreads are independent.
 */
export const integrated = (
  law: Linearised,
  varying: ReadonlyArray<number>,
  { height: best, logG }: Mode,
): number => {
  if (!(best > -Infinity)) return best
  const height = heightOf(law, varying)
  return logG.reduce((sum, t, k) => {
    const along = integrate((at) => height(logG.with(k, at)), t, rule, [])
    return sum + along.log - best
  }, best)
}
