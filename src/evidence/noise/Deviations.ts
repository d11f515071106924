import { compileColumn } from "../../expr/evaluate.ts"
import { once } from "../../internal/once.ts"
import * as GPrior from "../gPrior.ts"
import type { Kind, Noise } from "../Noise.ts"
import * as Real from "../../numeric/Real.ts"

/** Columns of the data that a noise names. */
export interface Known {
  /** standard errors, above 0, length n; 1 if left out */
  readonly errors?: Float64Array | undefined
  /** weights, at least 0, length n: variances are in inverse proportion to them; 1 if left out */
  readonly weights?: Float64Array | undefined
}

/** A kind of noise on given data. */
export interface Prepared {
  readonly kind: Kind
  readonly logPrior: number
  readonly logarithms: boolean
  /** whether the deviation depends on the law */
  readonly moving: boolean
  /** s(mu) times the known error, over the root of the weight, length n */
  readonly scales: (mu: Float64Array) => Float64Array
}

/** The deviations of rows from a law, under each kind of noise. */
export interface Deviations {
  readonly kinds: ReadonlyArray<Prepared>
  /** log |y|, length n */
  readonly logs: Float64Array
  /** half of the smallest magnitude of y beside 0: where the law is 0 its noise would be 0 as well, so that none counts as smaller */
  readonly least: number
  /** residuals over their scales, length n; infinite where they are not defined */
  readonly residuals: (kind: Prepared, mu: Float64Array, scales: Float64Array) => Float64Array
  /**
   * The sum of weighted squares by the rounding of the data, which is the same for all laws and sets of wrong rows: each value is
   * known to the resolution times the standard deviation of y, or times its own magnitude where noise is relative to that.
   */
  readonly rounding: (kind: Prepared, rows: Int32Array, by: Float64Array) => number
}

/**
 * @param y length n, finite
 * @param suspects rows that do not count for the standard deviation of y
 */
export const make = (
  noise: Noise,
  y: Float64Array,
  { errors, weights }: Known,
  prior: { readonly resolution: number },
  suspects: ReadonlyArray<number>,
): Deviations => {
  const n = y.length
  // Where the law is 0 its noise would be 0 as well: no value counts as smaller than half of the smallest response.
  let least = Infinity
  for (const value of y) if (value !== 0) least = Math.min(least, Math.abs(value) / 2)
  const logs = y.map((value) => Real.log(Math.abs(value)))
  const by = relative(y.length, { errors, weights })
  const kinds = noise.kinds.map(({ kind, probability }): Prepared => {
    const run = compileColumn(kind.deviation, ["mu"])
    const moving = kind.deviation._tag !== "Constant"
    const scalesOf = (mu: Float64Array): Float64Array => {
      const [sizes, out] = [new Float64Array(n), new Float64Array(n)]
      for (let i = 0; i < n; i++) sizes[i] = Math.abs(mu[i]!) >= least ? mu[i]! : least
      run([sizes], out)
      if (by !== undefined) for (let i = 0; i < n; i++) out[i]! *= by[i]!
      return out
    }
    const constant = once(() => scalesOf(y))
    return {
      kind,
      logPrior: Real.log(probability),
      logarithms: kind.residual === "logarithm",
      moving,
      scales: moving ? scalesOf : constant,
    }
  })
  const resolution = Math.max(prior.resolution, Number.EPSILON)
  const deviation = deviationOf(y, suspects)
  /**
   * The sum of squares by the rounding of the data, which is the same for all laws and sets of wrong rows: each value is known to the
   * resolution times the standard deviation of y, or times its own magnitude where noise is relative to that.
   */
  const roundingOf = ({ moving, logarithms }: Prepared, rows: Int32Array, by: Float64Array): number => {
    let sum = 0
    const ownSizes = moving || logarithms
    for (let k = 0; k < rows.length; k++) {
      const size = ownSizes ? Math.max(Math.abs(y[rows[k]!]!), least) : deviation
      const absolute = resolution * Math.min(deviation, size) * by[k]!
      sum += (logarithms ? absolute / size : absolute) ** 2
    }
    return sum
  }
  const residualsOf = ({ logarithms }: Prepared, mu: Float64Array, scales: Float64Array): Float64Array => {
    const out = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      const difference = logarithms ? logRatio(y[i]!, mu[i]!) : y[i]! - mu[i]!
      const residual = difference / scales[i]!
      out[i] = Number.isFinite(residual) ? residual : Infinity
    }
    return out
  }

  return { kinds, logs, least, residuals: residualsOf, rounding: roundingOf }
}

/** log (a / b); NaN where they differ in sign. */
const logRatio = (a: number, b: number): number => {
  const ratio = a / b
  return ratio > 0 ? Real.log(ratio) : NaN
}

/** The standard deviation of values without those of some rows. */
const deviationOf = (y: Float64Array, without: ReadonlyArray<number>): number => {
  const left = new Set(without)
  const own = left.size === 0 ? y : y.filter((_, i) => !left.has(i))
  return Math.sqrt(GPrior.tssOf(own) / own.length)
}

/** The known part of the scale of each row, errors over roots of weights, length n; undefined where nothing is known. */
export const relative = (n: number, { errors, weights }: Known): Float64Array | undefined =>
  errors === undefined && weights === undefined
    ? undefined
    : Float64Array.from({ length: n }, (_, i) => (errors?.[i] ?? 1) / Math.sqrt(weights?.[i] ?? 1))
