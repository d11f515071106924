import * as Cholesky from "./cholesky.ts"
import { leastSquares } from "./leastSquares.ts"
import { dot } from "./orthogonal.ts"

/**
 * Damped Gauss-Newton minimisation (Levenberg 1944, Marquardt 1963) of a loss that is a sum of squares, or has a positive
 * semi-definite approximation of its second derivatives: steps u from x with
 *
 *     (A + damping diag(A)) u = g
 *
 * with g = J'r and A = J'J for loss = |r|^2, J being the derivatives of the fit by x. For any other loss, g is minus
 * its gradient and A its curvature. Damping by diag(A) makes the steps independent of the units of x. No threshold has
 * the unit of the loss: a loss times 1e-30 gives the same steps.
 */
export interface Problem<Point> {
  /** The point at x; undefined outside of the allowed region and where the loss is not defined: no step ends there. */
  readonly at: (x: Float64Array) => Point | undefined
  /** The loss of a point, in any unit; finite. */
  readonly loss: (point: Point) => number
  /** The quadratic model of the loss around a point. Called once for each point that is accepted. */
  readonly model: (point: Point) => Model
}

/** A quadratic model of a loss: `normalEquations` or `linearised`. */
export interface Model {
  /** @param damping relative to diag(A), 0 or more */
  readonly step: (damping: number) => Step
}

export interface Step {
  /** u, as long as x */
  readonly change: Float64Array
  /** g'u, in the unit of the loss: the decrease of a sum of squares in an undamped step if the model is exact */
  readonly gain: number
}

/** The stopping rule of a minimisation. */
export interface Rule<Point> {
  /** the largest number of points evaluated after the first */
  readonly most: number
  /**
   * The gain of the next step at or below which it has converged, in the unit of the loss.
   *
   * @param left the number of points that may still be evaluated, 1 or more
   */
  readonly enough: (point: Point, left: number) => number
  /** The damping of the first step: 0 by default, for a Gauss-Newton step; 1e-3 is usual far from the minimum. */
  readonly damping?: number
}

/**
 * The reason why a minimisation ended. `converged`: by its rule, or because the gain is below the rounding of the loss;
 * `stalled`: no damping gave a lower loss; `spent`: at its rule's limit of points.
 */
export type End = "converged" | "stalled" | "spent"

export interface Minimum<Point> {
  readonly x: Float64Array
  readonly point: Point
  /** the number of points evaluated after the first */
  readonly evaluations: number
  readonly end: End
}

/** The least damping after a step that failed. */
const least = 1e-3
const most = 1e12
/** A gain below this share of the loss is within its rounding. */
const rounding = 8 * Number.EPSILON

/**
 * Minimises from an initial x. A step that lowers the loss is taken, and the damping divided by 10; after any other
 * step the damping is multiplied by 10.
 *
 * @returns undefined when there is no point at the initial x
 */
export const minimise = <Point>(
  { at, loss, model }: Problem<Point>,
  start: Float64Array,
  { most: budget, enough, damping: first = 0 }: Rule<Point>,
): Minimum<Point> | undefined => {
  const begun = at(start)
  if (begun === undefined) return undefined
  let [x, point, height] = [start, begun, loss(begun)]
  let local = model(point)
  let damping = first
  let evaluations = 0
  const ended = (end: End): Minimum<Point> => ({ x, point, evaluations, end })
  for (;;) {
    const { change, gain } = local.step(damping)
    if (gain <= enough(point, Math.max(1, budget - evaluations))) return ended("converged")
    if (evaluations === budget) return ended("spent")
    const next = x.map((value, j) => value + change[j]!)
    const sound = Number.isFinite(gain) && next.every(Number.isFinite)
    const there = sound ? at(next) : undefined
    evaluations++
    const below = there === undefined ? Number.NaN : loss(there)
    // The rounding of the loss hides whether this step lowers it: the minimisation ends.
    const unseen = gain <= rounding * Math.abs(height)
    if (there !== undefined && below < height) {
      ;[x, point, height] = [next, there, below]
      local = model(point)
      damping /= 10
    } else if (unseen) return ended("converged")
    else {
      damping = Math.max(least, 10 * damping)
      if (damping > most) return ended("stalled")
    }
  }
}

