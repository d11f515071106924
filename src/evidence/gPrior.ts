import * as Recent from "../internal/Recent.ts"
import { integrate, type Integral, type Rule } from "../numeric/quadrature.ts"
import { lgamma } from "../numeric/Special.ts"
import * as Real from "../numeric/Real.ts"

/**
 * The evidence of a linear model with centred columns, a flat intercept and the hyper-g/n prior of its coefficients
 * (Liang, Paulo, Molina, Clyde and Berger 2008, JASA 103:410):
 *
 *     y = alpha + Xc beta + eps,  eps ~ N(0, sigma^2),  p(sigma^2) = 1 / sigma^2
 *     beta | g, sigma^2 ~ N(0, g sigma^2 (Xc'Xc)^-1),  p(g) = (a - 2) / (2 n) (1 + g / n)^(-a / 2),  a > 2
 *
 * The data enter by four numbers: n, the rank p of Xc, and the sums of squares around the mean (tss) and around the
 * least-squares fit (rss). The prior of sigma^2 is improper but common to all models; that of alpha has the height
 * 1 / sqrt(tss / n), so that the evidence of c y is that of y times c^-n, and y may be any response g(y).
 *
 * All logarithms are natural. Sums of squares are in squared units of y.
 */
export interface Target {
  /** n */
  readonly rows: number
  /** sum (y - mean y)^2 */
  readonly tss: number
  /**
   * The amount added to every sum of squares for the rounding of the data, resolution^2 tss. Fits that are closer than the
   * resolution of the data count as equally good, so that the evidence of exact laws is bounded.
   */
  readonly rounding: number
  /** a of the hyper-g/n prior, > 2 */
  readonly a: number
}

export interface Fit extends Target {
  /** the number of linearly independent columns beside the intercept; more than n - 1 counts as n - 1 */
  readonly rank: number
  /** the residual sum of squares of least squares */
  readonly rss: number
}

/** The evidence of one model, and posterior means that its coefficients and noise need. */
export interface Posterior {
  /** log p(y | model) - log p(y | the mean alone), in nats; at most 0 when the rank is n - 1, since any data are fitted then */
  readonly logBayesFactor: number
  /** E[1 / (1 + g)]: the posterior mean of beta is (1 - leftover) times least squares */
  readonly leftover: number
  /** E[sigma^2], in squared units of y; infinite for n <= 3 */
  readonly sigma2: number
  /** The derivative of `logBayesFactor` by log rss (rounding included); at most 0. */
  readonly slope: number
}

/** The sum of squares around the mean. */
export const tssOf = (y: Float64Array): number => {
  let [sum, squares] = [0, 0]
  for (let i = 0; i < y.length; i++) sum += y[i]!
  const mean = sum / y.length
  for (let i = 0; i < y.length; i++) squares += (y[i]! - mean) ** 2
  return squares
}

/**
 * The target of data.
 *
 * @param y length n, finite
 * @param prior.a of the hyper-g/n prior, > 2
 * @param prior.resolution the resolution of y relative to its standard deviation; 0 is that of float64
 */
export const target = (
  y: Float64Array,
  prior: { readonly a: number; readonly resolution: number },
): Target => {
  const tss = tssOf(y)
  return { rows: y.length, tss, rounding: Math.max(prior.resolution, Number.EPSILON) ** 2 * tss, a: prior.a }
}

/** A lower bound of sums of squares, so that y = 0 has a finite evidence. */
const smallest = 2 ** -1000

/** The sum of squares around the mean, with the rounding of the target; above 0. */
export const total = ({ tss, rounding }: Target): number => Math.max(tss + rounding, smallest)

/**
 * log p(y | the mean alone), y's density in y's units:
 * -(n - 1) / 2 log pi + log Gamma((n - 1) / 2) - n / 2 log tss; for n = 1 the second term is left out.
 */
export const logNull = (of: Target): number => {
  const half = (of.rows - 1) / 2
  return -half * Real.log(Math.PI) + (half > 0 ? lgamma(half) : 0) - (of.rows / 2) * Real.log(total(of))
}

/** (rss + rounding) / (tss + rounding), in (0, 1]. */
export const unexplained = (of: Target, rss: number): number =>
  Math.min(1, Math.max(rss + of.rounding, smallest) / total(of))

/** A rank that is at most n - 1. */
export const rankOf = ({ rows }: Target, rank: number): number => Math.min(rank, rows - 1)

