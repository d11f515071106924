import * as Cholesky from "../../numeric/cholesky.ts"
import * as Real from "../../numeric/Real.ts"
import type { WeightedDraws } from "../../prob/Factor.ts"

// The multivariate normal distribution in float64, with elements of draws that are NaN summed out.

/** The location, the logarithm of the diagonal of the Cholesky factor, and the triangle below it in units of it; see `FullRank`. */
type Parameters = ReadonlyArray<ArrayLike<number>>

/** A location and a Cholesky factor or a covariance, row-major. */
interface Normal {
  readonly loc: ArrayLike<number>
  readonly matrix: Float64Array
}

/** L of the covariance L L'. */
const factorOf = ([loc, logScale, triangle]: Parameters): Normal => {
  const n = loc!.length
  const matrix = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    const sd = Real.exp(logScale![i]!)
    for (let j = 0; j < i; j++) matrix[i * n + j] = sd * triangle![i * n + j]!
    matrix[i * n + i] = sd
  }
  return { loc: loc!, matrix }
}

/** L L' of a lower triangle. */
const covarianceOf = (factor: Float64Array, n: number): Float64Array => {
  const out = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let k = 0; k <= j; k++) sum += factor[i * n + k]! * factor[j * n + k]!
      out[i * n + j] = sum
      out[j * n + i] = sum
    }
  return out
}

/** The elements of a draw with a value: their places, their inverse covariance P, and P (x - loc). */
interface Known {
  readonly places: ReadonlyArray<number>
  readonly precision: Float64Array
  readonly pull: Float64Array
  readonly logDensity: number
}

/** The marginal distribution of the elements of a draw that have a value. */
const knownOf = (
  covariance: Float64Array,
  loc: ArrayLike<number>,
  values: ArrayLike<number>,
  from: number,
): Known => {
  const n = loc.length
  const places = Array.from({ length: n }, (_, i) => i).filter((i) => !Number.isNaN(values[from + i]))
  const size = places.length
  const own = new Float64Array(size * size)
  places.forEach((row, i) =>
    places.forEach((column, j) => (own[i * size + j] = covariance[row * n + column]!)),
  )
  const cholesky = Cholesky.make(size)
  const logDeterminant = Cholesky.decompose(own, cholesky)
  const off = Float64Array.from(places, (i) => values[from + i]! - loc[i]!)
  const pull = new Float64Array(size)
  Cholesky.solve(cholesky, off, pull)
  const precision = new Float64Array(size * size)
  Cholesky.invert(cholesky, precision, new Float64Array(size))
  const distance = off.reduce((sum, x, i) => sum + x * pull[i]!, 0)
  return {
    places,
    precision,
    pull,
    logDensity: -0.5 * (distance + logDeterminant + size * Real.log(2 * Math.PI)),
  }
}

/** log q of each draw, of the elements that are not NaN. */
export const logDensity = (parameters: Parameters, values: ArrayLike<number>): Float64Array => {
  const { loc, matrix } = factorOf(parameters)
  const n = loc.length
  const covariance = covarianceOf(matrix, n)
  return Float64Array.from(
    { length: values.length / n },
    (_, draw) => knownOf(covariance, loc, values, draw * n).logDensity,
  )
}

/**
 * The derivatives of the weighted sum of `logDensity`. With S the covariance of the known elements and a = S^-1 (x - loc)
 * that by loc is a, that by S is G = (a a' - S^-1) / 2, and that by their rows of L is 2 G L.
 */
export const score = (
  parameters: Parameters,
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
): ReadonlyArray<Float64Array> => {
  const { loc, matrix } = factorOf(parameters)
  const n = loc.length
  const covariance = covarianceOf(matrix, n)
  const slopes = [new Float64Array(n), new Float64Array(n), new Float64Array(n * n)] as const
  for (let draw = 0; draw < weights.length; draw++) {
    const { places, precision, pull } = knownOf(covariance, loc, values, draw * n)
    const weight = weights[draw]!
    places.forEach((row, i) => {
      slopes[0][row]! += weight * pull[i]!
      for (let column = 0; column <= row; column++) {
        let slope = 0
        places.forEach((other, j) => {
          slope += (pull[i]! * pull[j]! - precision[i * places.length + j]!) * matrix[other * n + column]!
        })
        slopes[1][row]! += weight * slope * matrix[row * n + column]!
        if (column < row) slopes[2][row * n + column]! += weight * slope * matrix[row * n + row]!
      }
    })
  }
  return slopes
}

