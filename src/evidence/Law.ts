import type { Dataset } from "../data/Data.ts"
import type { Columns } from "./columns.ts"
import { tssOf } from "./gPrior.ts"
import { dot } from "../numeric/orthogonal.ts"
import type { Response } from "./response.ts"
import { back } from "./response.ts"
import { combine } from "./responseFit.ts"
import * as Term from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"
import { pow } from "../numeric/Power.ts"
import * as Real from "../numeric/Real.ts"

/**
 * Root mean square of y - fitted, in units of y.
 *
 * @param weights rows with the weight 0 do not count; all count if left out
 */
export const rmse = (y: Float64Array, fitted: Float64Array, weights?: Float64Array): number => {
  let [sum, count] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    if (weights?.[i] === 0) continue
    const miss = y[i]! - fitted[i]!
    sum += miss * miss
    count++
  }
  return Math.sqrt(sum / count)
}

/** Differences between fits that are below this fraction of the root mean square of y, times 1e-9, are rounding errors. */
const offset = 1e-5

/**
 * The unit of differences between fits, in units of y: the standard deviation of y. Where the mean of y is so large that
 * fitted values are rounded more coarsely than this, the unit follows from the root mean square of y.
 */
export const scaleOf = (y: Float64Array): number =>
  Math.sqrt(Math.max(tssOf(y), offset ** 2 * dot(y, y)) / y.length)

/**
 * b_0 + sum_k b_k t_k on every row.
 *
 * @param coefficients length K + 1, intercept first
 * @param out the array that is filled and returned, length `columns.rows`; a new array if left out
 */
export const linear = (
  columns: Columns,
  trees: ReadonlyArray<Tree.Tree>,
  coefficients: ArrayLike<number>,
  out: Float64Array = new Float64Array(columns.rows),
): Float64Array => {
  out.fill(coefficients[0]!)
  trees.forEach((tree, k) => addTo(out, coefficients[k + 1]!, columns.column(tree).values))
  return out
}

const addTo = (out: Float64Array, factor: number, values: Float64Array): void => {
  for (let i = 0; i < out.length; i++) out[i]! += factor * values[i]!
}

/** b_0 + sum_k b_k f_k as a term that is not simplified. Equal trees share one coefficient. */
export const express = (
  trees: ReadonlyArray<Tree.Tree>,
  coefficients: ArrayLike<number>,
  write: (tree: Tree.Tree) => Term.Term,
): Term.Term => {
  const terms = new Map<string, { readonly tree: Tree.Tree; readonly coefficient: number }>()
  trees.forEach((tree, k) => {
    const key = Tree.key(tree)
    terms.set(key, { tree, coefficient: coefficients[k + 1]! + (terms.get(key)?.coefficient ?? 0) })
  })
  return [...terms.values()].reduce<Term.Term>(
    (sum, { tree, coefficient }) => Term.add(sum, Term.mul(coefficient, write(tree))),
    Term.constant(coefficients[0]!),
  )
}

/** The inverse of the link on every row: from values on the link's scale to values in units of y. */
export const solved = (response: Response, z: Float64Array): Float64Array => {
  const out = new Float64Array(z.length)
  back(response).run(z, out, new Float64Array(z.length))
  return out
}

/** The law solved for the response: the inverse of the link, applied to the linear part. */
export const solve = (response: Response, part: Term.Term): Term.Term =>
  Term.substitute(response.inverse, { z: part })

/**
 * The last digit of a coefficient that is written, relative to the largest term. Digits below it are rounding of least
 * squares.
 */
const digit = 1e-12

/**
 * Coefficients rounded to the digits that change fitted values. The coefficient 0.9999999999999991 of an exact law becomes
 * 1, and its intercept of 1e-14 becomes 0.
 *
 * @param lengths root mean squares of the columns that the coefficients multiply, 1 for the intercept
 */
export const legible = (coefficients: Float64Array, lengths: ReadonlyArray<number>): Float64Array => {
  const largest = lengths.reduce((most, length, k) => Math.max(most, Math.abs(coefficients[k]!) * length), 0)
  return coefficients.map((value, k) => {
    if (!(lengths[k]! > 0)) return 0
    const places = -Math.floor(Real.log10((digit * largest) / lengths[k]!))
    // toFixed allows 100 decimal places; a law that is 0 has no digits.
    if (!(Math.abs(places) <= 100)) return value
    return places >= 0
      ? Number(value.toFixed(places))
      : Math.round(value / pow(10, -places)) * pow(10, -places)
  })
}

/**
 * Coefficients as a law is written with them: `legible`, unless the digits that are left out take a row out of the domain of the
 * inverse link, as those of an intercept of 1e-17 do where a root is taken of 0.
 *
 * @param design the columns that the coefficients multiply, ones for the intercept, length n each
 */
export const written = (
  response: Response,
  design: ReadonlyArray<Float64Array>,
  coefficients: Float64Array,
): Float64Array => {
  const rounded = legible(
    coefficients,
    design.map((column) => Math.sqrt(dot(column, column) / column.length)),
  )
  const [before, after] = [coefficients, rounded].map((one) => solved(response, combine(design, one)))
  const isAsGood = before!.every((value, i) => !Number.isFinite(value) || Number.isFinite(after![i]))
  return isAsGood ? rounded : coefficients
}

/**
 * Terms in the notation of physics (`Term.arrange`), the same functions on every row of every data set: sqrt(m^2*v) is
 * m*sqrt(v) where all values of m are positive.
 */
export const arranger = (data: ReadonlyArray<Dataset>): ((term: Term.Term) => Term.Term) => {
  const positive = new Set(
    data[0]?.features.filter((name) =>
      data.every(({ features, columns }) => columns[features.indexOf(name)]?.every((value) => value > 0)),
    ),
  )
  return (term) => Term.arrange(term, { positive: (name) => positive.has(name) })
}