/** n log(rss / n), with rss at least the rounding of the target, so that the logarithm of an exact fit is finite. */
export const deviance = ({ rows, rounding }: Target, rss: number): number =>
  rows * Real.log(Math.max(rss, rounding, Number.MIN_VALUE) / rows)

/** Steps of log g for few columns. Errors are below rounding. */
export const fine: Rule = { step: 0.25, negligible: 42 }
/** Errors are about 1e-9, with half of the evaluations. */
export const coarse: Rule = { step: 0.4, negligible: 24 }

/**
 * Integrates g out:
 *
 *     BF = integral of (1 + g)^((n - 1 - p) / 2) (1 + g (1 - R^2))^(-(n - 1) / 2) p(g) dg
 *
 * by the trapezoidal rule in t = log g, in about 250 evaluations. In t the integrand is analytic in the strip |Im t| < pi,
 * has one mode of width about 1 / sqrt(p) for any n and R^2, and falls off exponentially on both sides. The error is
 * therefore about exp(-2 pi 1.4 / h), which is below rounding.
 */
export const posterior = (fit: Fit): Posterior => integrated(fit, fine)

/** R^2, with the rounding of the target. */
export const explained = (of: Target, rss: number): number =>
  Math.min(1, Math.max(0, (of.tss - rss) / total(of)))

/**
 * -(n - 1) / 2 log ((1 + g (1 - R^2)) / (1 + g)), as a function of g and log (1 + g): what the sums of squares of a response
 * say about g.
 */
export const fallOf = (of: Target, rss: number): ((g: number, spread: number) => number) => {
  const half = (of.rows - 1) / 2
  const left = unexplained(of, rss)
  const share = explained(of, rss)
  return (g, spread) => {
    const part = (share * g) / (1 + g)
    // Small differences from 1 and from 1 / (1 + g) both count n / 2 times.
    return -half * (part < 0.5 ? Real.log1p(-part) : Real.log1p(g * left) - spread)
  }
}

const integrated = (fit: Fit, rule: Rule): Posterior => {
  const { rows } = fit
  const p = rankOf(fit, fit.rank)
  const left = unexplained(fit, fit.rss)
  const sigma2 = (leftover: number): number => {
    const residual = left * total(fit)
    return rows > 3 ? (residual + (total(fit) - residual) * leftover) / (rows - 3) : Infinity
  }
  if (!(p > 0)) return { logBayesFactor: 0, leftover: 0, sigma2: sigma2(0), slope: 0 }
  const { log, means } = overG(fit, rule, [(t) => 1 / (1 + Real.exp(t)), (t) => gainAt(t, left)])
  const [leftover = 0, gain = 0] = means
  return { logBayesFactor: log, leftover, sigma2: sigma2(leftover), slope: (-(rows - 1) / 2) * gain }
}

/** log BF, and posterior means of functions of t = log g; the rank is above 0. */
export const overG = (
  fit: Fit,
  { step: widest, negligible }: Rule,
  functions: ReadonlyArray<(t: number) => number>,
): Integral => {
  const { rows, a } = fit
  const p = rankOf(fit, fit.rank)
  const left = unexplained(fit, fit.rss)
  const falls = fallOf(fit, fit.rss)
  const height = (t: number): number => {
    const g = Real.exp(t)
    const spread = Real.log1p(g)
    return t - (p / 2) * spread + falls(g, spread) - (a / 2) * Real.log1p(g / rows)
  }
  const step = widest / Math.sqrt(1 + p / 8)
  const start = Real.log(Math.max(0.1, ((explained(fit, fit.rss) / left) * rows) / (p + 1)))
  const { log, means } = integrate(height, start, { step, negligible }, functions)
  return { log: log + Real.log((a - 2) / (2 * rows)), means }
}

/** x / (1 + x) at x = g (1 - R^2). */
export const gainAt = (t: number, left: number): number => 1 / (1 + Real.exp(-t) / left)

/** log p(y | model) - log p(y | the mean alone); see `posterior`. */
export const logBayesFactor = (fit: Fit): number => posterior(fit).logBayesFactor

/**
 * The log evidence of a law with `more` further columns that leave its residual as it is, less that without: derivatives of a law by the constants inside
 * of its terms, which have the g-prior of coefficients (`Constant.scaleFree`).
 */
export const logFurther = (fit: Fit, more: number): number =>
  more === 0 ? 0 : logBayesFactor({ ...fit, rank: fit.rank + more }) - logBayesFactor(fit)

