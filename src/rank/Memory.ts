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
  const found = n < least ? undefined : fitted(residuals)
  if (found === undefined) return 0
  const ratio = (Math.log1p(-found.r * found.r) - n * Math.log(found.squares / found.total)) / 2
  const log = Math.log(prior) + (Math.log(2 * Math.PI) - Math.log(n)) / 2 + ratio
  return log > 0 ? log + Math.log1p((1 - prior) * Math.exp(-log)) : Math.log1p(Math.exp(log) - prior)
}

/** The correlation r of neighbours by least squares, S(0) and S(r); undefined where neighbours are not alike. */
const fitted = (
  residuals: Float64Array,
): { readonly r: number; readonly total: number; readonly squares: number } | undefined => {
  const n = residuals.length
  const before = residuals.subarray(0, n - 1)
  const neighbours = dot(residuals.subarray(1), before)
  const total = dot(residuals, residuals)
  if (!(neighbours > 0) || !Number.isFinite(total)) return undefined
  const r = Math.min(largest, neighbours / dot(before, before))
  let squares = (1 - r * r) * residuals[0]! ** 2
  for (let t = 1; t < n; t++) squares += (residuals[t]! - r * residuals[t - 1]!) ** 2
  return { r, total, squares }
}

/**
 * The most that a model can gain beside another: as much more probable than the other as its residuals are likelier under memory than those of
 * the other without. Laws whose evidence is not that of their sum of squares, such as one with a pole, would gain more.
 */
const most = (model: Model, residuals: Float64Array, other: Model): number => {
  const found = fitted(residuals)
  if (found === undefined) return 0
  const others = other.residuals()
  const ratio =
    (Math.log1p(-found.r * found.r) - residuals.length * Math.log(found.squares / dot(others, others))) / 2
  return Math.max(0, other.logEvidence + ratio - model.logEvidence)
}

/** By how much the log evidence of a model rises when its noise may have memory. Noise with memory is additive: laws under other noise stay. */
const rise = (model: Model, constant: Model, scale: number): number => {
  const residuals = model.residuals()
  const floor = 1e-11 * scale
  if (model.noise?.kind !== "additive" || residuals.every((value) => Math.abs(value) <= floor)) return 0
  return Math.min(gain(residuals), most(model, residuals, constant))
}

const raised = (model: Model, by: number): Model =>
  replace(model, { logEvidence: model.logEvidence + by, lmpse: model.lmpse + by })

/**
 * A model under noise that may have memory.
 *
 * @param constant the model without terms
 * @param scale the standard deviation of y
 */
export const under = (model: Model, constant: Model, scale: number): Model =>
  raised(model, rise(model, constant, scale))

/**
 * Models under noise that may have memory. Of a random walk any smooth function explains much as long as rows count as independent; with memory
 * the constant explains it as well.
 *
 * *When to use*: on laws of tables, whose rows may be in an order of time. Where they are in no order nothing changes.
 */
export const considered = (ranking: Ranking): Ranking => {
  const constant = ranking.models.find(({ ensemble }) => ensemble.trees.length === 0)
  if (constant === undefined) return ranking
  const gains = ranking.models.map((model) => rise(model, constant, ranking.scale))
  const held = ranking.models.reduce((sum, { posterior }) => sum + posterior, 0)
  const shares = normalised(ranking.models.map(({ posterior }, i) => Math.log(posterior) + gains[i]!))
  return withModels(
    ranking,
    ranking.models
      .map((model, i) => replace(raised(model, gains[i]!), { posterior: held * shares[i]! }))
      .sort((a, b) => b.lmpse - a.lmpse),
  )
}
