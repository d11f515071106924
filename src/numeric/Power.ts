/**
 * x^y with the same bits on every engine. `Math.pow` and `**` have the rounding of the engine: V8 of Node 22 and of Node 24 differ in the last
 * bit of one power in twenty. A port of FreeBSD's msun (Sun's fdlibm), `e_pow.c`, with +, -, *, / alone; the error is below 0.9 ulp.
 */

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
// Indices of the half with sign and exponent and of the other one: 1 and 0 on little-endian machines.
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0
const LOW = 1 - HIGH

const highOf = (x: number): number => {
  double[0] = x
  return halves[HIGH]!
}
/** A number with the given upper half, and a lower half of zeros. */
const ofHigh = (high: number): number => {
  halves[HIGH] = high
  halves[LOW] = 0
  return double[0]!
}
/** A number without its lower half. */
const cut = (x: number): number => {
  double[0] = x
  halves[LOW] = 0
  return double[0]
}

/** 1 and 1.5, and the logarithm to base 2 of the latter in two parts. */
const [NEAR, NEAR_HIGH, NEAR_LOW] = [
  [1, 1.5],
  [0, 5.84962487220764160156e-1],
  [0, 1.35003920212974897128e-8],
] as const
/** Coefficients of log(x) in ((x - b) / (x + b))^2, and of the exponential function. */
const [L1, L2, L3, L4, L5, L6] = [
  5.99999999999994648725e-1, 4.28571428578550184252e-1, 3.33333329818377432918e-1, 2.72728123808534006489e-1,
  2.30660745775561754067e-1, 2.06975017800338417784e-1,
] as const
const [P1, P2, P3, P4, P5] = [
  1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.6533902205465251539e-6,
  4.13813679705723846039e-8,
] as const
/** log 2, 2 / (3 log 2) and 1 / log 2, and each in two parts. */
const [LN2, LN2_HIGH, LN2_LOW] = [
  6.93147180559945286227e-1, 6.93147182464599609375e-1, -1.90465429995776804525e-9,
] as const
const [CP, CP_HIGH, CP_LOW] = [
  9.61796693925975554329e-1, 9.61796700954437255859e-1, -7.02846165095275826516e-9,
] as const
const [INVERSE, INVERSE_HIGH, INVERSE_LOW] = [
  1.442695040888963387, 1.44269502162933349609, 1.92596299112661746887e-8,
] as const
/** -(1024 - log2(the largest number + half of its last bit)) */
const OVERFLOW = 8.0085662595372944372e-17
const TWO_53 = 2 ** 53

/**
 * The numbers that the functions below take and give: a number between two functions that are not compiled as one is a box on the heap,
 * and a power in the loop of a tape must not leave any.
 */
const numbers = new Float64Array(2)

/** Replaces the first of `numbers`, x > 0, by the larger part of its logarithm to base 2, and the second by the smaller part. */
const takeLogarithm = (far: boolean): void => {
  const x = numbers[0]!
  if (far) {
    // Only x near 1 have powers of such exponents: the series of log(x).
    const t = x - 1
    const w = t * t * (0.5 - t * (1 / 3 - t * 0.25))
    const u = INVERSE_HIGH * t
    const v = t * INVERSE_LOW - w * INVERSE
    const first = cut(u + v)
    numbers[0] = first
    numbers[1] = v - (first - u)
    return
  }
  let n = 0
  let a = x
  if (highOf(a) < 0x00100000) {
    a *= TWO_53
    n = -53
  }
  n += (highOf(a) >> 20) - 0x3ff
  const mantissa = highOf(a) & 0x000fffff
  // sqrt(3 / 2) and sqrt(3): x is near 1, 1.5 or 2.
  const above = mantissa >= 0xbb67a ? 1 : 0
  const k = mantissa <= 0x3988e || above === 1 ? 0 : 1
  const high = (mantissa | 0x3ff00000) - above * 0x00100000
  n += above
  double[0] = a
  halves[HIGH] = high
  a = double[0]
  const u = a - NEAR[k]
  const v = 1 / (a + NEAR[k])
  const s = u * v
  const sHigh = cut(s)
  const sumHigh = ofHigh(((high >> 1) | 0x20000000) + 0x00080000 + (k << 18))
  const sumLow = a - (sumHigh - NEAR[k])
  const sLow = v * (u - sHigh * sumHigh - sHigh * sumLow)
  const z = s * s
  const r = z * z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + z * L6))))) + sLow * (sHigh + s)
  const square = sHigh * sHigh
  const tHigh = cut(3 + square + r)
  const tLow = r - (tHigh - 3 - square)
  const larger = sHigh * tHigh
  const smaller = sLow * tHigh + tLow * s
  const pHigh = cut(larger + smaller)
  const pLow = smaller - (pHigh - larger)
  const zHigh = CP_HIGH * pHigh
  const zLow = CP_LOW * pHigh + pLow * CP + NEAR_LOW[k]
  const first = cut(zHigh + zLow + NEAR_HIGH[k] + n)
  numbers[0] = first
  numbers[1] = zLow - (first - n - NEAR_HIGH[k] - zHigh)
}

