import { once } from "../../internal/once.ts"
import * as GaussNewton from "../../numeric/GaussNewton.ts"
import { allBelow, allFinite } from "../../numeric/finite.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import { largest } from "../columns.ts"
import type { Dual, ParametricTrees } from "../fitted/ParametricTrees.ts"
import { type Back, back, type Response } from "../response.ts"
import { combine, times } from "../responseFit.ts"
import type { Part } from "./Hierarchy.ts"

/**
 * A law over groups of rows, y = h(b_0 + sum_k b_k f_k(x; c)), with d = 1 + K + q numbers: coefficients, intercept first, then
 * the constants inside of terms.
 */
export interface GroupedLaw {
  /** d */
  readonly count: number
  /** 1 + K */
  readonly coefficients: number
  readonly groups: number
  /** One group's rows at its numbers, of length d; undefined where the law is not finite there. */
  readonly at: (group: number, numbers: Float64Array) => Point | undefined
  /**
   * Least squares of one group by itself.
   *
   * @param start initial values of the q constants, from which those of the coefficients follow on the scale of the link, or of all
   *   d numbers
   */
  readonly alone: (group: number, start: ArrayLike<number>) => Point | undefined
}

/** The rows of a group at its numbers. */
export interface Point {
  readonly numbers: Float64Array
  /** y less the law */
  readonly residual: Float64Array
  readonly rss: number
  /** derivatives of the law by each number: d columns */
  readonly columns: () => ReadonlyArray<Float64Array>
}

/** The rows of a group under a link. */
export interface Rows {
  readonly y: Float64Array
  /** the response of the link, and 1 / |g'(y)|, 0 where the link is not defined */
  readonly values: Float64Array
  readonly weights: Float64Array
}

/** Rows of a group may weigh more than the median row by this factor at the initial point. */
const heaviest = 20

/** The rows of each group, by the response of a link on all rows. */
export const rowsOf = (
  response: Response,
  y: Float64Array,
  places: ReadonlyArray<Int32Array>,
): ReadonlyArray<Rows> => {
  const weights = response.slopes.map((slope) => 1 / Math.abs(slope))
  const most = heaviest * weights.toSorted()[weights.length >> 1]!
  const pick = (column: Float64Array, rows: Int32Array): Float64Array =>
    Float64Array.from(rows, (row) => column[row]!)
  return places.map((own) => ({
    y: pick(y, own),
    values: pick(response.values, own),
    weights: pick(weights, own).map((weight) => Math.min(weight, most)),
  }))
}

const rule: GaussNewton.Rule<Point> = { most: 40, damping: 1e-3, enough: ({ rss }) => 1e-10 * rss }

/**
 * @param rows of each group
 * @param trees of each group: of one form, over the columns of its rows
 */
export const make = (
  response: Response,
  rows: ReadonlyArray<Rows>,
  trees: ReadonlyArray<ParametricTrees>,
): GroupedLaw => {
  const identity = response.link.forward._tag === "Variable" && response.inverse._tag === "Variable"
  const way: Back | undefined = identity ? undefined : back(response)
  const constants = trees[0]!.start.length
  const ones = rows.map(({ y }) => new Float64Array(y.length).fill(1))
  const fixed = new Map<number, ReadonlyArray<Dual>>()
  const duals = (group: number, numbers: Float64Array): ReadonlyArray<Dual> => {
    if (constants > 0) return trees[group]!.duals(numbers)
    const known = fixed.get(group) ?? trees[group]!.duals(numbers)
    fixed.set(group, known)
    return known
  }
  const terms = duals(0, trees[0]!.start).length
  const coefficients = terms + 1
  const count = coefficients + constants

  const at: GroupedLaw["at"] = (group, numbers) => {
    const { y } = rows[group]!
    const own = duals(group, numbers.subarray(coefficients))
    if (!own.every(({ values }) => allBelow(values, largest))) return undefined
    const design = [ones[group]!, ...own.map(({ values }) => values)]
    const z = combine(design, numbers)
    const slopes = way && new Float64Array(y.length)
    const law = way === undefined ? z : new Float64Array(y.length)
    if (slopes) way?.run(z, law, slopes)
    const residual = new Float64Array(y.length)
    let rss = 0
    for (let i = 0; i < y.length; i++) {
      const left = y[i]! - law[i]!
      residual[i] = left
      rss += left * left
    }
    if (!Number.isFinite(rss) || (slopes !== undefined && !allFinite(slopes))) return undefined
    const columns = once((): ReadonlyArray<Float64Array> => {
      const sums = Array.from({ length: constants }, (_, j) => {
        const sum = new Float64Array(y.length)
        own.forEach(({ slopes: by }, k) => {
          const slope = by[j]
          const factor = numbers[k + 1]!
          if (slope !== undefined) for (let i = 0; i < sum.length; i++) sum[i]! += factor * slope[i]!
        })
        return sum
      })
      return [...design, ...sums].map((column) => times(column, slopes))
    })
    return { numbers, residual, rss, columns }
  }
  const problem = (group: number): GaussNewton.Problem<Point> => ({
    at: (numbers) => {
      const point = at(group, numbers)
      return point?.columns().every((column) => allBelow(column, largest)) === true ? point : undefined
    },
    loss: ({ rss }) => rss,
    model: (point) => GaussNewton.linearised(point.columns(), point.residual),
  })
  const alone: GroupedLaw["alone"] = (group, start) => {
    const { values, weights } = rows[group]!
    if (start.length === count)
      return GaussNewton.minimise(problem(group), Float64Array.from(start), rule)?.point
    const numbers = new Float64Array(count)
    numbers.set(start, coefficients)
    const design = [ones[group]!, ...duals(group, numbers.subarray(coefficients)).map((dual) => dual.values)]
    if (!design.every((column) => allBelow(column, largest))) return undefined
    const first = leastSquares(
      design.map((column) => times(column, weights)),
      times(values, weights),
    )
    numbers.set(first.coefficients)
    return GaussNewton.minimise(problem(group), numbers, rule)?.point
  }
  return { count, coefficients, groups: rows.length, at, alone }
}

/** The law with the rows of each group multiplied by a weight: one over the deviation of its noise. */
export const weighted = (law: GroupedLaw, weights: Float64Array): GroupedLaw => {
  const times = (point: Point | undefined, group: number): Point | undefined => {
    if (point === undefined) return undefined
    const by = weights[group]!
    const scaled = (column: Float64Array): Float64Array => column.map((value) => by * value)
    return {
      numbers: point.numbers,
      residual: scaled(point.residual),
      rss: by * by * point.rss,
      columns: once(() => point.columns().map(scaled)),
    }
  }
  return {
    ...law,
    at: (group, numbers) => times(law.at(group, numbers), group),
    alone: (group, constants) => times(law.alone(group, constants), group),
  }
}

/** A group's part of a weighted law linearised at a point; y without the weight. */
export const part = ({ numbers, residual, columns }: Point, y: Float64Array, weight: number): Part => {
  const slopes = columns()
  const fitted = combine(slopes, numbers)
  return {
    columns: slopes,
    z: residual.map((value, i) => value + fitted[i]!),
    y: y.map((value) => weight * value),
    ones: new Float64Array(y.length).fill(weight),
  }
}
