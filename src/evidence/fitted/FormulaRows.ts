import type { Dataset } from "../../data/Data.ts"
import { compileColumn } from "../../expr/evaluate.ts"
import { incremental, type NumbersFunction, type Table } from "../../expr/incremental.ts"
import * as Term from "../../expr/Term.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { dot, outside } from "../../numeric/orthogonal.ts"
import { largest } from "../columns.ts"
import { completed } from "./completed.ts"
import { allBelow, allFinite, largestFinite } from "../../numeric/finite.ts"

/**
 * Slopes by symbolic derivatives, each of which is compiled, or by differences of the formula, of which only the parts are evaluated that have
 * the number: for many formulas on few rows.
 */
export type Slopes = "derivatives" | "differences"

/** A formula and its derivatives as functions of its numbers, on some rows. */
export interface FormulaRows {
  /** y less the formula, times the root of the weight of each row */
  readonly residual: (values: ArrayLike<number>) => Float64Array
  /** the derivatives of the formula by the numbers of some names, all by default, times the same */
  readonly slopes: (values: ArrayLike<number>, by?: ReadonlyArray<string>) => ReadonlyArray<Float64Array>
}

/** The step of a difference, as a share of the number; of 0 the first, and the largest. */
const step = 1e-6
const widest = 1e60

/** A term as a function of its numbers, in one pass over the rows for each call. */
const compiled = (
  term: Term.Term,
  { features, columns, rows }: Table,
  names: ReadonlyArray<string>,
): NumbersFunction => {
  const run = compileColumn(term, [...features, ...names])
  const numbers = names.map(() => new Float64Array(rows))
  const inputs = [...columns, ...numbers]
  const out = new Float64Array(rows)
  return (values) => {
    numbers.forEach((column, j) => column.fill(values[j]!))
    run(inputs, out)
    return out
  }
}

/**
 * @param names the numbers among the formula's variables
 * @param by roots of weights, 0 for rows that do not count; 1 if left out
 */
export const make = (
  formula: Term.Term,
  names: ReadonlyArray<string>,
  { features, columns, y, rows }: Dataset,
  by: Float64Array | undefined,
  kind: Slopes = "derivatives",
): FormulaRows => {
  const weigh = (column: Float64Array): Float64Array =>
    by === undefined ? column : column.map((value, i) => (by[i] === 0 ? 0 : value * by[i]!))
  const functionOf = (term: Term.Term): NumbersFunction =>
    (kind === "differences" ? incremental : compiled)(term, { features, columns, rows }, names)
  const run = functionOf(formula)
  const derivatives =
    kind === "derivatives" ? names.map((name) => functionOf(Term.derivative(formula, name))) : []
  const residual = (values: ArrayLike<number>): Float64Array => {
    const out = run(values).slice()
    for (let i = 0; i < rows; i++) out[i] = y[i]! - out[i]!
    return weigh(out)
  }
  const difference = (values: ArrayLike<number>, j: number, at: Float64Array): Float64Array => {
    const moved = Float64Array.from(values)
    const own = values[j]!
    const changed = (by: number): Float64Array => {
      moved[j] = own + by
      const out = run(moved).slice()
      for (let i = 0; i < rows; i++) out[i] = out[i]! - at[i]!
      return out
    }
    let by = Math.abs(own) * step || step
    let out = changed(by)
    if (own === 0) {
      // 0 has no unit: the step grows until the formula changes by more than its rounding, a = 0 of x + a with x of 1e9, too.
      const seen = step * largestFinite(at)
      while (allFinite(out) && by < widest && largestFinite(out) < seen) out = changed((by /= step))
    }
    for (let i = 0; i < rows; i++) out[i]! /= by
    return out
  }
  const derivative = (values: ArrayLike<number>, j: number): Float64Array => {
    const slope = derivatives[j]!(values).slice()
    if (allFinite(slope)) return slope
    const at = run(values).slice()
    return completed(slope, at, () => difference(values, j, at))
  }
  const slopes: FormulaRows["slopes"] = (values, some = names) => {
    if (kind === "derivatives") return some.map((name) => weigh(derivative(values, names.indexOf(name))))
    const at = run(values).slice()
    return some.map((name) => weigh(difference(values, names.indexOf(name), at)))
  }
  return { residual, slopes }
}

export const square = (column: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]! * column[i]!
  return sum
}