/** Replaces the first of `numbers` by 2 to the power of their sum, where the first is the larger one. */
const raiseTwo = (): void => {
  const high = numbers[0]!
  const low = numbers[1]!
  const all = high + low
  double[0] = all
  const top = halves[HIGH]!
  const rest = halves[LOW]!
  if (top >= 0x40900000) {
    if (((top - 0x40900000) | rest) !== 0 || low + OVERFLOW > all - high) {
      numbers[0] = Infinity
      return
    }
  } else if (
    (top & 0x7fffffff) >= 0x4090cc00 &&
    (((top - (0xc090cc00 | 0)) | rest) !== 0 || low <= all - high)
  ) {
    numbers[0] = 0
    return
  }
  let n = 0
  let whole = 0
  const size = top & 0x7fffffff
  if (size > 0x3fe00000) {
    const near = (top + (0x00100000 >> ((size >> 20) - 0x3ff + 1))) | 0
    const k = ((near & 0x7fffffff) >> 20) - 0x3ff
    whole = ofHigh(near & ~(0x000fffff >> k))
    n = ((near & 0x000fffff) | 0x00100000) >> (20 - k)
    if (top < 0) n = -n
  }
  const left = high - whole
  const t = cut(low + left)
  const u = t * LN2_HIGH
  const v = (low - (t - left)) * LN2 + t * LN2_LOW
  const z = u + v
  const w = v - (z - u)
  const square = z * z
  const c = z - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))))
  const value = 1 - ((z * c) / (c - 2) - (w + z * w) - z)
  // Two factors, because 2^n alone may be subnormal or overflow where the value does not.
  const half = n >> 1
  numbers[0] = value * 2 ** half * 2 ** (n - half)
}

/** Replaces the first of `numbers`, x, by x^y, where y is the second. */
const raise = (): void => {
  const x = numbers[0]!
  const y = numbers[1]!
  const whole = Number.isInteger(y)
  const size = Math.abs(x)
  // Their values are exact on every engine.
  if (
    !(size > 0 && size < Infinity && Math.abs(y) < Infinity) ||
    y === 0 ||
    size === 1 ||
    (x < 0 && !whole)
  ) {
    numbers[0] = x ** y
    return
  }
  if (y === 0.5) {
    numbers[0] = Math.sqrt(x)
    return
  }
  const sign = x < 0 && y % 2 !== 0 ? -1 : 1
  const most = highOf(Math.abs(y))
  // Beyond 2^31 all powers but those of numbers next to 1 overflow or vanish.
  const far = most > 0x41e00000
  const top = highOf(size)
  if (far && (top < 0x3fefffff || top > 0x3ff00000 || most > 0x43f00000)) {
    numbers[0] = sign * (size > 1 === y > 0 ? Infinity : 0)
    return
  }
  numbers[0] = size
  takeLogarithm(far)
  const larger = numbers[0]
  const yHigh = cut(y)
  numbers[1] = (y - yHigh) * larger + y * numbers[1]!
  numbers[0] = yHigh * larger
  raiseTwo()
  numbers[0] *= sign
}

/** x^y, with the special values of ECMAScript, which has NaN for 1^Infinity. */
export const pow = (x: number, y: number): number => {
  if (y === 2) return x * x
  if (y === 1) return x
  if (y === -1) return 1 / x
  numbers[0] = x
  numbers[1] = y
  raise()
  return numbers[0]
}
