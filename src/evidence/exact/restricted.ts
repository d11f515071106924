import * as Quadrature from "../../numeric/quadrature.ts"
import { lgamma } from "../../numeric/Special.ts"
import { logCancellation } from "../cancellation.ts"
import type { Target } from "../gPrior.ts"
import { triangle } from "../../numeric/triangle.ts"
import * as Real from "../../numeric/Real.ts"

/**
 * The evidence of a linear model with coefficients that are known, or stand in known ratios. The prior is that of the free
 * model, conditioned on the restriction. Given g and sigma, the ratio of the evidences of the restricted and the free
 * model is the Savage-Dickey ratio, posterior over prior density at the restriction (Dickey 1971):
 *
 *     b = b* + B t,   b = (b_0, beta),   p(b_0) = |u| / sqrt(tss),   beta | g, sigma^2 ~ N(0, g sigma^2 (Xc'Xc)^-1)
 *
 * with the columns of B independent and u the column of the intercept (1, or h' in a linearised model), whose length
 * gives the flat prior its height. Given g the sum of squares is
 *
 *     S(g) = rss + min_t ((t - t^)' L (t - t^) + (t - t0)' H (t - t0) / g)
 *
 * with L = B'D'D B, t^ the restricted least squares, H = B'Xc'Xc B and t0 the prior's mode. L = H where the intercept is
 * free, L = H + k k' where it is not, so that S(g) and the determinants are explicit; sigma^2 is integrated out in
 * closed form and g by the trapezoidal rule in log g, as in `gPrior`.
 */
export interface Geometry {
  /** The design's triangle: |D v| = |R v| for all v. Columns of length d, the intercept's first, R upper triangular. */
  readonly design: ReadonlyArray<Float64Array>
  /** least squares of the free model, intercept first */
  readonly estimate: Float64Array
  /** its residual sum of squares */
  readonly rss: number
  /** The factor from the sum of squares of centred fitted values to tss - rss: 1 in a linear model. */
  readonly scale: number
}

/** An affine restriction of the coefficients: b = b* + B t. Columns of B are linearly independent. */
export interface Restriction {
  readonly offset: Float64Array
  readonly basis: ReadonlyArray<Float64Array>
}

/** Least squares under a restriction, and what follows from it without the prior of the coefficients. */
export interface Constrained {
  /** t^, one number for each column of the basis */
  readonly estimate: Float64Array
  /** the residual sum of squares, by the quadratic form of the free model: exact where it is linear */
  readonly rss: number
  /** sqrt(v' L^-1 v): the standard error of v't in units of sigma */
  readonly error: (v: ArrayLike<number>) => number
  /** The vector w of v with u'L^-1 v as the product of those of u and v. */
  readonly whitened: (v: ArrayLike<number>) => Float64Array
  /** log det (L) / 2 */
  readonly logDeterminant: number
  /**
   * log of the integral of the likelihood over t, with density 1, and over sigma, with density 1 / sigma: the evidence of the
   * restriction but for the prior densities of the coefficients (`HypothesisSearch` has them)
   *
   *     lgamma((n - q) / 2) - (n - q) / 2 log(pi rss) - log det (L) / 2 - log 2,   q the number of columns of B
   */
  readonly logIntegral: (rss: number) => number
}

/** The parts of a restricted model that follow from the geometry of the free model. */
export interface Restricted extends Constrained {
  /** log p(y | restriction) up to the constants of the response, for a residual sum of squares */
  readonly logEvidence: (rss: number, accuracy?: Accuracy) => Integral
  /** the log prior of free coefficients whose terms cancel (`cancellation`), 0 in ordinary laws */
  readonly logCancellation: number
}

/** The accuracy of the integral over g: `fast` for comparisons in a search, `exact` up to rounding. */
export type Accuracy = "fast" | "exact"

