import { normalised } from "../numeric/logSum.ts"
import { dot } from "../numeric/orthogonal.ts"
import { type Model, replace } from "./Model.ts"
import { type Ranking, withModels } from "./Ranking.ts"

/** The prior probability that noise has memory, and the fewest rows that tell. */
const prior = 0.05
const least = 30
/** The largest correlation of neighbours: a random walk has one of nearly 1. */
const largest = 0.999

/**
 * By how much the log evidence of a law rises when its noise may have memory, in the order of the rows:
 *
 *     log (1 - p + p sqrt(2 pi / n) L),   log L = 1/2 log(1 - r^2) - n/2 log(S(r) / S(0)),   p = 0.05
 *
 * with L the likelihood ratio of first-order autoregressive noise, S(r) = (1 - r^2) e_1^2 + sum_t (e_t - r e_(t-1))^2, at the correlation r >= 0 of
 * least squares, whose freedom has the price of BIC (Schwarz 1978). Residuals of independent noise gain about nothing.
 *
 * @param residuals in the order of the rows; those of a law that is not finite gain nothing
 */
export const gain = (residuals: Float64Array): number => {
  const n = residuals.length
  if (n < least) return 0
  const before = residuals.subarray(0, n - 1)
  const neighbours = dot(residuals.subarray(1), before)
  const total = dot(residuals, residuals)
  if (!(neighbours > 0) || !Number.isFinite(total)) return 0
  const r = Math.min(largest, neighbours / dot(before, before))
  let squares = (1 - r * r) * residuals[0]! ** 2
  for (let t = 1; t < n; t++) squares += (residuals[t]! - r * residuals[t - 1]!) ** 2
  const ratio = (Math.log1p(-r * r) - n * Math.log(squares / total)) / 2
  const log = Math.log(prior) + (Math.log(2 * Math.PI) - Math.log(n)) / 2 + ratio
  return log > 0 ? log + Math.log1p((1 - prior) * Math.exp(-log)) : Math.log1p(Math.exp(log) - prior)
}

/**
 * Models under noise that may have memory. Of a random walk any smooth function explains much as long as rows count as independent; with memory
 * the constant explains it as well.
 *
 * *When to use*: on laws of tables, whose rows may be in an order of time. Where they are in no order nothing changes.
 */
export const considered = (ranking: Ranking): Ranking => {
  const floor = 1e-11 * ranking.scale
  const gains = ranking.models.map((model) => {
    const residuals = model.residuals()
    return residuals.every((value) => Math.abs(value) <= floor) ? 0 : gain(residuals)
  })
  const held = ranking.models.reduce((sum, { posterior }) => sum + posterior, 0)
  const shares = normalised(ranking.models.map(({ posterior }, i) => Math.log(posterior) + gains[i]!))
  return withModels(
    ranking,
    ranking.models
      .map((model: Model, i) =>
        replace(model, {
          logEvidence: model.logEvidence + gains[i]!,
          lmpse: model.lmpse + gains[i]!,
          posterior: held * shares[i]!,
        }),
      )
      .sort((a, b) => b.lmpse - a.lmpse),
  )
}
