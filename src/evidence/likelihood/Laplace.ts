import * as Cholesky from "../../numeric/cholesky.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { dot } from "../../numeric/orthogonal.ts"
import { integrate, type Rule } from "../../numeric/quadrature.ts"
import * as Real from "../../numeric/Real.ts"
import type { Expansion, Rows } from "./Rows.ts"
import { clamped } from "./clamped.ts"
import { basisOf } from "./weightedBasis.ts"

/**
 * The evidence of a density over a linear predictor, by Laplace's approximation under a mixture of g-priors:
 *
 *     eta = alpha + sum_k theta_k u_k,   u'W u = I,   alpha ~ N(alpha_0, n / sum w),   theta | g ~ N(0, g I)
 *     p(g) = (a - 2) / (2 n) (1 + g / n)^(-a / 2)
 *
 * with W = diag(w) the information of the rows at the fit of the intercept alone and u the columns, centred and made orthonormal
 * under W: beta | g ~ N(0, g (Xc'W Xc)^-1), the generalised hyper-g/n prior of Bove and Held (2011) and Li and Clyde (2018).
 * The information is that at the null model, so that the prior is proper where classes separate, and is the same for all
 * models. g = n is unit information. For each g the mode over (alpha, theta, tau) is found, and the integral is that of the
 * Gaussian around it (tau are the nuisance parameters in free coordinates). g is integrated by the trapezoidal rule in log g.
 */

/** The fit of the intercept alone, which sets the scale of the priors. */
export interface Null {
  readonly alpha: number
  readonly tau: Float64Array
  /** w, length n, positive */
  readonly weights: Float64Array
  /** log likelihood at the fit */
  readonly value: number
}

/** A penalty -amount exp(-2 tau_index) / 2 of a scale's coordinate: the contribution of rounding to squared residuals. */
export interface Rounding {
  readonly index: number
  readonly amount: number
}

const rule = { most: 100, enough: () => 1e-9, damping: 1e-3 }

interface Point {
  readonly value: number
  readonly tau: Float64Array
  readonly eta: Float64Array
}

/** The log joint density and its expansion over (alpha, theta, tau). */
interface Joint {
  readonly design: ReadonlyArray<Float64Array>
  /** prior means and precisions of the coefficients, those of `design` */
  readonly centre: Float64Array
  readonly precision: Float64Array
  /** the part of eta that does not depend on the design; 0 if left out */
  readonly offset?: Float64Array | undefined
}

const combine = ({ design, offset }: Joint, x: Float64Array, rows: number): Float64Array => {
  const eta = offset === undefined ? new Float64Array(rows) : offset.slice()
  design.forEach((column, k) => {
    const by = x[k]!
    for (let i = 0; i < rows; i++) eta[i]! += by * column[i]!
  })
  return eta
}

const roundingAt = (rounding: Rounding | undefined, tau: Float64Array): number =>
  rounding === undefined ? 0 : 0.5 * rounding.amount * Real.exp(-2 * tau[rounding.index]!)

/** Gradient and negative Hessian of the log joint density; q trailing coordinates are tau. */
const quadratic = (
  of: Rows,
  { design, centre, precision }: Joint,
  x: Float64Array,
  { tau, eta }: Point,
  rounding: Rounding | undefined,
) => {
  const expansion = of.expand(eta, tau)
  const p = design.length
  const size = x.length
  const gradient = new Float64Array(size)
  design.forEach((column, k) => {
    gradient[k] = dot(column, expansion.score) - precision[k]! * (x[k]! - centre[k]!)
  })
  gradient.set(expansion.gradient, p)
  const extra = rounding === undefined ? 0 : 2 * roundingAt(rounding, tau)
  if (rounding !== undefined) gradient[p + rounding.index]! += extra
  const hessian = (weights: Float64Array, whole: boolean): Float64Array => {
    const h = new Float64Array(size * size)
    design.forEach((column, j) => {
      const weighted = column.map((value, i) => value * weights[i]!)
      for (let k = 0; k <= j; k++) h[j * size + k] = h[k * size + j] = dot(weighted, design[k]!)
      h[j * size + j]! += precision[j]!
      if (whole)
        expansion.cross.forEach((cross, k) => {
          h[j * size + p + k] = h[(p + k) * size + j] = dot(column, cross)
        })
    })
    const q = size - p
    for (let j = 0; j < q; j++)
      for (let k = 0; k < q; k++) {
        const value = expansion.hessian[j * q + k]!
        if (whole) h[(p + j) * size + p + k] = value
        else if (j === k) h[(p + j) * size + p + j] = Math.max(Math.abs(value), Number.MIN_VALUE)
      }
    if (rounding !== undefined) h[(p + rounding.index) * (size + 1)]! += 2 * extra
    return h
  }
  return { expansion, gradient, hessian }
}

