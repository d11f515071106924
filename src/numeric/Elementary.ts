/**
 * Elementary functions with the same bits on every engine. ECMAScript leaves the rounding of `Math.log`, `Math.exp`
 * and `Math.pow` to the implementation; random draws that pass through them would not be reproducible. These use only
 * +, -, *, / and the square root, which IEEE 754 fixes.
 *
 * `log` and `exp` are ports of FreeBSD's msun (Sun's fdlibm), `e_log.c` and `e_exp.c`; errors are below 1 ulp.
 * The inverse normal cdf is Wichura's algorithm AS 241, PPND16 (Applied Statistics 37, 1988), relative error 1e-16.
 */

const double = new Float64Array(1)
const halves = new Uint32Array(double.buffer)
// Index of the half with sign and exponent: 1 on little-endian machines.
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

/** log 2 in two parts. */
export const LN2_HIGH = 6.9314718036912381649e-1
export const LN2_LOW = 1.90821492927058770002e-10
/** The coefficients of w, w^2, ... and z, z w, ... in {@link log}, for other implementations of it; see `logOf`. */
export const LOG_EVEN = [3.999999999940941908e-1, 2.222219843214978396e-1, 1.531383769920937332e-1] as const
export const LOG_ODD = [
  6.66666666666673513e-1, 2.857142874366239149e-1, 1.818357216161805012e-1, 1.479819860511658591e-1,
] as const
/** The coefficients of t, t^2, ... in {@link exp}, for other implementations of it. */
export const EXP_SERIES = [
  1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.6533902205465251539e-6,
  4.13813679705723846039e-8,
] as const
const [EXP_1, EXP_2, EXP_3, EXP_4, EXP_5] = EXP_SERIES
const [EVEN_1, EVEN_2, EVEN_3] = LOG_EVEN
const [ODD_1, ODD_2, ODD_3, ODD_4] = LOG_ODD
const TWO_54 = 2 ** 54

// POWERS[k + 1074] = 2^k for -1074 <= k <= 1023, by exact doubling. A table, because assembling a double from two
// 32-bit halves in memory stalls the processor (three times slower).
const POWERS = new Float64Array(2098)
for (let i = 0, power = Number.MIN_VALUE; i < POWERS.length; i++, power *= 2) POWERS[i] = power

const powerOfTwo = (k: number): number => POWERS[k + 1074] ?? Number.NaN

/** Natural logarithm: `-Infinity` at 0, `NaN` below. */
export const log = (value: number): number => {
  if (value === 0) return -Infinity
  if (!(value > 0)) return Number.NaN
  if (value === Infinity) return value
  let x = value
  let k = 0
  if (x < 2.2250738585072014e-308) {
    x *= TWO_54
    k = -54
  }
  double[0] = x
  const exponent = nearestPower(halves[HIGH]!)
  // 2^-1024 is exact in the table but 2^1024 is not a double: split where x is that large.
  const f = (exponent < 1024 ? x * powerOfTwo(-exponent) : x * 0.5 * powerOfTwo(1 - exponent)) - 1
  return logOf(k + exponent, f)
}

/** The k for which x = 2^k (1 + f) with sqrt(2) / 2 < 1 + f < sqrt(2), of the upper half of a normal double x > 0. */
const nearestPower = (high: number): number => ((high + 0x95f64) >>> 20) - 1023

/** log(2^k (1 + f)) for sqrt(2) / 2 < 1 + f < sqrt(2). */
const logOf = (k: number, f: number): number => {
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const even = w * (EVEN_1 + w * (EVEN_2 + w * EVEN_3))
  const odd = z * (ODD_1 + w * (ODD_2 + w * (ODD_3 + w * ODD_4)))
  const halfSquare = 0.5 * f * f
  return k * LN2_HIGH - (halfSquare - (s * (halfSquare + even + odd) + k * LN2_LOW) - f)
}

