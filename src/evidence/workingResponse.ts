import { largest } from "./columns.ts"
import { back, type Back, run, strayRows } from "./response.ts"
import type { Link } from "../prob/Link.ts"
import type { Term } from "../expr/Term.ts"

/**
 * The working response of a generalised linear model, on which the search regresses (McCullagh and Nelder 1989, section
 * 2.5). With noise on y the values g(y) are biased, and of unequal precision. To first order around a mean mu,
 *
 *     y = h(eta) + eps   =>   z = g(mu) + g'(mu) (y - mu) = eta + g'(mu) eps
 *
 * so that least squares of z with weights 1 / |g'(mu)| has residuals on the scale of y, whatever the link.
 */
export interface Working {
  readonly link: Link
  /** Whether the working response does not depend on the mean: the identity's is y. */
  readonly fixed: boolean
  /** Whether the first response, without a mean, is approximate also where y has no noise. */
  readonly rough: boolean
  /** the inverse of the link, on the branch that the data lie on */
  readonly back: Back
  /**
   * Writes z and w, of length n; w is 0 where g is not defined.
   *
   * @param mu an estimate of the mean of y, length n. y itself is used if it is undefined, or if the link is not defined on
   *   enough rows of it; this is exact for y without noise
   */
  readonly respond: (mu: Float64Array | undefined) => { readonly z: Float64Array; readonly w: Float64Array }
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
    (value, i) =>
      Math.abs(z[i]!) < largest &&
      Number.isFinite(slope[i]) &&
      slope[i] !== 0 &&
      Math.abs(again[i]! - value) <= 1e-6 * Math.abs(value),
  )
  return { z, slope, defined }
}

const isEnough = (defined: number, rows: number): boolean => defined >= (1 - strayRows) * rows

/**
 * The working response of a link on data.
 *
 * @param y length n, finite
 * @returns undefined when the link is not defined on enough rows of y
 */
export const make = (link: Link, y: Float64Array): Working | undefined => {
  const sides = link.inverse.map((branch) => {
    const { slope, defined } = apply(link, branch, y)
    return { branch, slopes: slope.filter((_, i) => defined[i]) }
  })
  const side = sides.reduce((best, other) => (other.slopes.length > best.slopes.length ? other : best))
  if (!isEnough(side.slopes.length, y.length)) return undefined
  const weights = side.slopes.map((slope) => 1 / Math.abs(slope)).sort()
  const limit = heaviest * weights[weights.length >> 1]!
  return {
    link,
    fixed: link.forward._tag === "Variable",
    rough: false,
    back: back({ inverse: side.branch }),
    respond: (mean = y) => {
      const there = apply(link, side.branch, mean)
      const usable = isEnough(there.defined.filter(Boolean).length, y.length)
      const mu = usable ? mean : y
      const { z: g, slope, defined } = usable ? there : apply(link, side.branch, y)
      const z = new Float64Array(y.length)
      const w = new Float64Array(y.length)
      for (let i = 0; i < y.length; i++) {
        if (defined[i] !== true) continue
        // The weight and the slope are cut together. With the weight cut alone, z would not depend on y at a mean where g
        // is flat, and would be fitted without a residual.
        const steep = Math.max(Math.abs(slope[i]!), 1 / limit)
        z[i] = g[i]! + Math.sign(slope[i]!) * steep * (y[i]! - mu[i]!)
        w[i] = 1 / steep
      }
      return { z, w }
    },
  }
}