/** Integrals over g. */
export interface Integral {
  readonly log: number
  /** E[1 / (1 + g)] */
  readonly leftover: number
  /** E[sigma^2]; infinite when there are no more than two degrees of freedom */
  readonly sigma2: number
}

/** B t + b*. */
export const at = ({ offset, basis }: Restriction, t: ArrayLike<number>): Float64Array =>
  offset.map((value, k) => basis.reduce((sum, column, j) => sum + column[k]! * t[j]!, value))

/** D v through the triangle. */
const apply = (design: ReadonlyArray<Float64Array>, v: ArrayLike<number>, from = 0): Float64Array => {
  const out = new Float64Array(design.length)
  for (let k = 0; k < design.length; k++) {
    const [column, by] = [design[k]!, v[k]!]
    // Of most restrictions most elements are 0.
    if (by !== 0) for (let i = from; i < out.length; i++) out[i]! += column[i]! * by
  }
  return out
}

const square = (v: Float64Array): number => v.reduce((sum, value) => sum + value * value, 0)

/**
 * Restricted least squares t moved to the minimum of |D (b - b_ls)|^2 + ratio |Xc beta|^2, b_ls = b* + B t: posterior means
 * given g, for ratio = 1 / g.
 */
export const towards = (
  { design }: Geometry,
  { offset, basis }: Restriction,
  t: Float64Array,
  ratio: number,
): Float64Array => {
  const d = design.length
  const root = Math.sqrt(ratio)
  const stack = (above: Float64Array, below: Float64Array): Float64Array =>
    Float64Array.of(...above, ...below.map((value) => root * value))
  const columns = basis.map((column) => stack(apply(design, column), apply(design, column, 1)))
  const now = at({ offset, basis }, t)
  const step = triangle(columns)?.solve(
    stack(
      new Float64Array(d),
      apply(
        design,
        now.map((value) => -value),
        1,
      ),
    ),
  )
  return step === undefined ? t : t.map((value, j) => value + step[j]!)
}

/** The quadrature over log g for each accuracy, for a small number of slopes. */
const rules: Readonly<Record<Accuracy, Quadrature.Rule>> = {
  fast: { step: 0.7, negligible: 12 },
  exact: { step: 0.25, negligible: 42 },
}

/** lgamma((n - q) / 2) - (n - q) / 2 log(pi rss), with q free numbers: the part of `logIntegral` that does not depend on their columns. */
export const logOfNoise = (target: Target, free: number, rss: number): number => {
  const half = (target.rows - free) / 2
  return lgamma(half) - half * Real.log(Math.PI * Math.max(rss + target.rounding, smallest))
}

/** `Constrained.logIntegral`, with q free numbers and log det (L) / 2. */
export const logIntegral = (target: Target, free: number, rss: number, logDeterminant: number): number =>
  logOfNoise(target, free, rss) - logDeterminant - Math.LN2

/**
 * Least squares under a restriction: what a search over restrictions compares.
 *
 * @returns undefined when the restricted design is singular
 */
export const constrain = (
  target: Target,
  { design, estimate, rss: least }: Geometry,
  { offset, basis }: Restriction,
): Constrained | undefined => {
  const columns = basis.map((column) => apply(design, column))
  const free = triangle(columns)
  if (free === undefined) return undefined
  const left = apply(
    design,
    estimate.map((value, k) => value - offset[k]!),
  )
  const t = free.solve(left)
  const miss = left.map((value, i) => value - columns.reduce((sum, column, j) => sum + column[i]! * t[j]!, 0))
  return {
    estimate: t,
    rss: least + square(miss),
    error: (v) => free.norm(v),
    whitened: free.whitened,
    logDeterminant: free.logDeterminant,
    logIntegral: (sum) => logIntegral(target, basis.length, sum, free.logDeterminant),
  }
}

/**
 * The restricted model.
 *
 * @returns undefined when the restricted design is singular
 */