interface Point {
  readonly residual: Float64Array
  readonly slopes: ReadonlyArray<Float64Array>
  readonly rss: number
}

/** The numbers of a formula where steps have ended. */
export interface Followed {
  readonly values: Float64Array
  readonly rss: number
  /** the derivatives there */
  readonly slopes: ReadonlyArray<Float64Array>
}

/** Damped Gauss-Newton steps from one point to the next. */
const descend = <P extends Point>(
  at: (x: Float64Array) => P | undefined,
  from: Float64Array,
  steps: number,
): GaussNewton.Minimum<P> | undefined =>
  GaussNewton.minimise<P>(
    {
      at,
      loss: ({ rss }) => rss,
      model: ({ slopes, residual }) => GaussNewton.linearised(slopes, residual),
    },
    from,
    { most: steps, damping: 1e-3, enough: ({ rss }) => 1e-12 * rss },
  )

/** Whether columns have values whose squares are finite, too. */
export const areFinite = (columns: ReadonlyArray<Float64Array>): boolean =>
  columns.every((column) => allBelow(column, largest))

/**
 * The numbers of the least sum of squares that damped Gauss-Newton steps in all of them lead to.
 *
 * @param steps at most
 *
 * @returns undefined where the formula or a derivative is not finite on every row at the start
 */
export const follow = (
  { residual: missed, slopes: derivatives }: FormulaRows,
  from: Float64Array,
  steps = 100,
): Followed | undefined => {
  const at = (values: Float64Array): Point | undefined => {
    const residual = missed(values)
    const rss = square(residual)
    if (!Number.isFinite(rss)) return undefined
    const slopes = derivatives(values)
    return slopes.every(allFinite) ? { residual, slopes, rss } : undefined
  }
  const found = descend(at, from, steps)
  return found && { values: found.x, rss: found.point.rss, slopes: found.point.slopes }
}

/** Columns with less than this share of their square outside of the span of others lie in it. */
const dependent = 1e-20

/** Directions of length 1 with the span of some columns. */
const directionsOf = (columns: ReadonlyArray<Float64Array>): ReadonlyArray<Float64Array> => {
  const found: Array<Float64Array> = []
  for (const column of columns) {
    const unit = outside(column.slice(), found)
    const square = dot(unit, unit)
    if (square > dependent * dot(column, column)) found.push(unit.map((value) => value / Math.sqrt(square)))
  }
  return found
}

/** A point with the best values of the linear numbers. */
interface Projected extends Point {
  readonly values: Float64Array
}

/**
 * The same by steps in the other numbers alone, linear ones always being those of least squares (variable projection; Golub and Pereyra 1973,
 * the derivative by Kaufman 1975): it follows valleys in which joint steps creep.
 *
 * @param names of all numbers
 * @param linear the names by which the formula is linear, given the others
 * @param steps at most
 *
 * @returns undefined where the formula or a derivative is not finite on every row at the start
 */
export const followProjected = (
  own: FormulaRows,
  names: ReadonlyArray<string>,
  linear: ReadonlyArray<string>,
  from: Float64Array,
  steps = 100,
): Followed | undefined => {
  const others = names.filter((name) => !linear.includes(name))
  if (linear.length === 0 || others.length === 0) return follow(own, from, steps)
  const placed = (
    some: ReadonlyArray<string>,
    values: ArrayLike<number>,
    out: Float64Array,
  ): Float64Array => {
    some.forEach((name, j) => (out[names.indexOf(name)] = values[j]!))
    return out
  }
  const at = (x: Float64Array): Projected | undefined => {
    const values = placed(others, x, new Float64Array(names.length))
    const rest = own.residual(values)
    const design = own.slopes(values, linear)
    if (!areFinite([rest, ...design])) return undefined
    const { coefficients, residual, rss } = leastSquares(design, rest)
    placed(linear, coefficients, values)
    const slopes = own.slopes(values, others)
    if (!areFinite(slopes)) return undefined
    const directions = directionsOf(design)
    return { values, residual, rss, slopes: slopes.map((slope) => outside(slope.slice(), directions)) }
  }
  const found = descend(
    at,
    Float64Array.from(others, (name) => from[names.indexOf(name)]!),
    steps,
  )
  if (found === undefined) return undefined
  const { values, rss } = found.point
  return { values, rss, slopes: own.slopes(values) }
}
