import * as Cholesky from "./cholesky.ts"
import { leastSquares } from "./leastSquares.ts"
import { dot } from "./orthogonal.ts"

/**
 * Damped Gauss-Newton minimisation (Levenberg 1944, Marquardt 1963) of a loss that is a sum of squares, or has a positive
 * semi-definite approximation of its second derivatives: steps u from x with
 *
 *     (A + damping diag(A)) u = g
 *
 * with g = J'r and A = J'J for loss = |r|^2, J being the derivatives of the fit by x; for any other loss, g is minus its gradient
 * and A its curvature. Damping by diag(A) makes the path independent of the units of x, and no threshold has the unit of the
 * loss: a problem times 1e-30 takes the same path.
 */
export interface Problem<Point> {
  /** The point at x; undefined outside of the allowed region and where the loss is not defined: no step ends there. */
  readonly at: (x: Float64Array) => Point | undefined
  /** What is minimised, in any unit; finite. */
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
  /** g'u, in the unit of the loss: how much a sum of squares falls on an undamped step if the model is exact */
  readonly gain: number
}

/** When a minimisation ends. */
export interface Rule<Point> {
  /** the most points that are evaluated after the first one */
  readonly most: number
  /** It has converged when the next step is about to gain no more than this, in the unit of the loss. */
  readonly enough: (point: Point) => number
  /** The damping of the first step: 0 by default, a plain Gauss-Newton step; 1e-3 is usual for a start that is far off. */
  readonly damping?: number
}

/**
 * Why a minimisation has ended. `converged`: by its rule, or because a gain was too small to be seen in the digits of the
 * loss; `stalled`: no damping gave a better point; `spent`: after as many points as its rule allows.
 */
export type End = "converged" | "stalled" | "spent"

export interface Minimum<Point> {
  readonly x: Float64Array
  readonly point: Point
  /** points evaluated after the first one */
  readonly evaluations: number
  readonly end: End
}

/** The least damping after a step that failed. */
const least = 1e-3
const most = 1e12
/** A gain below this share of the loss is within its rounding. */
const rounding = 8 * Number.EPSILON

/**
 * Minimises from a start. A step that gives a lower loss is taken, and the damping divided by 10; after any other it is
 * multiplied by 10.
 *
 * @returns undefined when there is no point at the start
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
    if (gain <= enough(point)) return ended("converged")
    if (evaluations === budget) return ended("spent")
    const next = x.map((value, j) => value + change[j]!)
    const sound = Number.isFinite(gain) && next.every(Number.isFinite)
    const there = sound ? at(next) : undefined
    evaluations++
    const below = there === undefined ? Number.NaN : loss(there)
    // The digits of the loss cannot tell whether so small a step is one down, and it is the last.
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
 * The model by g and A.
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

/** A + damping diag(A); where the diagonal has a zero, nothing moves. */
const raised = (curvature: Float64Array, size: number, damping: number): Float64Array =>
  curvature.map((value, place) =>
    place % (size + 1) === 0 ? value * (1 + damping) || Number.MIN_VALUE : value,
  )

/** A model of a sum of squares, and what it says of its columns. */
export interface Linearised extends Model {
  /** the number of linearly independent columns */
  readonly rank: () => number
}

/** Normal equations with smaller pivots lose more digits than a step can spare. */
const wellPosed = 1e-6

/**
 * The model by J and r: by normal equations where these are well posed, else by orthogonalisation, which is right for collinear
 * columns too: those in the span of others do not move without damping.
 *
 * @param columns J, the derivatives of the fit: q columns of length n, finite and below 1e150
 * @param residual r: what is observed less the fit, of length n
 */
export const linearised = (columns: ReadonlyArray<Float64Array>, residual: Float64Array): Linearised => {
  const size = columns.length
  const gradient = Float64Array.from(columns, (column) => dot(column, residual))
  const curvature = new Float64Array(size * size)
  for (let j = 0; j < size; j++)
    for (let k = 0; k <= j; k++) curvature[j * size + k] = dot(columns[j]!, columns[k]!)
  const cholesky = Cholesky.make(size)
  /** Whether the factor of the damped normal equations is there and right. A column of zeros makes a pivot NaN. */
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
