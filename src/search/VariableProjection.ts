import type { ParametricTrees } from "../evidence/fitted/ParametricTrees.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as GaussNewton from "../numeric/GaussNewton.ts"

/**
 * Least squares of one response on columns that are held and one tree with fitted numbers: the coefficients are always
 * those of least squares, so that the sum of squares is a function of the numbers alone (variable projection; Golub and
 * Pereyra 1973, the derivative by Kaufman 1975).
 */
export interface Projection {
  /** The residual sum of squares, to the digits that a first look needs; infinite where the column is not finite. */
  readonly rss: (parametric: ParametricTrees, numbers: ArrayLike<number>) => number
  /** What numbers are to the fit at a point. */
  readonly at: (parametric: ParametricTrees, numbers: ArrayLike<number>) => Point | undefined
  /**
   * Damped Gauss-Newton steps (`GaussNewton.minimise`) until they gain nothing more.
   *
   * @param from the numbers to begin from, in the support of their priors
   * @param allowed whether numbers are in the support of their priors
   * @param most the most steps that are tried
   */
  readonly descend: (
    parametric: ParametricTrees,
    from: Float64Array,
    allowed: (numbers: ArrayLike<number>) => boolean,
    most: number,
  ) => Point | undefined
}

export interface Point {
  readonly numbers: Float64Array
  readonly rss: number
  /** J'r and J'J, J being the derivatives of the fit by the numbers, outside of the span of all columns */
  readonly gradient: Float64Array
  readonly curvature: Float64Array
  /** |J_j| outside of the span of all columns, as a share of |J_j| */
  readonly shares: Float64Array
}

/** Columns with less than this share of their square outside of the span of others lie in it. */
const dependent = 1e-10

/**
 * @param z the response, of length n, and w its weights
 * @param held columns that are held
 */
export const make = (z: Float64Array, w: Float64Array, held: ReadonlyArray<Float64Array>): Projection => {
  const n = z.length
  const times = (column: Float64Array, out = new Float64Array(n)): Float64Array => {
    for (let i = 0; i < n; i++) out[i] = column[i]! * w[i]!
    return out
  }
  const scratch = new Float64Array(n)
  const basis: Array<Float64Array> = []
  /** Takes out of a column what others span, twice for the sake of rounding. */
  const outside = (column: Float64Array, last?: Float64Array): Float64Array => {
    for (let pass = 0; pass < 2; pass++)
      for (const one of last === undefined ? basis : [...basis, last]) {
        const inner = dot(one, column)
        for (let i = 0; i < n; i++) column[i]! -= inner * one[i]!
      }
    return column
  }
  const unit = (column: Float64Array): Float64Array => {
    const length = Math.sqrt(dot(column, column))
    return column.map((value) => value / length)
  }
  for (const column of [new Float64Array(n).fill(1), ...held]) {
    const weighted = times(column)
    const square = dot(weighted, weighted)
    const left = outside(weighted)
    if (dot(left, left) > dependent * square) basis.push(unit(left))
  }
  const rest = outside(times(z))
  const remaining = dot(rest, rest)

  /** The part of a column outside of what is held, of length 1; undefined if there is none. */
  const direction = (
    column: Float64Array,
  ): { readonly unit: Float64Array; readonly length: number } | undefined => {
    const weighted = times(column)
    const square = dot(weighted, weighted)
    if (!(square < 1e30)) return undefined
    const left = outside(weighted)
    const length = Math.sqrt(dot(left, left))
    if (!(length * length > dependent * square)) return undefined
    for (let i = 0; i < n; i++) left[i]! /= length
    return { unit: left, length }
  }
  const residual = (along: Float64Array): Float64Array => {
    const inner = dot(along, rest)
    const out = new Float64Array(n)
    for (let i = 0; i < n; i++) out[i] = rest[i]! - inner * along[i]!
    return out
  }

  const rss: Projection["rss"] = (parametric, numbers) => {
    const [values] = parametric.values(numbers)
    const column = times(values!, scratch)
    const square = dot(column, column)
    let left = square
    for (const one of basis) left -= dot(one, column) ** 2
    if (!(square < 1e30 && left > 1e-8 * square)) return Infinity
    return remaining - dot(column, rest) ** 2 / left
  }
  const at: Projection["at"] = (parametric, numbers) => {
    const [dual] = parametric.duals(numbers)
    const { values, slopes } = dual!
    const along = direction(values)
    if (along === undefined) return undefined
    const left = residual(along.unit)
    const coefficient = dot(along.unit, rest) / along.length
    const count = numbers.length
    const shares = new Float64Array(count)
    const parts = Array.from({ length: count }, (_, j) => {
      const slope = slopes[j]
      if (slope === undefined) return new Float64Array(n)
      const weighted = times(slope)
      const before = dot(weighted, weighted)
      const part = outside(weighted, along.unit)
      shares[j] = before > 0 ? Math.sqrt(dot(part, part) / before) : 0
      for (let i = 0; i < n; i++) part[i]! *= coefficient
      return part
    })
    const curvature = new Float64Array(count * count)
    for (let j = 0; j < count; j++)
      for (let k = 0; k < count; k++) curvature[j * count + k] = dot(parts[j]!, parts[k]!)
    const gradient = Float64Array.from(parts, (part) => dot(part, left))
    if (!curvature.every(Number.isFinite) || !gradient.every(Number.isFinite)) return undefined
    return { numbers: Float64Array.from(numbers), rss: dot(left, left), gradient, curvature, shares }
  }

  const descend: Projection["descend"] = (parametric, from, allowed, most) =>
    GaussNewton.minimise<Point>(
      {
        at: (numbers) => (allowed(numbers) ? at(parametric, numbers) : undefined),
        loss: (point) => point.rss,
        model: ({ gradient, curvature }) => GaussNewton.normalEquations(gradient, curvature),
      },
      from,
      // A step from a rough start is seldom right undamped.
      { most, damping: 1e-3, enough: (point) => 1e-9 * point.rss + 1e-15 * remaining },
    )?.point
  return { rss, at, descend }
}
