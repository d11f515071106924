import * as Noise from "../evidence/Noise.ts"
import { normalised } from "../numeric/logSum.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as Real from "../numeric/Real.ts"
import { constantAmong } from "./Ensemble.ts"
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
 * @param found their memory, where it is known
 */
export const gain = (residuals: Float64Array, found = fitted(residuals)): number => {
  if (found === undefined) return 0
  const n = residuals.length
  const ratio = logRatio(found, n, found.total)
  const log = Real.log(prior) + (Real.log(2 * Math.PI) - Real.log(n)) / 2 + ratio
  return log > 0 ? log + Real.log1p((1 - prior) * Real.exp(-log)) : Real.log1p(Real.exp(log) - prior)
}

/** log L of residuals with memory over others without, whose sum of squares is `total`. */
const logRatio = ({ r, squares }: Fitted, n: number, total: number): number =>
  (Real.log1p(-r * r) - n * Real.log(squares / total)) / 2

/** The correlation r of neighbours by least squares, S(0) and S(r). */
interface Fitted {
  readonly r: number
  readonly total: number
  readonly squares: number
}

/** Undefined for few rows, and where neighbours are not alike. */
const fitted = (residuals: Float64Array): Fitted | undefined => {
  const n = residuals.length
  if (n < least) return undefined
  const before = residuals.subarray(0, n - 1)
  const neighbours = dot(residuals.subarray(1), before)
  const total = dot(residuals, residuals)
  if (!(neighbours > 0) || !Number.isFinite(total)) return undefined
  const r = Math.min(largest, neighbours / dot(before, before))
  let squares = (1 - r * r) * residuals[0]! ** 2
  for (let t = 1; t < n; t++) squares += (residuals[t]! - r * residuals[t - 1]!) ** 2
  return { r, total, squares }
}

/** The model without terms, as others are compared with it. */
interface Constant {
  readonly logEvidence: number
  /** the sum of its squared residuals */
  readonly total: number
}

const constantOf = (model: Model): Constant => {
  const residuals = model.residuals()
  return { logEvidence: model.logEvidence, total: dot(residuals, residuals) }
}

/**
 * By how much the log evidence of a model rises when its noise may have memory, at most to that of the constant by as much as residuals under
 * memory are likelier than those of the constant without. Laws whose evidence is not that of their sum of squares, such as one with a pole, would
 * rise more. Noise with memory is normal and of one scale: laws under other noise stay.
 */
const rise = (model: Model, constant: Constant, scale: number): number => {
  const { noise } = model
  if (noise === undefined || noise.exact || noise.knownErrors || !Noise.isSimple(noise.form)) return 0
  const residuals = model.residuals()
  const floor = 1e-11 * scale
  if (residuals.every((value) => Math.abs(value) <= floor)) return 0
  const found = fitted(residuals)
  if (found === undefined) return 0
  const most = constant.logEvidence + logRatio(found, residuals.length, constant.total) - model.logEvidence
  return Math.min(gain(residuals, found), Math.max(0, most))
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
  raised(model, rise(model, constantOf(constant), scale))

/**
 * Models under noise that may have memory. Of a random walk any smooth function explains much as long as rows count as independent; with memory
 * the constant explains it as well.
 *
 * *When to use*: on laws of tables, whose rows may be in an order of time. Where they are in no order nothing changes.
 */
export const considered = (ranking: Ranking): Ranking => {
  const constant = constantAmong(ranking.models)
  if (constant === undefined) return ranking
  const without = constantOf(constant)
  const gains = ranking.models.map((model) => rise(model, without, ranking.scale))
  const held = ranking.models.reduce((sum, { posterior }) => sum + posterior, 0)
  const shares = normalised(ranking.models.map(({ posterior }, i) => Real.log(posterior) + gains[i]!))
  return withModels(
    ranking,
    ranking.models
      .map((model, i) => replace(raised(model, gains[i]!), { posterior: held * shares[i]! }))
      .sort((a, b) => b.lmpse - a.lmpse),
  )
}
