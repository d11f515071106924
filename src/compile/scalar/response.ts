import type { Link } from "../../declare/Link.ts"
import type { Term } from "../../declare/Term.ts"
import * as Terms from "../../declare/Term.ts"
import { largest } from "./columns.ts"
import * as GPrior from "./gPrior.ts"
import { dot } from "./orthogonal.ts"
import { compileColumn } from "./term.ts"

/** A link that holds for the values of a data set. */
export interface Response {
  readonly _tag: "Response"
  readonly link: Link
  /** z = g(y), length n */
  readonly values: Float64Array
  /** g'(y), length n; never 0 */
  readonly slopes: Float64Array
  /** sum_i log |g'(y_i)|: what turns a density of z into one of y */
  readonly logJacobian: number
  /** The branch of the inverse on which the data lie, a term over z. */
  readonly inverse: Term<"z">
}

/** A link that does not hold for the values of a data set, and why. */
export interface Dropped {
  readonly _tag: "Dropped"
  readonly link: Link
  readonly reason: string
}

/** How closely an inverse returns y, relative to the root mean square of y. */
const closeness = 1e-9

/**
 * A link applied to data. It is dropped when g(y) is not finite or not below 1e15 in magnitude, when g'(y) is not finite or 0
 * somewhere, or when no one branch of the inverse returns all of y.
 *
 * @param y length n, finite
 */
export const apply = (link: Link, y: Float64Array): Response | Dropped => {
  const run = (term: Term, name: string, input: Float64Array): Float64Array => {
    const out = new Float64Array(input.length)
    compileColumn(term, [name])([input], out)
    return out
  }
  const drop = (row: number, what: string): Dropped => ({
    _tag: "Dropped",
    link,
    reason: `the link "${link.name}" ${what} at row ${row + 1}, where the response is ${y[row]}`,
  })
  const values = run(link.forward, "y", y)
  const wild = values.findIndex((z) => !(Math.abs(z) < largest))
  if (wild >= 0) return drop(wild, "is not finite, or too large,")
  const slopes = run(link.derivative, "y", y)
  const flat = slopes.findIndex((slope) => !(Number.isFinite(slope) && slope !== 0))
  if (flat >= 0) return drop(flat, "has no finite slope other than 0")
  const scale = Math.sqrt(dot(y, y) / y.length)
  const apart = link.inverse.map((branch) => {
    const back = run(branch, "z", values)
    return back.findIndex((value, i) => !(Math.abs(value - y[i]!) <= closeness * scale))
  })
  const branch = apart.indexOf(-1)
  if (branch < 0) return drop(Math.max(...apart), "cannot be undone")
  return {
    _tag: "Response",
    link,
    values,
    slopes,
    logJacobian: slopes.reduce((sum, slope) => sum + Math.log(Math.abs(slope)), 0),
    inverse: link.inverse[branch]!,
  }
}

/**
 * What a linear model of z = g(y) has to explain. y_i is known to resolution |y_i|, therefore z_i to |g'(y_i)| times that; no
 * more closely than to the resolution of z itself, in which columns are computed.
 */
export const target = (
  { values, slopes }: Response,
  y: Float64Array,
  prior: { readonly a: number; readonly resolution: number },
): GPrior.Target => {
  const plain = GPrior.target(values, prior)
  let rounding = 0
  for (let i = 0; i < y.length; i++) rounding += (prior.resolution * y[i]! * slopes[i]!) ** 2
  return { ...plain, rounding: Math.max(plain.rounding, rounding) }
}

/** The way back from the scale of the link: h and h' where the inverse is defined. */
export interface Back {
  /**
   * h(z) into `value` and h'(z) into `slope`. z outside of the link's range counts as the nearer end, where the slope
   * is 0.
   *
   * @returns the largest distance of z from the range
   */
  readonly run: (z: Float64Array, value: Float64Array, slope: Float64Array) => number
}

export const back = ({ link, inverse }: Pick<Response, "link" | "inverse">): Back => {
  const value = compileColumn(inverse, ["z"])
  const slope = compileColumn(Terms.derivative(inverse, "z"), ["z"])
  const [low, high] = link.range
  return {
    run: (z, values, slopes) => {
      let outside = 0
      const inside = z.map((at) => {
        outside = Math.max(outside, low - at, at - high)
        return Math.min(Math.max(at, low), high)
      })
      value([inside], values)
      slope([inside], slopes)
      // The end of a range is where slopes are infinite (a root at 0): it holds what is moved there.
      for (let i = 0; i < z.length; i++) if (z[i]! <= low || z[i]! >= high) slopes[i] = 0
      return outside
    },
  }
}
