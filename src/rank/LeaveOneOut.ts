import type { Columns } from "../evidence/columns.ts"
import { derivatives } from "../evidence/fitted/derivatives.ts"
import * as ParametricTrees from "../evidence/fitted/ParametricTrees.ts"
import * as Law from "../evidence/Law.ts"
import * as LeaveOneOut from "../evidence/leaveOneOut.ts"
import type { Tree } from "../prob/Tree.ts"

/** Above this number of rows hat values are their mean, p / n: they change errors by less than a thousandth. */
const many = 20_000
/** The step of a derivative of the inverse link, relative to the root mean square of its argument. */
const step = 1e-6

/** A law with its coefficients on data. */
export interface Fit {
  readonly trees: ReadonlyArray<Tree>
  /** intercept first */
  readonly coefficients: Float64Array
  /** the derivatives of the sum of terms by its free coefficients (`ExactAssessment.slopes`); by all if left out */
  readonly slopes?: (() => ReadonlyArray<Float64Array>) | undefined
  /** the inverse of the link, from sums of terms to values of y, length n */
  readonly solved: (z: Float64Array) => Float64Array
  /** one over the standard deviation of each row; all equal if left out */
  readonly by?: Float64Array | undefined
}

/** The derivatives of sums of terms by all coefficients. */
const coefficientColumns = (trees: ReadonlyArray<Tree>, columns: Columns): ReadonlyArray<Float64Array> => [
  new Float64Array(columns.rows).fill(1),
  ...trees.map((tree) => columns.column(tree).values),
]

/** The derivatives of sums of terms by fitted constants inside of terms. */
const constantColumns = ({ trees, coefficients }: Fit, columns: Columns): ReadonlyArray<Float64Array> => {
  if (!ParametricTrees.any(columns.grammar, trees)) return []
  const parametric = ParametricTrees.make(columns)(trees)
  const { start } = parametric
  return derivatives(start.length, parametric.duals(start), coefficients.subarray(1))
}

/** y less the mean of all other rows, length n. */
const fromOthers = (y: Float64Array, by?: Float64Array): Float64Array => {
  const weight = (i: number): number => (by?.[i] ?? 1) ** 2
  const total = y.reduce((sum, _, i) => sum + weight(i), 0)
  const mean = y.reduce((sum, value, i) => sum + weight(i) * value, 0) / total
  return y.map((value, i) => {
    const others = total - weight(i)
    return others > 0 ? ((value - mean) * total) / others : Infinity
  })
}

/**
 * The leave-one-out error of a law, in units of y: root mean square of y less its prediction from all other rows
 * (`evidence/leaveOneOut`), with one hat matrix of all coefficients and fitted constants, through the link's slope. A row that determines a number
 * by itself is predicted by the mean of the others.
 *
 * @param y length n
 */
export const rmse = (fit: Fit, columns: Columns, y: Float64Array): number => {
  const z = Law.linear(columns, fit.trees, fit.coefficients)
  const fitted = fit.solved(z)
  const residuals = y.map((value, i) => value - fitted[i]!)
  const own = [
    ...(fit.slopes?.() ?? coefficientColumns(fit.trees, columns)),
    ...constantColumns(fit, columns),
  ]
  if (y.length > many) return Law.rmse(y, fitted, fit.by) / (1 - own.length / y.length)
  const delta = step * (Math.sqrt(z.reduce((sum, value) => sum + value * value, 0) / z.length) || 1)
  const [up, down] = [delta, -delta].map((by) => fit.solved(z.map((value) => value + by)))
  // Beside an end of the link's range one side alone may have a value.
  const slope = fitted.map((value, i) => {
    const [a, b] = [up![i]!, down![i]!]
    if (Number.isFinite(a) && Number.isFinite(b)) return (a - b) / (2 * delta)
    return Number.isFinite(a) ? (a - value) / delta : (value - b) / delta
  })
  return LeaveOneOut.rmse(
    residuals,
    own.map((column) => column.map((value, i) => value * slope[i]!)),
    fit.by,
    fromOthers(y, fit.by),
  )
}