/** log p(y | model), normalised: a log density of y in y's units. */
export const logEvidence = (fit: Fit): number => logNull(fit) + logBayesFactor(fit)

/** The intervals of a table between powers of two: 2^5. */
const bits = 5

/** One number and its bits: the exponent and the leading digits give the interval of the table. */
const word = new Float64Array(1)
const halves = new Int32Array(word.buffer)
const high = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

/** The number of the interval that holds x >= 1, from 0 on. */
const interval = (x: number): number => {
  word[0] = x
  return (halves[high]! >> (20 - bits)) - (1023 << bits)
}

/** The lower end of an interval. */
const begin = (index: number): number => 2 ** (index >> bits) * (1 + (index & (2 ** bits - 1)) / 2 ** bits)

/**
 * `logBayesFactor` of one target, by a table for each rank with cubic Hermite interpolation and exact slopes. The error is
 * below 1e-6 nats, and the interpolant falls with rss. A call costs a logarithm and a few operations. Entries of the
 * table are computed when they are first needed.
 *
 * *When to use*: for searches, which need millions of values. `logBayesFactor` is exact up to rounding.
 *
 * @returns a function of rank and rss; NaN for rss NaN
 */
export const table = (of: Target): ((rank: number, rss: number) => number) => {
  const { rows, rounding } = of
  const least = unexplained(of, 0)
  const over = 1 / total(of)
  const intervals = interval(1 - rows * Real.log(least)) + 1
  const curves = curvesOf(of, intervals)
  return (rank, rss) => {
    const p = Math.min(rank, rows - 1)
    if (!(p > 0)) return 0
    const u = Real.log(Math.min(1, Math.max(least, (rss + rounding) * over)))
    const x = 1 - rows * u
    const { cubics, fill } = (curves[p] ??= curve(of, p, intervals))
    const index = interval(x)
    const at = 5 * index
    if (cubics[at] === 0) fill(index)
    const d = x - cubics[at]!
    return (
      cubics[at + 1]! +
      d * (cubics[at + 2]! + d * (cubics[at + 3]! + d * cubics[at + 4]!)) -
      ((rows - 1 - p) / 2) * u
    )
  }
}

/** Curves by rank, and how many intervals each has. */
interface Curves {
  readonly intervals: number
  readonly byRank: Array<Curve | undefined>
}

/** The latest curves by rows and prior: they do not depend on the response, whose weights a search chooses again and again. */
const latest = Recent.make<Curves>(16)

const curvesOf = ({ rows, a }: Target, intervals: number): Array<Curve | undefined> =>
  latest.of(`${rows} ${a}`, (known) =>
    known !== undefined && known.intervals >= intervals ? known : { intervals, byRank: [] },
  ).byRank

interface Curve {
  /** for each interval its lower end, which is 0 until the interval is filled, and the four coefficients of its cubic */
  readonly cubics: Float64Array
  readonly fill: (index: number) => void
}

/**
 * log BF + (n - 1 - p) / 2 u, u = log (1 - R^2), as a function of x = 1 - n u. Without its linear part the curve changes
 * over factors of order 1 in x. Intervals are filled when they are first needed; most are never needed.
 */
const curve = (of: Target, rank: number, intervals: number): Curve => {
  const line = (of.rows - 1 - rank) / 2
  // Both sums of squares in units of tss, rounding included.
  const scaled = { rows: of.rows, a: of.a, rank, tss: 1, rounding: 0 }
  const knots: Array<readonly [number, number] | undefined> = []
  /** The value and the slope at the lower end of an interval. */
  const knot = (index: number): readonly [number, number] => {
    const known = knots[index]
    if (known !== undefined) return known
    const u = (1 - begin(index)) / of.rows
    const { logBayesFactor, slope } = integrated({ ...scaled, rss: Real.exp(u) }, coarse)
    return (knots[index] = [logBayesFactor + line * u, -(slope + line) / of.rows])
  }
  const cubics = new Float64Array(5 * intervals)
  return {
    cubics,
    fill: (index) => {
      const [value, slope] = knot(index)
      const [nextValue, nextSlope] = knot(index + 1)
      const width = begin(index + 1) - begin(index)
      const chord = (nextValue - value) / width
      cubics.set(
        [
          begin(index),
          value,
          slope,
          (3 * chord - 2 * slope - nextSlope) / width,
          (slope + nextSlope - 2 * chord) / width ** 2,
        ],
        5 * index,
      )
    },
  }
}