/**
 * The quadratic model from g and A.
 *
 * @param gradient g: minus the gradient of the loss, of length q
 * @param curvature A: q x q, row-major, symmetric and positive semi-definite up to rounding
 */
export const normalEquations = (gradient: Float64Array, curvature: Float64Array): Model => {
  const size = gradient.length
  const cholesky = Cholesky.make(size)
  return {
    step: (damping) => {
      Cholesky.decompose(raised(curvature, size, damping), cholesky)
      const change = new Float64Array(size)
      Cholesky.solve(cholesky, gradient, change)
      return { change, gain: dot(change, gradient) }
    },
  }
}

/** A + damping diag(A); an element of x with a zero on the diagonal does not change. */
const raised = (curvature: Float64Array, size: number, damping: number): Float64Array =>
  curvature.map((value, place) =>
    place % (size + 1) === 0 ? value * (1 + damping) || Number.MIN_VALUE : value,
  )

/** A model of a sum of squares, with the rank of its columns. */
export interface Linearised extends Model {
  /** the number of linearly independent columns */
  readonly rank: () => number
}

/** The smallest pivot for which normal equations are precise enough for a step. */
const wellPosed = 1e-6

/**
 * The quadratic model from J and r: by normal equations where they are well conditioned, else by orthogonalisation,
 * which also handles collinear columns. Without damping the elements of columns in the span of others do not change.
 *
 * @param columns J, the derivatives of the fit: q columns of length n, finite and below 1e150
 * @param residual r: the observations less the fit, of length n
 */
export const linearised = (columns: ReadonlyArray<Float64Array>, residual: Float64Array): Linearised => {
  const size = columns.length
  const gradient = Float64Array.from(columns, (column) => dot(column, residual))
  const curvature = new Float64Array(size * size)
  for (let j = 0; j < size; j++)
    for (let k = 0; k <= j; k++) curvature[j * size + k] = dot(columns[j]!, columns[k]!)
  const cholesky = Cholesky.make(size)
  /** Whether the damped normal equations have a precise factor. A column of zeros makes a pivot NaN. */
  const factored = (damping: number): boolean => {
    const left = damping > 0 ? raised(curvature, size, damping) : curvature
    Cholesky.decompose(left, cholesky)
    return columns.every((_, k) => cholesky.factor[k * size + k]! ** 2 > wellPosed)
  }
  return {
    step: (damping) => {
      if (factored(damping)) {
        const change = new Float64Array(size)
        Cholesky.solve(cholesky, gradient, change)
        return { change, gain: dot(change, gradient) }
      }
      const change = orthogonally(columns, residual, damping)
      // e'e - |e - J u|^2 would lose the digits of a small gain; a part of u without effect does not add to g'u.
      return { change, gain: dot(change, gradient) }
    },
    rank: () => (factored(0) ? size : leastSquares(columns, residual).rank),
  }
}

/** Least squares of [r; 0] on [J; sqrt(damping diag(J'J))]. */
const orthogonally = (
  columns: ReadonlyArray<Float64Array>,
  residual: Float64Array,
  damping: number,
): Float64Array => {
  if (damping === 0) return leastSquares(columns, residual).coefficients
  const rows = residual.length
  const longer = (column: Float64Array): Float64Array => {
    const out = new Float64Array(rows + columns.length)
    out.set(column)
    return out
  }
  const extended = columns.map((column, k) => {
    const out = longer(column)
    out[rows + k] = Math.sqrt(damping * dot(column, column))
    return out
  })
  return leastSquares(extended, longer(residual)).coefficients
}