/** A smaller pivot is rounding error and has no correct digit. */
const leastPivot = 1e-14

/** log |A| of a positive definite matrix; undefined for others. */
const logDeterminant = (a: Float64Array): number | undefined =>
  Cholesky.definite(a, Cholesky.make(Math.round(Math.sqrt(a.length))), leastPivot)

/** A mode, and the Gaussian around it. */
export interface Mode {
  /** coefficients of the design, then tau */
  readonly x: Float64Array
  readonly eta: Float64Array
  readonly tau: Float64Array
  /** log likelihood and log prior of tau */
  readonly value: number
  /** log of the Gaussian integral of the joint density over all coordinates, priors of coefficients normalised */
  readonly logIntegral: number
  readonly expansion: Expansion
}

/** The mode near a start, by damped Newton steps; undefined where the density is not defined at the start. */
export const modeOf = (
  of: Rows,
  joint: Joint,
  start: Float64Array,
  rounding: Rounding | undefined,
): Mode | undefined => {
  const { design, centre, precision } = joint
  const p = design.length
  const penalty = (x: Float64Array): number =>
    design.reduce((sum, _, k) => sum + precision[k]! * (x[k]! - centre[k]!) ** 2, 0) / 2
  const at = (x: Float64Array): (Point & { readonly x: Float64Array; readonly loss: number }) | undefined => {
    const eta = combine(joint, x, of.rows)
    const tau = x.slice(p)
    const value = of.value(eta, tau) - roundingAt(rounding, tau)
    const loss = penalty(x) - value
    return Number.isFinite(loss) ? { x, eta, tau, value, loss } : undefined
  }
  const found = GaussNewton.minimise(
    {
      at,
      loss: ({ loss }) => loss,
      model: (point) => {
        const { expansion, gradient, hessian } = quadratic(of, joint, point.x, point, rounding)
        const observed = hessian(expansion.curvature, true)
        const definite = logDeterminant(observed) !== undefined
        return GaussNewton.normalEquations(
          gradient,
          definite ? observed : hessian(clamped(expansion.curvature), false),
        )
      },
    },
    start,
    rule,
  )
  if (found === undefined) return undefined
  const { x, point } = found
  const { expansion, hessian } = quadratic(of, joint, x, point, rounding)
  const logH =
    logDeterminant(hessian(expansion.curvature, true)) ??
    logDeterminant(hessian(clamped(expansion.curvature), false))
  if (logH === undefined) return undefined
  const size = x.length
  const logPrior = design.reduce((sum, _, k) => sum + Real.log(precision[k]!), 0) / 2
  return {
    x,
    eta: point.eta,
    tau: point.tau,
    value: point.value,
    // The prior of the p coefficients has a factor (2 pi)^(-p/2), the integral one of (2 pi)^(size/2).
    logIntegral: -point.loss + logPrior + ((size - p) / 2) * Real.log(2 * Math.PI) - logH / 2,
    expansion,
  }
}