/** Numbers for {@link logs}: their values, and the same bytes as 32-bit halves. */
export interface Doubles {
  readonly values: Float64Array
  readonly halves: Uint32Array
}

/** `length` zeros. */
export const doubles = (length: number): Doubles => doublesOf(new Float64Array(length))

export const doublesOf = (values: Float64Array): Doubles => ({
  values,
  halves: new Uint32Array(values.buffer, values.byteOffset, 2 * values.length),
})

/**
 * Replaces the first `count` values x by `sign` * log(x), with the bits of {@link log} but without its tests, in half
 * the time: every x must be positive, normal and below 2^1023.
 */
export const logs = ({ values, halves }: Doubles, count: number, sign: 1 | -1): void => {
  for (let i = 0; i < count; i++) {
    const k = nearestPower(halves[2 * i + HIGH]!)
    values[i] = sign * logOf(k, values[i]! * POWERS[1074 - k]! - 1)
  }
}

/** 1.5 2^52: adding it rounds to the nearest whole number. */
export const NEAREST = 6_755_399_441_055_744

/** Exponential: `Infinity` above 709.78, `0` below -745.13. */
export const exp = (x: number): number => {
  if (Number.isNaN(x) || x > 709.782712893384) return x + Infinity
  if (x < -745.1332191019411) return 0
  const k = x * 1.4426950408889634 + NEAREST - NEAREST
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const r = high - low
  const t = r * r
  const c = r - t * (EXP_1 + t * (EXP_2 + t * (EXP_3 + t * (EXP_4 + t * EXP_5))))
  const y = 1 - (low - (r * c) / (2 - c) - high)
  // Two factors, because 2^k alone may be subnormal or overflow where y 2^k does not.
  const half = k >> 1
  return y * powerOfTwo(half) * powerOfTwo(k - half)
}

/** The quantile function of the standard normal distribution, for p in (0, 1). */
export const normalQuantile = (p: number): number => {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (
      (q *
        (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r +
          45921.953931549871457) *
          r +
          13731.693765509461125) *
          r +
          1971.5909503065514427) *
          r +
          133.14166789178437745) *
          r +
          3.387132872796366608)) /
      (((((((5226.495278852854561 * r + 28729.085735721942674) * r + 39307.89580009271061) * r +
        21213.794301586595867) *
        r +
        5394.1960214247511077) *
        r +
        687.1870074920579083) *
        r +
        42.313330701600911252) *
        r +
        1)
    )
  }
  const tail = Math.sqrt(-log(q < 0 ? p : 1 - p))
  return q < 0 ? -upperQuantile(tail) : upperQuantile(tail)
}

/** AS 241 in the tails, as a function of r = sqrt(-log(tail probability)). */
const upperQuantile = (tail: number): number => {
  if (tail <= 5) {
    const r = tail - 1.6
    return (
      (((((((7.7454501427834140764e-4 * r + 2.27238449892691845833e-2) * r + 2.4178072517745061177e-1) * r +
        1.27045825245236838258) *
        r +
        3.64784832476320460504) *
        r +
        5.7694972214606914055) *
        r +
        4.6303378461565452959) *
        r +
        1.42343711074968357734) /
      (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 1.51986665636164571966e-2) * r +
        1.4810397642748007459e-1) *
        r +
        6.8976733498510000455e-1) *
        r +
        1.6763848301838038494) *
        r +
        2.05319162663775882187) *
        r +
        1)
    )
  }
  const r = tail - 5
  return (
    (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.2426609473880784386e-3) * r +
      2.6532189526576123093e-2) *
      r +
      2.9656057182850489123e-1) *
      r +
      1.7848265399172913358) *
      r +
      5.4637849111641143699) *
      r +
      6.6579046435011037772) /
    (((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r +
      7.868691311456132591e-4) *
      r +
      1.48753612908506148525e-2) *
      r +
      1.3692988092273580531e-1) *
      r +
      5.9983220655588793769e-1) *
      r +
      1)
  )
}
