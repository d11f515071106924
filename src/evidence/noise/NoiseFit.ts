import { once } from "../../internal/once.ts"
import * as GPrior from "../gPrior.ts"
import type { Kind, Noise } from "../Noise.ts"
import { back, type Back, type Response } from "../response.ts"
import * as ResponseFit from "../responseFit.ts"
import * as Deviations from "./Deviations.ts"
import { scoreStatistic } from "./scoreStatistic.ts"
import * as Tails from "./Tails.ts"
import * as Weighing from "./Weighing.ts"
import * as WrongRows from "./WrongRows.ts"
import * as Real from "../../numeric/Real.ts"

/** A fit of a law under one kind of noise and one set of wrong rows. */
export interface NoiseFit {
  readonly kind: Kind
  readonly weighing: Weighing.Weighing
  readonly target: GPrior.Target
  readonly fit: ResponseFit.ResponseFit
  /** the law's values at the fit on all rows, length n; not finite where the law is not defined on a wrong row */
  readonly mean: Float64Array
  /** residuals (y - mu) / s(mu), or log (y / mu), on all rows, length n; infinite where they are not defined */
  readonly residuals: Float64Array
  /** s(mu) times the known errors, as the weights have it, length n */
  readonly scales: Float64Array
  /** the standard deviation of residuals, with the degrees of freedom of the fit taken into account */
  readonly sigma: number
  /** the log likelihood at the maximum over coefficients and sigma, in nats, wrong rows and priors of noise included */
  readonly height: number
  readonly posterior: () => GPrior.Posterior
  /** log p(y | law, kind, wrong rows) + log prior of the wrong rows + log prior of the kind, in nats */
  readonly logEvidence: () => number
}

/** The settings of a closed-form evidence. */
export interface Prior {
  readonly a: number
  readonly resolution: number
}

/** A law: the response that is linear in its terms, and their columns of length n. */
export interface Law {
  readonly response: Response
  readonly columns: ReadonlyArray<Float64Array>
}

/** Fits laws to a response under given kinds of noise and sets of wrong rows. */
export interface Fitter {
  /** the rows that stand for any observation, from 0 */
  readonly everything: Int32Array
  /** undefined where no row can be wrong */
  readonly wrongness: WrongRows.Wrongness | undefined
  /**
   * The fit under a kind to some rows: weights follow the law, and tails its residuals. Undefined where the law is not finite on
   * these rows, or they are too few.
   *
   * @param from where to begin, such as another fit of the same law
   * @param least a fit that is below this log likelihood, in nats, after its second step is not followed to the end
   */
  readonly fit: (
    kind: number,
    law: Law,
    rows: Int32Array,
    from?: Weighing.Start,
    least?: number,
  ) => NoiseFit | undefined
  /** Fits of a law with the weights of a fit. */
  readonly again: (
    response: Response,
    weighing: Weighing.Weighing,
  ) => (columns: ReadonlyArray<Float64Array>) => ResponseFit.ResponseFit | undefined
  /** The log likelihood gained if all but some rows were wrong, at the coefficients of a fit: another fit gains more. */
  readonly gain: (fit: NoiseFit, rows: Int32Array) => number
  /** Whether another kind than that of a fit may explain it better, as a standard normal deviate: it needs no other fit (`scoreStatistic`). */
  readonly score: (kind: number, fit: NoiseFit) => number
  /** log odds of each row being wrong, given a fit, length n */
  readonly logOdds: (fit: NoiseFit, sigma: number) => Float64Array
}

/** Changes of a log likelihood below this, in nats, end an iteration. */
const settled = 0.02
/** The relative accuracy of the sums of squares that are compared: 0.01 nats on 20,000 rows. */
const rough = 1e-6
/** The most fits for weights that follow the law, and for tails. */
const most = { weights: 4, tails: 15 }
/** Standard deviation of the logarithm of the common factor of known errors. */
const factor = Real.log(2)

/** Whether a response is y itself. */
const isIdentity = ({ link, inverse }: Response): boolean =>
  link.forward._tag === "Variable" && inverse._tag === "Variable"

