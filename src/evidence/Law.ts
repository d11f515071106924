import type { Columns } from "./columns.ts"
import { tssOf } from "./gPrior.ts"
import { dot } from "../numeric/orthogonal.ts"
import type { Response } from "./response.ts"
import { back } from "./response.ts"
import * as Term from "../expr/Term.ts"
import * as Tree from "../prob/Tree.ts"

/** Root mean square of y - fitted, in units of y. */
export const rmse = (y: Float64Array, fitted: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < y.length; i++) {
    const miss = y[i]! - fitted[i]!
    sum += miss * miss
  }
  return Math.sqrt(sum / y.length)
}

/** Differences of fits below this part of the root mean square of y, times 1e-9, are rounding. */
const offset = 1e-5

/**
 * What differences of fits are measured by: the standard deviation of y, whatever number it varies around, unless that
 * is so large that fits are rounded more coarsely.
 */
export const scaleOf = (y: Float64Array): number =>
  Math.sqrt(Math.max(tssOf(y), offset ** 2 * dot(y, y)) / y.length)

/**
 * b_0 + sum_k b_k t_k on every row.
 *
 * @param out what is filled and returned, length `columns.rows`; a new array if left out
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

/** b_0 + sum_k b_k f_k, equal trees as one addend; not simplified. */
export const express = (
  trees: ReadonlyArray<Tree.Tree>,
  coefficients: ArrayLike<number>,
  write: (tree: Tree.Tree) => Term.Term,
): Term.Term => {
  const addends = new Map<string, { readonly tree: Tree.Tree; readonly coefficient: number }>()
  trees.forEach((tree, k) => {
    const key = Tree.key(tree)
    addends.set(key, { tree, coefficient: coefficients[k + 1]! + (addends.get(key)?.coefficient ?? 0) })
  })
  return [...addends.values()].reduce<Term.Term>(
    (sum, { tree, coefficient }) => Term.add(sum, Term.mul(coefficient, write(tree))),
    Term.constant(coefficients[0]!),
  )
}

/** Values of the response from values on the scale of its link. */
export const solved = (response: Response, z: Float64Array): Float64Array => {
  const out = new Float64Array(z.length)
  back(response).run(z, out, new Float64Array(z.length))
  return out
}

/**
 * How far rounding takes values of the link out of its range, relative to their root mean square: sqrt(z) of z = -1e-17
 * is written sqrt(z).
 */
const rounding = 1e-9

/**
 * The law solved for the response: the inverse of the link around the linear part. Where fitted values lie outside of
 * the link's range the nearer end is part of the law: sqrt(max(..., 0)).
 *
 * @param fitted the linear part on rows of data, one array for each data set
 */
export const solve = (
  response: Response,
  part: Term.Term,
  fitted: ReadonlyArray<Float64Array>,
): Term.Term => {
  const [low, high] = response.link.range
  const beyond = (outside: (z: number) => number): boolean =>
    fitted.some((values) => {
      const slack = rounding * Math.sqrt(dot(values, values) / values.length)
      return values.some((z) => outside(z) > slack)
    })
  let z = part
  if (beyond((value) => low - value)) z = Term.max(z, low)
  if (beyond((value) => value - high)) z = Term.min(z, high)
  return Term.substitute(response.inverse, { z })
}

/** The last digit of a coefficient that is written, relative to the largest addend: least squares leaves more behind. */
const digit = 1e-12

/**
 * Coefficients as they are written: without digits that change nothing, so that the 0.9999999999999991 of an exact law is
 * 1, and its intercept of 1e-14 is 0.
 *
 * @param lengths root mean squares of what the coefficients multiply, 1 for the intercept
 */
export const legible = (coefficients: Float64Array, lengths: ReadonlyArray<number>): Float64Array => {
  const largest = lengths.reduce((most, length, k) => Math.max(most, Math.abs(coefficients[k]!) * length), 0)
  return coefficients.map((value, k) => {
    if (!(lengths[k]! > 0)) return 0
    const places = -Math.floor(Math.log10((digit * largest) / lengths[k]!))
    // Beyond what decimal notation holds there is nothing to tidy (and for a law that is 0, no digit at all).
    if (!(Math.abs(places) <= 100)) return value
    return places >= 0 ? Number(value.toFixed(places)) : Math.round(value / 10 ** -places) * 10 ** -places
  })
}
