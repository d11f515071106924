import { exp, expm1, HALF_LN2 } from "./exponential.ts"
import { log, log1p } from "./logarithm.ts"

// After fdlibm's `e_sinh.c`, `e_cosh.c`, `s_tanh.c` and `s_asinh.c`; see `numeric/Real`.

/** The upper half of the logarithm of the largest number. */
const LARGE = 709.7822265625
/** The largest x with a finite sinh(x). */
const MOST = 710.4758600739439

export const sinh = (x: number): number => {
  const half = x < 0 ? -0.5 : 0.5
  const size = Math.abs(x)
  if (size < 22) {
    if (size < 2 ** -28) return x
    const t = expm1(size)
    return half * (size < 1 ? 2 * t - (t * t) / (t + 1) : t + t / (t + 1))
  }
  if (size < LARGE) return half * exp(size)
  if (size <= MOST) {
    const w = exp(0.5 * size)
    return half * w * w
  }
  return x * Infinity
}

export const cosh = (x: number): number => {
  const size = Math.abs(x)
  if (size < HALF_LN2) {
    const t = expm1(size)
    const w = 1 + t
    return size < 2 ** -55 ? w : 1 + (t * t) / (w + w)
  }
  if (size < 22) {
    const t = exp(size)
    return 0.5 * t + 0.5 / t
  }
  if (size < LARGE) return 0.5 * exp(size)
  if (size <= MOST) {
    const w = exp(0.5 * size)
    return 0.5 * w * w
  }
  return size * Infinity
}

export const tanh = (x: number): number => {
  const size = Math.abs(x)
  if (Number.isNaN(x) || size < 2 ** -28) return x
  let y = 1
  if (size < 22) {
    const t = expm1(size < 1 ? -2 * size : 2 * size)
    y = size < 1 ? -t / (t + 2) : 1 - 2 / (t + 2)
  }
  return x < 0 ? -y : y
}

export const asinh = (x: number): number => {
  const size = Math.abs(x)
  if (!(size < Infinity) || size < 2 ** -28) return x
  let y: number
  if (size > 2 ** 28) y = log(size) + Math.LN2
  else if (size > 2) y = log(2 * size + 1 / (Math.sqrt(x * x + 1) + size))
  else y = log1p(size + (x * x) / (1 + Math.sqrt(1 + x * x)))
  return x < 0 ? -y : y
}