/** The smallest scale, relative to the largest absolute number. */
const narrowest = 1e-6

/** The number of rounds of expectation and maximisation, and the relative change at which they end. */
const rounds = { most: 200, end: 1e-10 }

/**
 * The nearest normal distribution to (1 - rate) q + rate p^: that with its mean and covariance. Where elements of draws are
 * NaN these are found by expectation and maximisation (Dempster, Laird and Rubin 1977), each draw being completed by its
 * conditional distribution.
 */
export const moved = (
  parameters: Parameters,
  { values, weights }: WeightedDraws,
  rate: number,
): ReadonlyArray<Float64Array> => {
  const { loc, matrix } = factorOf(parameters)
  const n = loc.length
  const before = { loc, matrix: covarianceOf(matrix, n) }
  let now: Normal = before
  for (let round = 0; round < rounds.most; round++) {
    const next = completed(before, now, values, weights, rate)
    const change = next.matrix.reduce((most, x, at) => {
      const [i, j] = [Math.floor(at / n), at % n]
      const scale = Math.sqrt(next.matrix[i * n + i]! * next.matrix[j * n + j]!)
      const shift = Math.abs(next.loc[i]! - now.loc[i]!) / Math.sqrt(next.matrix[i * n + i]!)
      return Math.max(most, shift, Math.abs(x - now.matrix[at]!) / scale)
    }, 0)
    now = next
    if (!(change > rounds.end)) break
  }
  return parametersOf(now)
}

/** Mean and covariance of (1 - rate) `before` + rate p^, with the missing elements of p^ as `now` has them. */
const completed = (
  before: Normal,
  now: Normal,
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  rate: number,
): Normal => {
  const n = before.loc.length
  const means = Array.from({ length: weights.length }, () => Float64Array.from(now.loc))
  const within = before.matrix.map((x) => (1 - rate) * x)
  means.forEach((mean, draw) => {
    const { places, precision, pull } = knownOf(now.matrix, now.loc, values, draw * n)
    const weight = rate * weights[draw]!
    for (let i = 0; i < n; i++) {
      if (places.includes(i)) {
        mean[i] = values[draw * n + i]!
        continue
      }
      places.forEach((place, a) => (mean[i]! += now.matrix[i * n + place]! * pull[a]!))
      for (let j = 0; j < n; j++) {
        if (places.includes(j)) continue
        let left = now.matrix[i * n + j]!
        places.forEach((row, a) =>
          places.forEach((column, b) => {
            const known = precision[a * places.length + b]! * now.matrix[column * n + j]!
            left -= now.matrix[i * n + row]! * known
          }),
        )
        within[i * n + j]! += weight * left
      }
    }
  })
  const loc = Float64Array.from(before.loc, (x, i) =>
    means.reduce((sum, mean, draw) => sum + rate * weights[draw]! * mean[i]!, (1 - rate) * x),
  )
  const add = (mean: ArrayLike<number>, weight: number): void => {
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) within[i * n + j]! += weight * (mean[i]! - loc[i]!) * (mean[j]! - loc[j]!)
  }
  add(before.loc, 1 - rate)
  means.forEach((mean, draw) => add(mean, rate * weights[draw]!))
  const largest = means.reduce(
    (most, mean) => mean.reduce((own, x) => Math.max(own, Math.abs(x)), most),
    1e-100,
  )
  for (let i = 0; i < n; i++) within[i * n + i] = Math.max(within[i * n + i]!, (narrowest * largest) ** 2)
  return { loc, matrix: within }
}

/** The parameters of a location and a covariance. */
const parametersOf = ({ loc, matrix }: Normal): ReadonlyArray<Float64Array> => {
  const n = loc.length
  const cholesky = Cholesky.make(n)
  Cholesky.decompose(matrix, cholesky)
  const { factor, scale } = cholesky
  return [
    Float64Array.from(loc),
    Float64Array.from({ length: n }, (_, i) => Real.log(factor[i * n + i]! / scale[i]!)),
    factor.map((x, at) => {
      const [i, j] = [Math.floor(at / n), at % n]
      return j < i ? x / factor[i * n + i]! : 0
    }),
  ]
}