/** @param y length n, finite */
export const make = (noise: Noise, y: Float64Array, prior: Prior, known: Deviations.Known): Fitter => {
  const n = y.length
  const wrongness = noise.wrongRows === undefined ? undefined : WrongRows.make(noise.wrongRows, y)
  const all = Int32Array.from({ length: n }, (_, i) => i)
  const everything = known.weights === undefined ? all : all.filter((i) => known.weights![i]! > 0)
  const deviations = Deviations.make(noise, y, known, prior, wrongness?.suspects ?? [])
  const { kinds, logs, least } = deviations
  const ways = new Map<Response, Back>()
  const wayOf = (response: Response): Back => {
    const way = ways.get(response) ?? back(response)
    ways.set(response, way)
    return way
  }
  const ones = new Float64Array(n).fill(1)
  const ignored = new Float64Array(n)

  const again: Fitter["again"] = (response, weighing) => {
    const { rows, by, logarithms } = weighing
    const values = Weighing.values(weighing, y)
    if (isIdentity(response) && !logarithms)
      return (columns) =>
        ResponseFit.weightedLine(
          values,
          by,
          columns.map((column) => Weighing.pick(column, rows)),
        )
    const weighed = Weighing.apply(weighing, response, y, wayOf(response))
    const fit = ResponseFit.fitter(weighed.response, values, weighed.way)
    return (columns, start?: Float64Array) =>
      fit(
        columns.map((column) => Weighing.pick(column, rows)),
        start,
      )
  }

  /** A fit with given weights; undefined where the law is not finite on the rows, or these are too few. */
  const weighted = (
    index: number,
    { response, columns }: Law,
    rows: Int32Array,
    scales: Float64Array,
    start: Float64Array | undefined,
    tails?: Float64Array,
  ): NoiseFit | undefined => {
    const prepared = kinds[index]!
    const { kind, logarithms, logPrior } = prepared
    let [count, logDensity] = [0, 0]
    const by = new Float64Array(rows.length)
    let [place, wrong] = [0, 0]
    // The scale of the row before: often all are the same, and a logarithm takes longer than the rest.
    let [scale, logScale] = [1, 0]
    let sound = true
    for (let k = 0; k < everything.length; k++) {
      const i = everything[k]!
      if (rows[place] !== i) {
        wrong++
        logDensity += wrongness!.logDensity[i]!
        continue
      }
      count++
      if (scales[i] !== scale) {
        scale = scales[i]!
        logScale = Real.log(scale)
      }
      logDensity -= logarithms ? logScale + logs[i]! : logScale
      const weight = Math.sqrt(tails === undefined ? 1 : tails[i]!) / scale
      sound &&= weight > 0 && weight < Infinity
      by[place++] = weight
    }
    logDensity += wrongness?.logPrior(wrong) ?? 0
    if (!sound || !Number.isFinite(logDensity)) return undefined
    const first: Weighing.Weighing = { kind: index, rows, by, logarithms, count, logDensity }
    const values = Weighing.values(first, y)
    const own = columns.map((column) => Weighing.pick(column, rows))
    const isLinear = isIdentity(response)
    const fitted = (): ResponseFit.ResponseFit | undefined => {
      if (isLinear && !logarithms) return ResponseFit.weightedLine(values, by, own)
      const weighed = Weighing.apply(first, response, y, wayOf(response))
      return ResponseFit.fitter(weighed.response, values, weighed.way)(own, start, rough)
    }
    const fit = fitted()
    if (fit === undefined || rows.length < fit.rank + 3) return undefined
    const z = ResponseFit.combine([ones, ...columns], fit.point.coefficients)
    const mean = isLinear ? z : new Float64Array(n)
    if (!isLinear) wayOf(response).run(z, mean, ignored)
    const residuals = deviations.residuals(prepared, mean, scales)
    const target = Weighing.target(first, values, prior, deviations.rounding(prepared, rows, by))
    // Where all rows are the same but for a few, these few are no evidence for tails or wrong rows: they are the law.
    if ((index > 0 || wrong > 0) && !(Weighing.effectiveRows(first, values) > fit.rank + 3)) return undefined
    const sum = fit.rss + target.rounding
    const closed = Tails.normalHeight(count, sum)
    const correction =
      kind.degrees === undefined || tails === undefined
        ? 0
        : Tails.logDensity(residuals, rows, kind.degrees, Math.sqrt(sum / count), target.rounding / count) +
          Tails.logVolume(kind.degrees, fit.rank + 1) -
          closed
    const weighing = { ...first, logDensity: logDensity + correction }
    const posterior = once(() => GPrior.posterior({ ...target, rank: fit.rank, rss: fit.rss }))
    return {
      kind,
      weighing,
      target,
      fit,
      mean,
      residuals,
      scales,
      sigma: Math.sqrt(sum / Math.max(1, count - fit.rank - 1)),
      height: closed + weighing.logDensity + logPrior,
      posterior,
      logEvidence: once(
        () =>
          GPrior.logNull(target) +
          posterior().logBayesFactor +
          weighing.logDensity +
          logPrior +
          (known.errors === undefined ? 0 : logFactor(count, posterior().sigma2, sum / count)),
      ),
    }
  }

  const fit: Fitter["fit"] = (index, law, rows, from, least = -Infinity) => {
    const prepared = kinds[index]!
    const { kind, moving } = prepared
    let scales = prepared.scales(from?.mean ?? y)
    let found = weighted(index, law, rows, scales, from?.fit.point.coefficients)
    for (let k = 1; found !== undefined && k < (moving ? most.weights : 1); k++) {
      scales = prepared.scales(found.mean)
      const next = weighted(index, law, rows, scales, found.fit.point.coefficients)
      const change = (next?.height ?? NaN) - found.height
      found = next
      if (Math.abs(change) < settled || !(found && found.height > least)) break
    }
    const { degrees } = kind
    if (degrees === undefined || found === undefined) return found
    let sigma = WrongRows.spread(found.residuals, rows) || found.sigma
    for (let k = 0; found !== undefined && k < most.tails; k++) {
      const tails: Float64Array = Tails.weights(found.residuals, degrees, sigma)
      const next = weighted(index, law, rows, scales, found.fit.point.coefficients, tails)
      const change = (next?.height ?? NaN) - found.height
      found = next
      if (found === undefined) break
      sigma = Math.sqrt((found.fit.rss + found.target.rounding) / found.weighing.count)
      if (k > 0 && (Math.abs(change) < settled || !(found.height > least))) break
    }
    return found
  }

  return {
    everything,
    wrongness,
    fit,
    again,
    gain: ({ weighing, residuals, scales, height }, rows) => {
      if (wrongness === undefined) return -Infinity
      const { logPrior, logarithms } = kinds[weighing.kind]!
      let [count, squares, place] = [0, 0, 0]
      let sum = logPrior + wrongness.logPrior(everything.length - rows.length)
      for (const i of everything) {
        if (rows[place] !== i) {
          sum += wrongness.logDensity[i]!
          continue
        }
        place++
        count++
        squares += residuals[i]! ** 2
        sum -= Real.log(scales[i]!) + (logarithms ? logs[i]! : 0)
      }
      return sum + Tails.normalHeight(count, squares) - height
    },
    score: (index, fit) => scoreStatistic(kinds[index]!, least, fit),
    logOdds: ({ weighing, residuals, scales }, sigma) => {
      if (wrongness === undefined) return new Float64Array(n).fill(-Infinity)
      const odds = wrongness.logOdds(everything.length - weighing.rows.length)
      const constant = -0.5 * Real.log(2 * Math.PI)
      const { logarithms } = weighing
      const out = new Float64Array(n).fill(-Infinity)
      let [scale, logScale] = [1, Real.log(sigma)]
      for (let i = 0; i < n; i++) {
        // A row without weight is neither right nor wrong.
        if (scales[i] === Infinity) continue
        if (scales[i] !== scale) {
          scale = scales[i]!
          logScale = Real.log(sigma * scale)
        }
        const inside = constant - logScale - 0.5 * (residuals[i]! / sigma) ** 2 - (logarithms ? logs[i]! : 0)
        out[i] = wrongness.logDensity[i]! + odds - inside
      }
      return out
    },
  }
}

/** log of the prior density of the common factor of known errors, in place of the flat density of its logarithm. */
const logFactor = (count: number, sigma2: number, fallback: number): number => {
  const variance = factor ** 2 + 1 / (2 * Math.max(1, count - 1))
  const log = Real.log(Number.isFinite(sigma2) ? sigma2 : fallback) / 2
  // p(sigma^2) = 1 / sigma^2 is a density of 2 for log sigma.
  return -0.5 * Real.log(2 * Math.PI * variance) - log ** 2 / (2 * variance) - Real.log(2)
}
