import * as Real from "./Real.ts"

/**
 * Special functions in float64: the gamma family by upward recurrence to x >= 12 and the asymptotic (Stirling)
 * series there (Abramowitz and Stegun 6.1.40, 6.3.18, 6.4.12), the incomplete functions by series and continued
 * fractions. Arguments x > 0 unless said otherwise; `NaN` outside of the domain.
 */

// The series below need no more than eight terms for full precision from here on.
const ASYMPTOTIC_FROM = 12
const HALF_LOG_TWO_PI = 0.91893853320467274178

/** sum_k B_2k / (2k (2k - 1) x^(2k - 1)), the correction to Stirling's formula. */
const stirlingCorrection = (x: number): number => {
  const z = 1 / (x * x)
  return (
    (1 / 12 -
      z *
        (1 / 360 -
          z *
            (1 / 1260 -
              z * (1 / 1680 - z * (1 / 1188 - z * (691 / 360360 - z * (1 / 156 - z * (3617 / 122400)))))))) /
    x
  )
}

/**
 * log Gamma(x), x > 0. Relative error below 1e-14 away from the roots at 1 and 2, absolute error below 1e-14 there.
 */
export const lgamma = (x: number): number => {
  if (!(x > 0)) return Number.NaN
  let z = x
  let product = 1
  while (z < ASYMPTOTIC_FROM) {
    product *= z
    z += 1
  }
  const stirling = (z - 0.5) * Real.log(z) - z + HALF_LOG_TWO_PI + stirlingCorrection(z)
  return z === x ? stirling : stirling - Real.log(product)
}

/** d/dx log Gamma(x), x > 0. Absolute error below 1e-14 near its root at 1.4616, relative error elsewhere. */
export const digamma = (x: number): number => {
  if (!(x > 0)) return Number.NaN
  let z = x
  let shift = 0
  while (z < ASYMPTOTIC_FROM) {
    shift += 1 / z
    z += 1
  }
  const w = 1 / (z * z)
  const tail =
    w *
    (1 / 12 -
      w *
        (1 / 120 -
          w *
            (1 / 252 - w * (1 / 240 - w * (1 / 132 - w * (691 / 32760 - w * (1 / 12 - w * (3617 / 8160))))))))
  return Real.log(z) - 0.5 / z - tail - shift
}

/** d^2/dx^2 log Gamma(x), x > 0. Relative error below 1e-14. */
export const trigamma = (x: number): number => {
  if (!(x > 0)) return Number.NaN
  let z = x
  let shift = 0
  while (z < ASYMPTOTIC_FROM) {
    shift += 1 / (z * z)
    z += 1
  }
  const w = 1 / (z * z)
  const tail =
    1 / 6 -
    w *
      (1 / 30 -
        w * (1 / 42 - w * (1 / 30 - w * (5 / 66 - w * (691 / 2730 - w * (7 / 6 - w * (3617 / 510)))))))
  return shift + 1 / z + 0.5 * w + (tail * w) / z
}

/** d^3/dx^3 log Gamma(x), x > 0: upwards by recurrence, then the asymptotic series. */
export const tetragamma = (x: number): number => {
  let sum = 0
  let z = x
  for (; z < 15; z++) sum -= 2 / (z * z * z)
  const r = 1 / (z * z)
  return sum - r * (1 + 1 / z + r * (0.5 - r * (1 / 6 - r * (1 / 6 - r * (0.3 - (r * 5) / 6)))))
}

/** log B(a, b) = log Gamma(a) + log Gamma(b) - log Gamma(a + b). */
export const logBeta = (a: number, b: number): number => {
  const low = Math.min(a, b)
  const high = Math.max(a, b)
  if (!(low > 0)) return Number.NaN
  if (high < ASYMPTOTIC_FROM) return lgamma(low) + lgamma(high) - lgamma(low + high)
  // log Gamma(high) - log Gamma(low + high) by Stirling's formula, with its large terms cancelled by hand.
  const total = low + high
  const correction = stirlingCorrection(high) - stirlingCorrection(total)
  const ratio = -(high - 0.5) * Real.log1p(low / high) - low * Real.log(total) + low
  return lgamma(low) + ratio + correction
}

