import { dependent } from "../../numeric/collinearity.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { dot, outside } from "../../numeric/orthogonal.ts"
import { derivatives } from "./derivatives.ts"
import type { ParametricTrees } from "./ParametricTrees.ts"

/**
 * Least squares of one response on columns that are held and trees with fitted numbers: the coefficients are always
 * those of least squares, so that the sum of squares is a function of the numbers alone (variable projection; Golub and
 * Pereyra 1973, the derivative by Kaufman 1975).
 */
export interface Projection {
  /** The residual sum of squares, to the digits that a first look needs; infinite where a column is not finite. */
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

/** The part of a column outside of the span of others: its direction, of length 1, and its length. */
interface Part {
  readonly unit: Float64Array
  readonly length: number
}

/**
 * @param z the response, of length n, and w its weights
 * @param held columns that are held
 * @param intercept whether a constant is held as well
 */
export const make = (
  z: Float64Array,
  w: Float64Array,
  held: ReadonlyArray<Float64Array>,
  intercept = true,
): Projection => {
  const n = z.length
  const times = (column: Float64Array, out: Float64Array = new Float64Array(n)): Float64Array => {
    for (let i = 0; i < n; i++) out[i] = column[i]! * w[i]!
    return out
  }
  const workspace = new Float64Array(n)
  const basis: Array<Float64Array> = []
  /** The part of a weighted column outside of directions; undefined if there is none, or the column is not finite. */
  const partOf = (weighted: Float64Array, directions: ReadonlyArray<Float64Array>): Part | undefined => {
    const square = dot(weighted, weighted)
    if (!(square < Infinity)) return undefined
    const unit = outside(weighted, directions)
    const length = Math.sqrt(dot(unit, unit))
    if (!(length * length > dependent * square)) return undefined
    for (let i = 0; i < n; i++) unit[i]! /= length
    return { unit, length }
  }
  for (const column of intercept ? [new Float64Array(n).fill(1), ...held] : held) {
    const part = partOf(times(column), basis)
    if (part !== undefined) basis.push(part.unit)
  }
  const rest = outside(times(z), basis)
  const remaining = dot(rest, rest)

  const rss: Projection["rss"] = (parametric, numbers) => {
    const columns = parametric.values(numbers)
    if (columns.length === 1) {
      const column = times(columns[0]!, workspace)
      const square = dot(column, column)
      let left = square
      for (const one of basis) left -= dot(one, column) ** 2
      if (!(square < Infinity && left > 1e-8 * square)) return Infinity
      return remaining - dot(column, rest) ** 2 / left
    }
    const found = directionsOf(columns)
    if (found === undefined) return Infinity
    return found.parts.reduce((sum, { unit }) => sum - dot(unit, rest) ** 2, remaining)
  }

  /** Orthogonal directions of columns outside the span of the columns held, and the triangular factor; undefined where one adds nothing. */
  const directionsOf = (columns: ReadonlyArray<Float64Array>) => {
    const parts: Array<Part> = []
    const above: Array<ReadonlyArray<number>> = []
    for (const values of columns) {
      const weighted = times(values)
      const before = parts.map(({ unit }) => unit)
      const along = before.map((unit) => dot(unit, weighted))
      const part = partOf(weighted, [...basis, ...before])
      if (part === undefined) return undefined
      parts.push(part)
      above.push(along)
    }
    return { parts, above }
  }

  const at: Projection["at"] = (parametric, numbers) => {
    const duals = parametric.duals(numbers)
    const found = directionsOf(duals.map(({ values }) => values))
    if (found === undefined) return undefined
    const { parts, above } = found
    const units = parts.map(({ unit }) => unit)
    const inner = units.map((unit) => dot(unit, rest))
    const left = rest.slice()
    units.forEach((unit, k) => {
      for (let i = 0; i < n; i++) left[i]! -= inner[k]! * unit[i]!
    })
    // Back substitution: the coefficients of the columns from those of the directions.
    const coefficients = new Float64Array(parts.length)
    for (let k = parts.length - 1; k >= 0; k--) {
      let sum = inner[k]!
      for (let later = k + 1; later < parts.length; later++) sum -= above[later]![k]! * coefficients[later]!
      coefficients[k] = sum / parts[k]!.length
    }
    const count = numbers.length
    const shares = new Float64Array(count)
    const all = [...basis, ...units]
    const moved = derivatives(count, duals, coefficients).map((slope, j) => {
      const weighted = times(slope, slope)
      const before = dot(weighted, weighted)
      const part = outside(weighted, all)
      shares[j] = before > 0 ? Math.sqrt(dot(part, part) / before) : 0
      return part
    })
    const curvature = new Float64Array(count * count)
    for (let j = 0; j < count; j++)
      for (let k = 0; k < count; k++) curvature[j * count + k] = dot(moved[j]!, moved[k]!)
    const gradient = Float64Array.from(moved, (part) => dot(part, left))
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
