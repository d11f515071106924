import type { Link } from "../prob/Link.ts"
import type { Term } from "../expr/Term.ts"
import * as Terms from "../expr/Term.ts"
import { largest } from "./columns.ts"
import * as GPrior from "./gPrior.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as Real from "../numeric/Real.ts"
import { columnOf } from "../expr/columnOf.ts"
import { compileColumn } from "../expr/evaluate.ts"

/** A link that is defined on a data set, and its values there. */
export interface Response {
  readonly _tag: "Response"
  readonly link: Link
  /** z = g(y), length n; 0 on rows where the link is not defined */
  readonly values: Float64Array
  /** g'(y), length n; infinite on rows where the link is not defined, and never 0 */
  readonly slopes: Float64Array
  /**
   * sum_i log |g'(y_i)|, the log Jacobian from a density of z to one of y. Minus infinity when the link is not defined on
   * all rows, since such data cannot come from noise on the scale of the link.
   */
  readonly logJacobian: number
  /** The branch of the inverse on which the data lie, a term over z. */
  readonly inverse: Term<"z">
}

/** A link that is not defined on enough rows of a data set, and the reason as text. */
export interface Dropped {
  readonly _tag: "Dropped"
  readonly link: Link
  readonly reason: string
}

/** The tolerance to which an inverse returns y, relative to the root mean square of y. */
const closeness = 1e-9

/**
 * The largest fraction of rows on which a link may be undefined when noise is on y: noise may change the sign of small
 * values.
 */
export const strayRows = 0.1

/** Whether g(y) and g'(y) are those of a row on which a link is defined. */
export const isSound = (value: number, slope: number): boolean =>
  Math.abs(value) < largest && Number.isFinite(slope) && slope !== 0

/**
 * A link applied to data. It is defined on a row when g(y) is finite and below 1e150 in magnitude, g'(y) is finite and not 0,
 * and the branch of the inverse that returns most of y returns this one.
 *
 * @param y length n, finite
 * @param stray the largest fraction of rows on which the link may be undefined; 0 by default
 */
export const apply = (link: Link, y: Float64Array, stray = 0): Response | Dropped => {
  const values = run(link.forward, "y", y)
  const slopes = run(link.derivative, "y", y)
  const scale = Math.sqrt(dot(y, y) / y.length)
  const sides = link.inverse.map((inverse) => {
    const back = run(inverse, "z", values)
    const astray: Array<number> = []
    for (let i = 0; i < y.length; i++) {
      const returns = Math.abs(back[i]! - y[i]!) <= closeness * scale
      if (!(isSound(values[i]!, slopes[i]!) && returns)) astray.push(i)
    }
    return { inverse, astray }
  })
  const { inverse, astray } = sides.reduce((best, side) =>
    side.astray.length < best.astray.length ? side : best,
  )
  const [row] = astray
  if (row !== undefined && astray.length > stray * y.length) {
    const others = astray.length > 1 ? ` and ${astray.length - 1} more` : ""
    return {
      _tag: "Dropped",
      link,
      reason: `the link "${link.name}" cannot be undone on row ${row + 1}${others}, where the response is ${y[row]}`,
    }
  }
  let logJacobian = 0
  for (const slope of slopes) logJacobian += Real.log(Math.abs(slope))
  for (const i of astray) {
    values[i] = 0
    slopes[i] = Infinity
  }
  return {
    _tag: "Response",
    link,
    values,
    slopes,
    logJacobian: row === undefined ? logJacobian : -Infinity,
    inverse,
  }
}

/** The values of a term of one variable. */
export const run = (term: Term, name: string, input: Float64Array): Float64Array =>
  columnOf(term, [name], [input], input.length)

/**
 * The target of a linear model of z = g(y). The absolute resolution of y_i is the resolution times the standard deviation
 * of y, or times |y_i| if that is less. The resolution of z_i is |g'(y_i)| times that of y_i. The sum of squares over all
 * rows is at least that of `GPrior.target` for z, the values that columns are computed for.
 */
export const target = (
  { values, slopes }: Response,
  y: Float64Array,
  prior: { readonly a: number; readonly resolution: number },
): GPrior.Target => {
  const plain = GPrior.target(values, prior)
  const deviation = Math.sqrt(GPrior.tssOf(y) / y.length)
  let rounding = 0
  for (let i = 0; i < y.length; i++)
    if (Number.isFinite(slopes[i]))
      rounding += (prior.resolution * Math.min(deviation, Math.abs(y[i]!)) * slopes[i]!) ** 2
  return { ...plain, rounding: Math.max(plain.rounding, rounding) }
}

/** The inverse h of a link and its derivative h'. */
export interface Back {
  /**
   * h(z) into `value` and h'(z) into `slope`. `value` is not finite where the inverse is not defined: no law has such a z. Where
   * h is finite at an end of its domain and h' is not (a root at 0), `slope` is 0: to first order such a row determines nothing.
   */
  readonly run: (z: Float64Array, value: Float64Array, slope: Float64Array) => void
}

export const back = ({ inverse }: Pick<Response, "inverse">): Back => {
  const value = compileColumn(inverse, ["z"])
  const slope = compileColumn(Terms.derivative(inverse, "z"), ["z"])
  return {
    run: (z, values, slopes) => {
      value([z], values)
      slope([z], slopes)
      for (let i = 0; i < z.length; i++)
        if (!Number.isFinite(slopes[i]) && Number.isFinite(values[i])) slopes[i] = 0
    },
  }
}