/** The log likelihood of one linear predictor, maximised over the nuisance coordinates. */
export const profile = (of: Rows, eta: Float64Array, { nothing, rounding }: Prior): Mode | undefined =>
  modeOf(
    of,
    { design: [], centre: new Float64Array(0), precision: new Float64Array(0), offset: eta },
    nothing.tau,
    rounding,
  )

/** The evidence and the fit of one design. */
export interface Fitted {
  readonly logEvidence: number
  /** posterior mean over g of the modes of [1, t_1, ..., t_K] */
  readonly coefficients: Float64Array
  /** the mode at the g of highest posterior density */
  readonly mode: Mode
  readonly g: number
  readonly rank: number
}

/** The prior of the coefficients and g: the null fit, and a of the hyper-g/n prior. */
export interface Prior {
  readonly nothing: Null
  readonly a: number
  readonly rounding: Rounding | undefined
}

/** The trapezoidal rule in log g. */
const overG: Rule = { step: 0.75, negligible: 18 }

/** The mode at one g, the log integrand there, and the coefficients of [1, t_1, ..., t_K]. */
interface AtG {
  readonly g: number
  readonly height: number
  readonly mode: Mode
  readonly coefficients: Float64Array
}

/** The evidence at one g. */
export const atG = (
  of: Rows,
  { nothing, rounding }: Prior,
  basis: ReadonlyArray<Float64Array>,
  g: number,
  start: Float64Array,
): Mode | undefined => {
  const mass = nothing.weights.reduce((sum, weight) => sum + weight, 0)
  const joint = {
    design: [new Float64Array(of.rows).fill(1), ...basis],
    centre: Float64Array.of(nothing.alpha, ...basis.map(() => 0)),
    precision: Float64Array.of(mass / of.rows, ...basis.map(() => 1 / g)),
  }
  return modeOf(of, joint, start, rounding)
}

/** The evidence with g integrated out; undefined if the density is not defined at the null fit. */
export const evidence = (
  of: Rows,
  prior: Prior,
  columns: ReadonlyArray<Float64Array>,
): Fitted | undefined => {
  const { nothing, a } = prior
  const { columns: basis, back } = basisOf(columns, nothing.weights)
  const p = basis.length
  const origin = Float64Array.of(nothing.alpha, ...basis.map(() => 0), ...nothing.tau)
  const first = atG(of, prior, basis, of.rows, origin)
  if (first === undefined) return undefined
  if (p === 0)
    return { logEvidence: first.logIntegral, coefficients: back(first.x), mode: first, g: of.rows, rank: 0 }
  const logPrior = (t: number): number =>
    t + Real.log((a - 2) / (2 * of.rows)) - (a / 2) * Real.log1p(Real.exp(t) / of.rows)
  const theta = first.x.slice(1, p + 1)
  const start = Real.log(Math.max(dot(theta, theta) / p, 1e-3))
  const found = new Map<number, AtG>()
  /** The mode at the nearest g so far: those of neighbouring g are near each other. */
  const near = (t: number): Float64Array => {
    let [nearest, distance] = [first.x, Infinity]
    for (const [other, { mode }] of found)
      if (Math.abs(other - t) < distance) [nearest, distance] = [mode.x, Math.abs(other - t)]
    return nearest
  }
  const heightAt = (t: number): number => {
    const mode = atG(of, prior, basis, Real.exp(t), near(t))
    if (mode === undefined) return -Infinity
    const height = mode.logIntegral + logPrior(t)
    found.set(t, { g: Real.exp(t), height, mode, coefficients: back(mode.x) })
    return height
  }
  const integral = integrate(
    heightAt,
    start,
    overG,
    // Where there is no mode the weight is 0.
    [undefined, ...columns].map((_, k) => (t) => found.get(t)?.coefficients[k] ?? 0),
  )
  if (found.size === 0) return undefined
  const best = [...found.values()].reduce((one, other) => (other.height > one.height ? other : one))
  return {
    logEvidence: integral.log,
    coefficients: Float64Array.from(integral.means),
    mode: best.mode,
    g: best.g,
    rank: p,
  }
}
