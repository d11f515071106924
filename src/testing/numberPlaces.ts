import type * as Data from "../data/Data.ts"
import * as FittedLaw from "../evidence/fitted/FittedLaw.ts"
import * as GaussNewton from "../numeric/GaussNewton.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as Student from "../numeric/Student.ts"

/** A law with these numbers is the true one where it misses its values by less than this share of their standard deviation. */
const reached = 1e-6

interface Point {
  readonly numbers: Float64Array
  readonly residual: Float64Array
  readonly slopes: ReadonlyArray<Float64Array>
  readonly loss: number
}

/**
 * The places of the true numbers of a law in the posterior of its fitted ones: for each, the probability below it of Student's t distribution
 * around the fitted value with the standard error as scale. They are uniform on (0, 1) over data from laws of the form (Cook, Gelman and Rubin 2006).
 *
 * *When to use*: for the calibration of standard errors, of a law that has the form of the true one.
 *
 * @param truth the rows of the fit, with the values of the true law without noise as the response
 * @returns one place for each number, in the order of `fitted.names`; undefined where no numbers make the law the true one, as of another form
 */
export const numberPlaces = (
  fitted: FittedLaw.FittedLaw,
  truth: Data.Dataset,
): ReadonlyArray<number> | undefined => {
  const { features, columns, rows, y } = truth
  const at = (numbers: Float64Array): Point | undefined => {
    const { mean, slopes } = FittedLaw.rows({ ...fitted, values: numbers }, features, columns, rows)
    const residual = y.map((value, i) => value - mean[i]!)
    const loss = dot(residual, residual)
    return Number.isFinite(loss) && slopes.every((slope) => slope.every(Number.isFinite))
      ? { numbers, residual, slopes, loss }
      : undefined
  }
  const problem: GaussNewton.Problem<Point> = {
    at,
    loss: ({ loss }) => loss,
    model: ({ slopes, residual }) => GaussNewton.linearised(slopes, residual),
  }
  const rule: GaussNewton.Rule<Point> = { most: 60, enough: ({ loss }) => 1e-15 * loss }
  const found = GaussNewton.minimise(problem, fitted.values, rule)?.point
  const level = y.reduce((sum, value) => sum + value, 0) / rows
  const spread = y.reduce((sum, value) => sum + (value - level) ** 2, 0)
  if (found === undefined || !(found.loss <= reached ** 2 * spread)) return undefined
  const errors = FittedLaw.errors(fitted)
  return Array.from(found.numbers, (value, j) =>
    Student.cdf((value - fitted.values[j]!) / errors[j]!, fitted.freedom),
  )
}
