import * as Elementary from "../Elementary.ts"
import { cut, divided, highOf } from "./bits.ts"

// After fdlibm's `e_log.c`, `s_log1p.c`, `e_log10.c` and FreeBSD's `e_log2.c`; see `numeric/Real`.

// Copies: engines read values of other modules anew at each use.
const [LN2_HIGH, LN2_LOW] = [Elementary.LN2_HIGH, Elementary.LN2_LOW] as const
const [EVEN_1, EVEN_2, EVEN_3] = Elementary.LOG_EVEN
const [ODD_1, ODD_2, ODD_3, ODD_4] = Elementary.LOG_ODD
/** 1 / log(2) in two parts, log10(2) in two parts, and 1 / log(10). */
const [INVERSE_LN2_HIGH, INVERSE_LN2_LOW] = [1.44269504072144627571, 1.67517131648865118353e-10] as const
const [LOG10_2_HIGH, LOG10_2_LOW] = [3.01029995663611771306e-1, 3.69423907715893078616e-13] as const
const INVERSE_LN10 = 4.34294481903251816668e-1

/** The k for which x = 2^k (1 + f) with sqrt(2) / 2 < 1 + f < sqrt(2), of the upper half of a normal double x > 0. */
const nearestPower = (high: number): number => ((high + 0x95f64) >>> 20) - 1023

/** x / 2^k, where 2^k itself may be too large. */
const over = (x: number, k: number): number => (k < 1024 ? divided(x, k) : divided(x * 0.5, k - 1))

const LEAST_NORMAL = 2.2250738585072014e-308
/** The upper halves of the least normal number, and of a number that is a power of 2 at most whose inverse is normal. */
const [NORMAL, LARGE] = [0x00100000, 0x7fe00000] as const

/** Numbers that functions take and give: a number between two functions may be a box on the heap. */
const numbers = new Float64Array(2)
const halves = new Int32Array(numbers.buffer)
/** The half of the first number with its sign and exponent: 1 on little-endian machines. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

/** Replaces x, the first of `numbers`, which is not positive, not normal or not below 2^1023, by its logarithm. */
const takeEdge = (): void => {
  const x = numbers[0]!
  if (!(x > 0)) numbers[0] = x === 0 ? -Infinity : Number.NaN
  else if (x < Infinity) {
    const shift = x > 1 ? 54 : -54
    numbers[0] = divided(x, shift)
    takeLogarithm(shift)
  }
}

/** Replaces x, the first of `numbers`, by log(x) + shift log(2). */
const takeLogarithm = (shift: number): void => {
  const high = halves[HIGH]!
  if (high < NORMAL || high >= LARGE) return takeEdge()
  const power = nearestPower(high)
  const f = divided(numbers[0]!, power) - 1
  const k = power + shift
  const mantissa = high & 0xfffff
  if (((mantissa + 2) & 0xfffff) < 3) {
    // |f| < 2^-20
    const r = f * f * (0.5 - 0.33333333333333333 * f)
    numbers[0] = k * LN2_HIGH - (r - k * LN2_LOW - f)
    return
  }
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const r = z * (ODD_1 + w * (ODD_2 + w * (ODD_3 + w * ODD_4))) + w * (EVEN_1 + w * (EVEN_2 + w * EVEN_3))
  if (mantissa >= 0x6147a && mantissa <= 0x6b851) {
    // The better of two forms where f is large.
    const square = 0.5 * f * f
    numbers[0] = k * LN2_HIGH - (square - (s * (square + r) + k * LN2_LOW) - f)
  } else numbers[0] = k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f)
}

export const log = (x: number): number => {
  numbers[0] = x
  takeLogarithm(0)
  return numbers[0]
}

/** Replaces f, the first of `numbers`, by log(2^k (1 + f)) + c, where c is the second. */
const takeSum = (k: number): void => {
  const f = numbers[0]!
  const square = 0.5 * f * f
  const s = f / (2 + f)
  const z = s * s
  const r = z * (ODD_1 + z * (EVEN_1 + z * (ODD_2 + z * (EVEN_2 + z * (ODD_3 + z * (EVEN_3 + z * ODD_4))))))
  numbers[0] = k * LN2_HIGH - (square - (s * (square + r) + (k * LN2_LOW + numbers[1]!)) - f)
}

/** Replaces x, the first of `numbers`, by log(1 + x), outside of [sqrt(2) / 2 - 1, sqrt(2) - 1]. */
const takeFar = (): void => {
  const x = numbers[0]!
  if (!(x > -1)) {
    numbers[0] = x === -1 ? -Infinity : Number.NaN
    return
  }
  if (x === Infinity) return
  const u = x < 2 ** 53 ? 1 + x : x
  const high = highOf(u)
  const power = (high >> 20) - 1023
  // What the sum lost.
  const c = x < 2 ** 53 ? (power > 0 ? 1 - (u - x) : x - (u - 1)) / u : 0
  const mantissa = high & 0xfffff
  const k = mantissa < 0x6a09e ? power : power + 1
  const f = over(u, k) - 1
  numbers[0] = f
  numbers[1] = c
  if (mantissa > 0 && mantissa <= 0xffffc) return takeSum(k)
  // |f| < 2^-20
  const r = 0.5 * f * f * (1 - 0.66666666666666666 * f)
  numbers[0] = k * LN2_HIGH - (r - (k * LN2_LOW + c) - f)
}

/** Replaces x, the first of `numbers`, by log(1 + x). */
const takeLog1p = (): void => {
  const x = numbers[0]!
  const size = Math.abs(x)
  if (size < 2 ** -29) numbers[0] = size < 2 ** -54 ? x : x - x * x * 0.5
  else if (x < 0.4142136573791504 && x > -0.292893648147583) {
    numbers[1] = 0
    takeSum(0)
  } else takeFar()
}

export const log1p = (x: number): number => {
  numbers[0] = x
  takeLog1p()
  return numbers[0]
}

/** Exact for powers of 2. */
export const log2 = (x: number): number => {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN
  if (x === Infinity) return x
  const normal = x < LEAST_NORMAL ? x * 2 ** 54 : x
  const power = nearestPower(highOf(normal))
  const f = over(normal, power) - 1
  const k = x < LEAST_NORMAL ? power - 54 : power
  const square = 0.5 * f * f
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const odd = z * (ODD_1 + w * (ODD_2 + w * (ODD_3 + w * ODD_4)))
  const r = s * (square + (odd + w * (EVEN_1 + w * (EVEN_2 + w * EVEN_3))))
  const high = cut(f - square)
  const low = f - high - square + r
  const larger = high * INVERSE_LN2_HIGH
  const smaller = (low + high) * INVERSE_LN2_LOW + low * INVERSE_LN2_HIGH
  const sum = k + larger
  return smaller + (k - sum + larger) + sum
}

/** Exact for powers of 10. */
export const log10 = (x: number): number => {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN
  if (x === Infinity) return x
  const normal = x < LEAST_NORMAL ? x * 2 ** 54 : x
  const power = (highOf(normal) >> 20) - 1023
  const k = x < LEAST_NORMAL ? power - 54 : power
  const y = k < 0 ? k + 1 : k
  const mantissa = over(normal, k < 0 ? power + 1 : power)
  return y * LOG10_2_LOW + INVERSE_LN10 * log(mantissa) + y * LOG10_2_HIGH
}
