import { compileColumn } from "../../expr/evaluate.ts"
import { once } from "../../internal/once.ts"
import * as GPrior from "../gPrior.ts"
import type { Kind, Noise } from "../Noise.ts"
import { back, type Back, type Response } from "../response.ts"
import * as ResponseFit from "../responseFit.ts"
import * as Tails from "./Tails.ts"
import * as Weighing from "./Weighing.ts"
import * as WrongRows from "./WrongRows.ts"

/** A fit of a law under one kind of noise and one set of wrong rows. */
export interface NoiseFit {
  readonly kind: Kind
  readonly weighing: Weighing.Weighing
  readonly weighed: Weighing.Weighed
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

/** Columns of the data that a noise names. */
export interface Known {
  /** standard errors, above 0, length n; 1 if left out */
  readonly errors?: Float64Array | undefined
  /** the number of observations of each row, at least 0, length n; 1 if left out */
  readonly counts?: Float64Array | undefined
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
   * @param from a fit of the same law to begin from
   */
  readonly fit: (kind: number, law: Law, rows: Int32Array, from?: NoiseFit) => NoiseFit | undefined
  /** Fits of a law with the weights of a fit. */
  readonly again: (
    response: Response,
    weighing: Weighing.Weighing,
  ) => (columns: ReadonlyArray<Float64Array>) => ResponseFit.ResponseFit | undefined
  /** log odds of each row being wrong, given a fit, length n */
  readonly logOdds: (fit: NoiseFit, sigma: number) => Float64Array
}

/** Changes of a log likelihood below this, in nats, end an iteration. */
const settled = 0.02
/** The most fits for weights that follow the law, and for tails. */
const most = { weights: 6, tails: 25 }
/** Standard deviation of the logarithm of the common factor of known errors. */
const factor = Math.log(2)

/** Whether a response is y itself. */
const isIdentity = ({ link, inverse }: Response): boolean =>
  link.forward._tag === "Variable" && inverse._tag === "Variable"

/** @param y length n, finite */
export const make = (noise: Noise, y: Float64Array, prior: Prior, { errors, counts }: Known): Fitter => {
  const n = y.length
  const countOf = (i: number): number => counts?.[i] ?? 1
  const wrongness = noise.wrongRows === undefined ? undefined : WrongRows.make(noise.wrongRows, y)
  const everything = Int32Array.from(y.keys()).filter((i) => countOf(i) > 0)
  // Where the law is 0 its noise would be 0 as well: no value counts as smaller than half of the smallest response.
  let least = Infinity
  for (const value of y) if (value !== 0) least = Math.min(least, Math.abs(value) / 2)
  const logs = y.map((value) => Math.log(Math.abs(value)))
  const kinds = noise.kinds.map(({ kind, probability }) => {
    const run = compileColumn(kind.deviation, ["mu"])
    return {
      kind,
      logPrior: Math.log(probability),
      logarithms: kind.residual === "logarithm",
      moving: kind.deviation._tag !== "Constant",
      /** s(mu) times the known error */
      scales: (mu: Float64Array): Float64Array => {
        const out = new Float64Array(n)
        run([mu.map((value) => (Math.abs(value) >= least ? value : least))], out)
        return errors === undefined ? out : out.map((value, i) => value * errors[i]!)
      },
    }
  })
  type Prepared = (typeof kinds)[number]
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
    const weighed = Weighing.apply(weighing, response, y, wayOf(response))
    if (isIdentity(response) && !logarithms)
      return (columns) =>
        ResponseFit.weightedLine(
          weighed.y,
          by,
          columns.map((column) => Weighing.pick(column, rows)),
        )
    const fit = ResponseFit.fitter(weighed.response, weighed.y, weighed.way)
    return (columns, start?: Float64Array) =>
      fit(
        columns.map((column) => Weighing.pick(column, rows)),
        start,
      )
  }

