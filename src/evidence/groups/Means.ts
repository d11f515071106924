import { lgamma } from "../../numeric/Special.ts"
import * as Real from "../../numeric/Real.ts"
import { eliminate } from "./elimination.ts"
import type { Linearised, Whitened } from "./Hierarchy.ts"

/** Shared numbers and means of numbers that vary, with known values in place of some numbers. */
export interface Means {
  /** length d, known values included */
  readonly estimate: Float64Array
  /** standard errors in units of sigma, length d; 0 of known values */
  readonly errors: Float64Array
  readonly rss: number
  /**
   * log of the integral of the likelihood over the numbers that are not known, with density 1, and over sigma, with density
   * 1 / sigma, up to a constant that does not depend on which numbers are known
   */
  readonly logIntegral: number
}

/**
 * Least squares of the means in whitened rows.
 *
 * @param known the value of each number, undefined where it is not known
 * @returns undefined where the rows do not determine the others
 */
export const fit = (
  { count, target }: Linearised,
  { triangle }: Whitened,
  known: ReadonlyArray<number | undefined>,
): Means | undefined => {
  const side = count + 3
  const rows = count + 2
  const free = known.flatMap((value, j) => (value === undefined ? [j] : []))
  const size = free.length
  const width = size + 1
  const freedom = target.rows - size
  if (freedom < 1) return undefined
  const matrix = new Float64Array(rows * width)
  for (let i = 0; i < rows; i++) {
    free.forEach((j, k) => {
      matrix[i * width + k] = triangle[i * side + j]!
    })
    matrix[i * width + size] = known.reduce<number>(
      (left, value, j) => (value === undefined ? left : left - value * triangle[i * side + j]!),
      triangle[i * side + count + 1]!,
    )
  }
  eliminate(matrix, rows, width, size)
  let logDeterminant = 0
  for (let k = 0; k < size; k++) logDeterminant += Real.log(Math.abs(matrix[k * width + k]!))
  if (!(logDeterminant > -Infinity)) return undefined
  let rss = 0
  for (let i = size; i < rows; i++) rss += matrix[i * width + size]! ** 2
  const solved = (right: (row: number) => number): Float64Array => {
    const out = new Float64Array(size)
    for (let i = size - 1; i >= 0; i--) {
      let left = right(i)
      for (let k = i + 1; k < size; k++) left -= matrix[i * width + k]! * out[k]!
      out[i] = left / matrix[i * width + i]!
    }
    return out
  }
  const values = solved((row) => matrix[row * width + size]!)
  const squares = new Float64Array(size)
  for (let column = 0; column < size; column++)
    solved((row) => (row === column ? 1 : 0)).forEach((value, i) => {
      squares[i]! += value * value
    })
  const estimate = Float64Array.from(known, (value) => value ?? 0)
  const errors = new Float64Array(count)
  free.forEach((j, k) => {
    estimate[j] = values[k]!
    errors[j] = Math.sqrt(squares[k]!)
  })
  return {
    estimate,
    errors,
    rss,
    logIntegral:
      lgamma(freedom / 2) -
      (freedom / 2) * Real.log(Math.PI * Math.max(rss + target.rounding, Number.MIN_VALUE)) -
      logDeterminant,
  }
}