/** log of the multivariate Beta function, sum_k log Gamma(a_k) - log Gamma(sum_k a_k): `a` has m > 0 elements. */
export const logMultivariateBeta = (a: ReadonlyArray<number>): number => {
  // One factor B(partial sum, a_k) at a time: each is computed without cancellation.
  let total = a[0] ?? Number.NaN
  let sum = a.length === 0 ? Number.NaN : 0
  for (const ak of a.slice(1)) {
    sum += logBeta(total, ak)
    total += ak
  }
  return sum
}

const TINY = 1e-300
const MAX_TERMS = 10_000

/** The regularised lower incomplete gamma function P(a, x), the cdf of Gamma(a, 1): a > 0, x >= 0. */
export const gammaP = (a: number, x: number): number => {
  if (!(a > 0) || !(x >= 0)) return Number.NaN
  if (x === 0) return 0
  if (x === Infinity) return 1
  return x < a + 1 ? lowerSeries(a, x) : 1 - upperFraction(a, x)
}

/** The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x), accurate where it is small. */
export const gammaQ = (a: number, x: number): number => {
  if (!(a > 0) || !(x >= 0)) return Number.NaN
  if (x === 0) return 1
  if (x === Infinity) return 0
  return x < a + 1 ? 1 - lowerSeries(a, x) : upperFraction(a, x)
}

const gammaPrefactor = (a: number, x: number): number => Real.exp(a * Real.log(x) - x - lgamma(a))

const lowerSeries = (a: number, x: number): number => {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < MAX_TERMS && term > sum * 1e-17; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum * gammaPrefactor(a, x)
}

// Lentz's algorithm for continued fractions, here and in `betaFraction`.
const upperFraction = (a: number, x: number): number => {
  let b = x + 1 - a
  let c = 1 / TINY
  let d = 1 / b
  let h = d
  for (let n = 1; n < MAX_TERMS; n++) {
    const an = -n * (n - a)
    b += 2
    d = 1 / nonzero(an * d + b)
    c = nonzero(b + an / c)
    h *= d * c
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return h * gammaPrefactor(a, x)
}

const nonzero = (x: number): number => (Math.abs(x) < TINY ? TINY : x)

/** The regularised incomplete beta function I_x(a, b), the cdf of Beta(a, b): a, b > 0, 0 <= x <= 1. */
export const betaI = (a: number, b: number, x: number): number => {
  if (!(a > 0) || !(b > 0) || !(x >= 0 && x <= 1)) return Number.NaN
  if (x === 0 || x === 1) return x
  const front = Real.exp(a * Real.log(x) + b * Real.log1p(-x) - logBeta(a, b))
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b
}

const betaFraction = (a: number, b: number, x: number): number => {
  let c = 1
  let d = 1 / nonzero(1 - ((a + b) * x) / (a + 1))
  let h = d
  for (let n = 1; n < MAX_TERMS; n++) {
    const even = (n * (b - n) * x) / ((a + 2 * n - 1) * (a + 2 * n))
    d = 1 / nonzero(1 + even * d)
    c = nonzero(1 + even / c)
    h *= d * c
    const odd = (-(a + n) * (a + b + n) * x) / ((a + 2 * n) * (a + 2 * n + 1))
    d = 1 / nonzero(1 + odd * d)
    c = nonzero(1 + odd / c)
    h *= d * c
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return h
}

/** The error function, for any real x. */
export const erf = (x: number): number => Math.sign(x) * gammaP(0.5, x * x)

/** The cdf of the standard normal distribution, accurate in both tails. */
export const normalCdf = (z: number): number => {
  const tail = 0.5 * gammaQ(0.5, (z * z) / 2)
  return z < 0 ? tail : 1 - tail
}
