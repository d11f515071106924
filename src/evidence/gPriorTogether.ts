import { integrate } from "../numeric/quadrature.ts"
import * as Real from "../numeric/Real.ts"
import * as GPrior from "./gPrior.ts"

/**
 * log p(y_1, ..., y_m | model) of several responses under one set of p coefficients, each response with an intercept and a noise scale of its own, and
 * one g for all:
 *
 *     sum_k log p(y_k | its mean alone) + log integral of (1 + g)^(-p / 2) prod_k ((1 + g (1 - R_k^2)) / (1 + g))^(-(n_k - 1) / 2) p(g) dg
 *
 * with n = sum_k n_k in p(g). Of one response it is `GPrior.logEvidence`.
 *
 * @param rank p, the number of linearly independent columns of all responses together
 * @param rss the residual sum of squares of each response at the common fit
 */
export const logEvidence = (
  responses: ReadonlyArray<GPrior.Target>,
  rank: number,
  rss: ReadonlyArray<number>,
): number => {
  const nothing = responses.reduce((sum, one) => sum + GPrior.logNull(one), 0)
  const rows = responses.reduce((sum, one) => sum + one.rows, 0)
  const p = Math.min(rank, rows - responses.length)
  if (!(p > 0)) return nothing
  const a = responses[0]!.a
  const falls = responses.map((one, k) => GPrior.fallOf(one, rss[k]!))
  const log = (t: number): number => {
    const g = Real.exp(t)
    const spread = Real.log1p(g)
    const gained = falls.reduce((sum, fall) => sum + fall(g, spread), 0)
    return t - (p / 2) * spread + gained - (a / 2) * Real.log1p(g / rows)
  }
  const signal = responses.reduce(
    (sum, one, k) => sum + (GPrior.explained(one, rss[k]!) * one.rows) / GPrior.unexplained(one, rss[k]!),
    0,
  )
  const step = GPrior.coarse.step / Math.sqrt(1 + p / 8)
  const integral = integrate(log, Real.log(Math.max(0.1, signal / (p + 1))), { ...GPrior.coarse, step }, [])
  return nothing + integral.log + Real.log((a - 2) / (2 * rows))
}