  const residualsOf = ({ logarithms }: Prepared, mu: Float64Array, scales: Float64Array): Float64Array => {
    const out = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      const ratio = y[i]! / mu[i]!
      const residual = (logarithms ? (ratio > 0 ? Math.log(ratio) : NaN) : y[i]! - mu[i]!) / scales[i]!
      out[i] = Number.isFinite(residual) ? residual : Infinity
    }
    return out
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
    for (const i of everything) {
      const own = countOf(i)
      if (rows[place] !== i) {
        wrong++
        logDensity += own * wrongness!.logDensity[i]!
        continue
      }
      count += own
      logDensity -= own * (Math.log(scales[i]!) + (logarithms ? logs[i]! : 0))
      by[place++] = Math.sqrt(own * (tails?.[i] ?? 1)) / scales[i]!
    }
    logDensity += wrongness?.logPrior(wrong) ?? 0
    if (!Number.isFinite(logDensity) || !by.every((value) => value > 0 && value < Infinity)) return undefined
    const first: Weighing.Weighing = { kind: index, rows, by, logarithms, count, logDensity }
    const weighed = Weighing.apply(first, response, y, wayOf(response))
    const own = columns.map((column) => Weighing.pick(column, rows))
    const fit =
      isIdentity(response) && !logarithms
        ? ResponseFit.weightedLine(weighed.y, by, own)
        : ResponseFit.fitter(weighed.response, weighed.y, weighed.way)(own, start)
    if (fit === undefined || rows.length < fit.rank + 3) return undefined
    const mean = new Float64Array(n)
    wayOf(response).run(ResponseFit.combine([ones, ...columns], fit.point.coefficients), mean, ignored)
    const residuals = residualsOf(prepared, mean, scales)
    const target = Weighing.target(first, weighed.y, prior)
    const sum = fit.rss + target.rounding
    const closed = Tails.normalHeight(count, sum)
    const correction =
      kind.degrees === undefined || tails === undefined
        ? 0
        : Tails.logDensity(residuals, rows, countOf, kind.degrees, Math.sqrt(sum / count)) - closed
    const weighing = { ...first, logDensity: logDensity + correction }
    const posterior = once(() => GPrior.posterior({ ...target, rank: fit.rank, rss: fit.rss }))
    return {
      kind,
      weighing,
      weighed,
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
          (errors === undefined ? 0 : logFactor(count, posterior().sigma2, sum / count)),
      ),
    }
  }

  const fit: Fitter["fit"] = (index, law, rows, from) => {
    const prepared = kinds[index]!
    const { kind, moving } = prepared
    let scales = prepared.scales(from?.mean ?? y)
    let found = weighted(index, law, rows, scales, from?.fit.point.coefficients)
    for (let k = 1; found !== undefined && k < (moving ? most.weights : 1); k++) {
      scales = prepared.scales(found.mean)
      const next = weighted(index, law, rows, scales, found.fit.point.coefficients)
      const change = (next?.height ?? NaN) - found.height
      found = next
      if (Math.abs(change) < settled) break
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
      if (k > 0 && Math.abs(change) < settled) break
    }
    return found
  }

  return {
    everything,
    wrongness,
    fit,
    again,
    logOdds: ({ weighing, residuals, scales }, sigma) => {
      if (wrongness === undefined) return new Float64Array(n).fill(-Infinity)
      const odds = wrongness.logOdds(everything.length - weighing.rows.length)
      const constant = -0.5 * Math.log(2 * Math.PI)
      return residuals.map((residual, i) => {
        const inside =
          constant -
          Math.log(sigma * scales[i]!) -
          0.5 * (residual / sigma) ** 2 -
          (weighing.logarithms ? logs[i]! : 0)
        return wrongness.logDensity[i]! + odds - inside
      })
    },
  }
}

/** log of the prior density of the common factor of known errors, in place of the flat density of its logarithm. */
const logFactor = (count: number, sigma2: number, fallback: number): number => {
  const variance = factor ** 2 + 1 / (2 * Math.max(1, count - 1))
  const log = Math.log(Number.isFinite(sigma2) ? sigma2 : fallback) / 2
  // p(sigma^2) = 1 / sigma^2 is a density of 2 for log sigma.
  return -0.5 * Math.log(2 * Math.PI * variance) - log ** 2 / (2 * variance) - Math.log(2)
}
