import { compileColumn } from "../../compile/scalar/term.ts"
import type { Link } from "../../declare/Link.ts"
import type { Term } from "../../declare/Term.ts"
import { back, type Back } from "../../compile/scalar/response.ts"

/**
 * A link as a search regresses on it: the working response of a generalised linear model (McCullagh and Nelder 1989,
 * section 2.5). With noise on y the link's own values g(y) are biased, and of unequal precision. To first order around
 * a mean mu,
 *
 *     y = h(eta) + eps   =>   z = g(mu) + g'(mu) (y - mu) = eta + g'(mu) eps
 *
 * so that least squares of z with weights 1 / |g'(mu)| has residuals on the scale of y, whatever the link.
 */
export interface Working {
  readonly link: Link
  /** the way back from the link, on the branch of the inverse that the data lie on */
  readonly back: Back
  /**
   * Writes z and w, of length n; w is 0 where g is not defined.
   *
   * @param mu the mean of y as far as it is known; y itself otherwise, which is exact where y has no noise
   */
  readonly respond: (mu: Float64Array | undefined) => { readonly z: Float64Array; readonly w: Float64Array }
}

/** The share of rows that have to lie where a link is defined. */
const most = 0.1
/** Weights are no larger than so many times the median: where g is steep its first order says nothing. */
const heaviest = 1000
/** The share of rows whose weights are cut, at most: a link that is so uneven on the data is no use. */
const cut = 0.02

const run = (term: Term, name: string, input: Float64Array): Float64Array => {
  const out = new Float64Array(input.length)
  compileColumn(term, [name])([input], out)
  return out
}

/** Rows where g is defined and a branch of its inverse leads back. */
const defined = (link: Link, branch: Term<"z">, y: Float64Array): ReadonlyArray<boolean> => {
  const z = run(link.forward, "y", y)
  const slope = run(link.derivative, "y", y)
  const again = run(branch, "z", z)
  return Array.from(
    y,
    (value, i) =>
      Math.abs(z[i]!) < 1e15 &&
      Number.isFinite(slope[i]) &&
      slope[i] !== 0 &&
      Math.abs(again[i]! - value) <= 1e-6 * Math.abs(value),
  )
}

/** @returns undefined when the link is not defined on enough rows of y */
export const make = (link: Link, y: Float64Array): Working | undefined => {
  const sides = link.inverse.map((branch) => {
    const rows = defined(link, branch, y)
    return { branch, rows, count: rows.filter(Boolean).length }
  })
  const side = sides.reduce((best, other) => (other.count > best.count ? other : best))
  if (side.count < (1 - most) * y.length) return undefined
  const slopes = run(link.derivative, "y", y).filter((_, i) => side.rows[i])
  const weights = slopes.map((slope) => 1 / Math.abs(slope)).sort()
  const limit = heaviest * weights[weights.length >> 1]!
  if (weights[Math.floor((1 - cut) * (weights.length - 1))]! > limit) return undefined
  return {
    link,
    back: back({ link, inverse: side.branch }),
    respond: (mu = y) => {
      const good = defined(link, side.branch, mu)
      const g = run(link.forward, "y", mu)
      const slope = run(link.derivative, "y", mu)
      const z = new Float64Array(y.length)
      const w = new Float64Array(y.length)
      for (let i = 0; i < y.length; i++) {
        if (good[i] !== true) continue
        z[i] = g[i]! + slope[i]! * (y[i]! - mu[i]!)
        w[i] = 1 / Math.abs(slope[i]!)
      }
      for (let i = 0; i < w.length; i++) w[i] = Math.min(w[i]!, limit)
      return { z, w }
    },
  }
}
