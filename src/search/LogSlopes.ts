import { leastSquares } from "../numeric/leastSquares.ts"
import { dot } from "../numeric/orthogonal.ts"

/**
 * How a response depends on the logarithms l of features, by a robust quadratic fit of its logarithm t:
 *
 *     t = a_0 + a'l + l'B l / 2
 *
 * Where the response is a power of a feature times any function of the others, the slope of the feature is the power: features that
 * are drawn independently do not bias each other's slopes.
 */
export interface LogSlopes {
  readonly slopes: Float64Array
  /** the standard errors of a, for independent features */
  readonly errors: Float64Array
  /** B, d x d */
  readonly bends: ReadonlyArray<Float64Array>
  /** the standard error of an element of B, for independent features */
  readonly bendError: (j: number, k: number) => number
  /** factors of rows, length n: 1 for most, less for rows far from the fit */
  readonly weights: Float64Array
  /** the weighted sum of squared residuals */
  readonly rss: number
  /** the median magnitude of the residuals, as a share of that of t around its median */
  readonly unexplained: number
}

/** Residuals of more than this many times their median magnitude count less (Huber 1964). */
const far = 4
/** Fits with weights of the fit before. */
const passes = 4

const median = (values: Float64Array): number => values.toSorted()[values.length >> 1]!

const middling = (values: Float64Array): number => median(values.map(Math.abs))

/** A column around its mean. */
export const centred = (column: Float64Array): Float64Array => {
  const mean = column.reduce((sum, value) => sum + value, 0) / column.length
  return column.map((value) => value - mean)
}

/** A least-squares fit. */
export interface WeightedFit {
  /** one for each column */
  readonly coefficients: Float64Array
  /** length n, without weights */
  readonly residual: Float64Array
  /** the sum of squares of weighted residuals */
  readonly rss: number
}

/** Least squares with factors of rows. */
export const weighted = (
  columns: ReadonlyArray<Float64Array>,
  t: Float64Array,
  weights: Float64Array,
): WeightedFit => {
  const by = (column: Float64Array): Float64Array => column.map((value, i) => value * weights[i]!)
  const { coefficients, rss } = leastSquares(columns.map(by), by(t))
  const residual = t.slice()
  columns.forEach((column, k) => {
    for (let i = 0; i < residual.length; i++) residual[i]! -= coefficients[k]! * column[i]!
  })
  return { coefficients, residual, rss }
}

/** Huber's weights of residuals, as factors of rows. */
const huber = (residual: Float64Array): Float64Array => {
  const most = far * middling(residual)
  return residual.map((value) => (Math.abs(value) > most ? Math.sqrt(most / Math.abs(value)) : 1))
}

/** A robust fit: least squares, repeated with Huber's weights. */
const robust = (
  columns: ReadonlyArray<Float64Array>,
  t: Float64Array,
  times: number,
): WeightedFit & { readonly weights: Float64Array; readonly unexplained: number } => {
  let weights: Float64Array = new Float64Array(t.length).fill(1)
  let fit = weighted(columns, t, weights)
  for (let pass = 1; pass < times; pass++) {
    weights = huber(fit.residual)
    fit = weighted(columns, t, weights)
  }
  const middle = median(t)
  return {
    ...fit,
    weights,
    unexplained: middling(fit.residual) / middling(t.map((value) => value - middle)),
  }
}

/**
 * @param logs l: d columns of length n, finite, none constant
 * @param t length n, finite
 * @returns undefined where n is too small for the quadratic fit
 */
export const of = (logs: ReadonlyArray<Float64Array>, t: Float64Array): LogSlopes | undefined => {
  const [n, d] = [t.length, logs.length]
  const around = logs.map(centred)
  const spread = around.map((column) => Math.sqrt(dot(column, column) / n))
  const unit = around.map((column, j) => column.map((value) => value / spread[j]!))
  const pairs = unit.flatMap((_, j) => unit.slice(0, j + 1).map((__, k) => [j, k] as const))
  const columns = [
    new Float64Array(n).fill(1),
    ...unit,
    ...pairs.map(([j, k]) => unit[j]!.map((value, i) => value * unit[k]![i]! - (j === k ? 1 : 0))),
  ]
  if (n < 2 * columns.length) return undefined
  const { coefficients, weights, rss, unexplained } = robust(columns, t, passes)
  const error = Math.sqrt(rss / (n - columns.length) / n)
  const bends = logs.map(() => new Float64Array(d))
  pairs.forEach(([j, k], place) => {
    const bend = ((j === k ? 2 : 1) * coefficients[1 + d + place]!) / (spread[j]! * spread[k]!)
    bends[j]![k] = bends[k]![j] = bend
  })
  return {
    slopes: Float64Array.from(spread, (by, j) => coefficients[1 + j]! / by),
    errors: Float64Array.from(spread, (by) => error / by),
    bends,
    bendError: (j, k) => ((j === k ? Math.SQRT2 : 1) * error) / (spread[j]! * spread[k]!),
    weights,
    rss,
    unexplained,
  }
}

/**
 * The share of t that a fit by l and its squares leaves, without products: a fast first look.
 *
 * @param logs l: columns of length n, finite
 */
export const unexplained = (logs: ReadonlyArray<Float64Array>, t: Float64Array): number => {
  const around = logs.map(centred)
  const squares = around.map((column) => column.map((value) => value ** 2))
  return robust([new Float64Array(t.length).fill(1), ...around, ...squares], t, 2).unexplained
}

/** The share of the sum of squares of y around its mean that a parabola of x leaves; 1 where y is constant or there are no rows. */
export const parabola = (x: Float64Array, y: Float64Array): number => {
  const total = centred(y)
  const whole = dot(total, total)
  if (!(whole > 0)) return 1
  const around = centred(x)
  const squares = around.map((value) => value ** 2)
  return leastSquares([new Float64Array(y.length).fill(1), around, squares], y).rss / whole
}

/** The robust slope of y by x, and the share of y that the line leaves. */
export const line = (
  x: Float64Array,
  y: Float64Array,
): { readonly slope: number; readonly unexplained: number } => {
  const { coefficients, unexplained } = robust([new Float64Array(x.length).fill(1), x], y, passes)
  return { slope: coefficients[1]!, unexplained }
}