export const restrict = (
  target: Target,
  geometry: Geometry,
  restriction: Restriction,
): Restricted | undefined => {
  const { design, scale } = geometry
  const { offset, basis } = restriction
  const constrained = constrain(target, geometry, restriction)
  if (constrained === undefined) return undefined
  const { estimate: t } = constrained

  // The intercept is free if a combination of the basis changes it alone. It then has no part in the prior of the slopes.
  const slopes = basis.filter((column) => column.some((value, k) => k > 0 && value !== 0))
  const open = slopes.length < basis.length
  const inside = slopes.map((column) => apply(design, column, 1))
  const prior = triangle(inside)
  if (prior === undefined) return undefined
  const mode = prior.solve(
    apply(
      design,
      offset.map((value) => -value),
      1,
    ),
  )
  const moves = basis.flatMap((column, j) => (slopes.includes(column) ? [t[j]!] : []))
  const away = inside.reduce<Float64Array>(
    (sum, column, j) => sum.map((value, i) => value + column[i]! * (moves[j]! - mode[j]!)),
    new Float64Array(design.length),
  )
  let rest = scale * square(away)
  let along = 0
  let nu = 1
  if (!open) {
    const k = slopes.map((column) => apply(design, column)[0]!)
    const length = prior.norm(k) ** 2
    nu = 1 + length
    if (length > 0) {
      const product = k.reduce((sum, value, j) => sum + value * (moves[j]! - mode[j]!), 0)
      along = Math.min(rest, (scale * product ** 2) / length)
      rest -= along
    }
  }
  const parts = { slopes: slopes.length, rest, along, nu, open }
  return {
    ...constrained,
    logCancellation: logCancellation(
      inside.map((column, j) => Math.abs(moves[j]!) * Math.sqrt(square(column))),
      Math.sqrt(square(apply(design, at(restriction, t), 1))),
    ),
    logEvidence: (sum, accuracy = "exact") => integrate(target, parts, sum, accuracy),
  }
}

const smallest = 2 ** -1000

const integrate = (
  { rows, tss, rounding, a }: Target,
  parts: {
    readonly slopes: number
    readonly rest: number
    readonly along: number
    readonly nu: number
    readonly open: boolean
  },
  rss: number,
  accuracy: Accuracy,
): Integral => {
  const { slopes, open, nu } = parts
  const floor = Math.max(rss + rounding, smallest)
  const [rest, along] = [parts.rest / floor, parts.along / floor]
  const freedom = open ? rows - 1 : rows
  const half = freedom / 2
  const fixed =
    -half * Real.log(Math.PI) +
    lgamma(half) -
    half * Real.log(floor) -
    (open ? Real.log(Math.max(tss + rounding, smallest)) / 2 : 0)
  const sigma2 = (ratio: number): number => (freedom > 2 ? (floor * ratio) / (freedom - 2) : Infinity)
  if (slopes === 0) return { log: fixed, leftover: 0, sigma2: sigma2(1) }
  const powers = open ? slopes : slopes - 1
  const excess = (g: number): number => rest / (1 + g) + (along * nu) / (1 + g * nu)
  const log = (t: number): number => {
    const g = Real.exp(t)
    return (
      t -
      (powers / 2) * Real.log1p(g) -
      (open ? 0 : Real.log1p(g * nu) / 2) -
      half * Real.log1p(excess(g)) -
      (a / 2) * Real.log1p(g / rows)
    )
  }
  const start = Real.log(Math.max(0.1, ((rest + along) * rows) / (slopes + 1)))
  const { step, negligible } = rules[accuracy]
  const integral = Quadrature.integrate(log, start, { step: step / Math.sqrt(1 + slopes / 8), negligible }, [
    (t) => 1 / (1 + Real.exp(t)),
    (t) => 1 + excess(Real.exp(t)),
  ])
  const [leftover = 0, ratio = 1] = integral.means
  return {
    log: fixed + integral.log + Real.log((a - 2) / (2 * rows)),
    leftover,
    sigma2: sigma2(ratio),
  }
}
