import * as Elementary from "../Elementary.ts"
import { divided, powerOfTwo } from "./bits.ts"

// After fdlibm's `e_exp.c` and `s_expm1.c`; see `numeric/Real`.

// Copies: engines read values of other modules anew at each use.
const [LN2_HIGH, LN2_LOW] = [Elementary.LN2_HIGH, Elementary.LN2_LOW] as const
const [P1, P2, P3, P4, P5] = Elementary.EXP_SERIES
/** Coefficients of expm1 in x^2 / 2. */
const [Q1, Q2, Q3, Q4, Q5] = [
  -3.33333333333331316428e-2, 1.58730158725481460165e-3, -7.93650757867487942473e-5,
  4.00821782732936239552e-6, -2.01099218183624371326e-7,
] as const
const INVERSE_LN2 = 1.442695040888963387
/** log(2) / 2 and 3 log(2) / 2, upper halves of them. */
export const HALF_LN2 = 0.3465735912322998
const THREE_HALVES_LN2 = 1.0397205352783203
/** The largest x with a finite exp(x), and the least with one above 0. */
const MOST = 709.782712893384
const LEAST = -745.1332191019411

/** The whole number of log(2) nearest to x, for |x| > log(2) / 2. */
const multiples = (x: number, size: number): number =>
  size < THREE_HALVES_LN2 ? (x < 0 ? -1 : 1) : (INVERSE_LN2 * x + (x < 0 ? -0.5 : 0.5)) | 0

/** 2^k y, for y about 1 and every k. */
const scaled = (y: number, k: number): number => {
  if (k > 1023) return y * 2 * 2 ** 1023
  return k < -1021 ? y * powerOfTwo(k + 1000) * 2 ** -1000 : y * powerOfTwo(k)
}

// Short enough for engines to put it in the place of its call: there a number needs no box on the heap.
export const exp = (x: number): number => {
  if (!(x <= MOST)) return x + Infinity
  if (x < LEAST) return 0
  const size = Math.abs(x)
  if (size < 2 ** -28) return 1 + x
  // The one argument whose value is known by name: the series has another last bit.
  if (x === 1) return Math.E
  const k = size < HALF_LN2 ? 0 : multiples(x, size)
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const r = high - low
  const t = r * r
  const c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))))
  return scaled(1 - (low - (r * c) / (2 - c) - high), k)
}

/** expm1(x) for |x| >= log(2) / 2, where expm1(r) = r - rest, x = k log(2) + r. */
const farFromZero = (k: number, r: number, rest: number): number => {
  if (k === -1) return 0.5 * (r - rest) - 0.5
  if (k === 1) return r < -0.25 ? -2 * (rest - (r + 0.5)) : 1 + 2 * (r - rest)
  if (k <= -2 || k > 56) return scaled(1 - (rest - r), k) - 1
  const y = k < 20 ? 1 - divided(1, k) - (rest - r) : r - (rest + divided(1, k)) + 1
  return y * powerOfTwo(k)
}

export const expm1 = (x: number): number => {
  if (!(x <= MOST)) return x + Infinity
  const size = Math.abs(x)
  // Next to -1 by less than half of its last bit.
  if (x <= -38.81622314453125) return -1
  if (size < 2 ** -54) return x
  let k = 0
  let r = x
  let c = 0
  if (size >= HALF_LN2) {
    k = multiples(x, size)
    const high = x - k * LN2_HIGH
    const low = k * LN2_LOW
    r = high - low
    c = high - r - low
  }
  const half = 0.5 * r
  const s = r * half
  const r1 = 1 + s * (Q1 + s * (Q2 + s * (Q3 + s * (Q4 + s * Q5))))
  const t = 3 - r1 * half
  const e = s * ((r1 - t) / (6 - r * t))
  if (k === 0) return r - (r * e - s)
  return farFromZero(k, r, r * (e - c) - c - s)
}
