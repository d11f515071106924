import { back, type Back, isSound, run, strayRows } from "./response.ts"
import type { Link } from "../prob/Link.ts"
import type { Term } from "../expr/Term.ts"
import * as Real from "../numeric/Real.ts"

/**
 * The working response of a generalised linear model, on which the search regresses (McCullagh and Nelder 1989, section
 * 2.5). With noise on y the values g(y) are biased, and of unequal precision. To first order around a mean mu,
 *
 *     y = h(eta) + eps   =>   z = g(mu) + g'(mu) (y - mu) = eta + g'(mu) eps
 *
 * so that least squares of z with weights 1 / |g'(mu)| has residuals on the scale of y, whatever the link.
 */
export interface WorkingResponse {
  readonly link: Link
  /** Whether the working response does not depend on the mean: the identity's is y. */
  readonly fixed: boolean
  /** Whether the first response, without a mean, is approximate also where y has no noise. */
  readonly rough: boolean
  /** the inverse of the link, on the branch that the data lie on */
  readonly back: Back
  /**
   * z and w, of length n; w is 0 where g is not defined. The largest w is 1000 times the median one, unless noise is on the
   * logarithm of y.
   *
   * @param mu an estimate of the mean of y, length n. y itself is used if it is undefined, or if the link is not defined on
   *   enough rows of it; this is exact for y without noise
   * @param weights of rows, by the noise, of which w is a multiple; equal if left out
   */
  readonly respond: (
    mu: Float64Array | undefined,
    weights?: { readonly by: Float64Array; readonly logarithms?: boolean },
  ) => { readonly z: Float64Array; readonly w: Float64Array }
  /**
   * The mean of (w (z - g(mu)))^2 for laws of mu = 0 or of infinite mu, whichever is less: no relative error, which is linearised,
   * counts as more, however many orders of magnitude a law is off. Infinite for a logarithm, which is linear in orders of magnitude.
   */
  readonly most: (of: { readonly z: Float64Array; readonly w: Float64Array }) => number
}

/**
 * The largest weight as a multiple of the median weight: where g is steep the first-order expansion is inaccurate, and a
 * response over many decades would otherwise be that of its largest values alone.
 */
const heaviest = 1000

/** g and g' on every row, and the rows on which g is defined and a branch of its inverse returns y. */
interface Applied {
  readonly z: Float64Array
  readonly slope: Float64Array
  readonly defined: ReadonlyArray<boolean>
}

const apply = (link: Link, branch: Term<"z">, y: Float64Array): Applied => {
  const z = run(link.forward, "y", y)
  const slope = run(link.derivative, "y", y)
  const again = run(branch, "z", z)
  const defined = Array.from(
    y,
    (value, i) => isSound(z[i]!, slope[i]!) && Math.abs(again[i]! - value) <= 1e-6 * Math.abs(value),
  )
  return { z, slope, defined }
}

const meanSquare = (z: Float64Array, w: Float64Array, end: number): number => {
  let [sum, count] = [0, 0]
  for (let i = 0; i < z.length; i++) {
    if (!(w[i]! > 0)) continue
    sum += (w[i]! * (z[i]! - end)) ** 2
    count++
  }
  return sum / count
}

/** The largest weight of a row. */
const limitOf = (weights: Float64Array): number => {
  const sorted = weights.filter((weight) => weight > 0).sort()
  return heaviest * sorted[sorted.length >> 1]!
}

const isEnough = (defined: number, rows: number): boolean => defined >= (1 - strayRows) * rows

/**
 * The working response of a link on data.
 *
 * @param y length n, finite
 * @returns undefined when the link is not defined on enough rows of y
 */
export const make = (link: Link, y: Float64Array): WorkingResponse | undefined => {
  const sides = link.inverse.map((branch) => {
    const { slope, defined } = apply(link, branch, y)
    return { branch, slopes: slope.filter((_, i) => defined[i]) }
  })
  const side = sides.reduce((best, other) => (other.slopes.length > best.slopes.length ? other : best))
  if (!isEnough(side.slopes.length, y.length)) return undefined
  // g(0) and g of an infinite value, where they are finite
  const ends = run(link.forward, "y", Float64Array.of(0, Infinity)).filter(Number.isFinite)
  const plain = limitOf(side.slopes.map((slope) => 1 / Math.abs(slope)))
  return {
    link,
    fixed: link.forward._tag === "Variable",
    rough: false,
    back: back({ inverse: side.branch }),
    most: ({ z, w }) => ends.reduce((least, end) => Math.min(least, meanSquare(z, w, end)), Infinity),
    respond: (mean = y, weights) => {
      const there = apply(link, side.branch, mean)
      const usable = isEnough(there.defined.filter(Boolean).length, y.length)
      const mu = usable ? mean : y
      const { z: g, slope, defined } = usable ? there : apply(link, side.branch, y)
      const own = (i: number): number => weights?.by[i] ?? 1
      const limit =
        weights === undefined
          ? plain
          : weights.logarithms === true
            ? Infinity
            : limitOf(slope.map((value, i) => (defined[i] === true ? own(i) / Math.abs(value) : 0)))
      const z = new Float64Array(y.length)
      const w = new Float64Array(y.length)
      for (let i = 0; i < y.length; i++) {
        if (defined[i] !== true) continue
        // The weight and the slope are cut together. With the weight cut alone, z would not depend on y at a mean where g
        // is flat, and would be fitted without a residual.
        const steep = Math.max(Math.abs(slope[i]!), own(i) / limit)
        z[i] = g[i]! + Math.sign(slope[i]!) * steep * (y[i]! - mu[i]!)
        w[i] = own(i) / steep
      }
      return { z, w }
    },
  }
}

/**
 * The values around which a response with noise on its logarithm is linearised: those of a law, or where the law is off by more than a
 * factor of e, so that the first order says nothing, y itself.
 *
 * @param y length n
 * @param mean the law's values, length n
 */
export const near = (y: Float64Array, mean: Float64Array): Float64Array =>
  y.map((value, i) => (Math.abs(Real.log(value / mean[i]!)) < 1 ? mean[i]! : value))
