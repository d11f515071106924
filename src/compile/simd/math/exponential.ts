import type { Target } from "../Target.ts"
import { f32x4, get, i32x4, local, op, result, unless } from "../wasm/Expr.ts"
import { pure } from "../wasm/Func.ts"
import * as A from "./arithmetic.ts"

/**
 * exp, by x = k log 2 + r and the polynomial of Cephes' `expf` (Moshier) on |r| <= log(2) / 2. Overflows to infinity
 * and underflows through the subnormals to 0.
 */
export const exp = (target: Target) => {
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  const polynomial = A.horner(target)
  return (input: A.Vector): A.Vector => {
    const x = A.atMost(A.atLeast(input, -104.5), 89)
    const shifted = madd(x, f32x4(Math.LOG2E), f32x4(A.magic))
    const k = A.sub(shifted, f32x4(A.magic))
    const r = nmadd(k, f32x4(-2.1219444e-4), nmadd(k, f32x4(0.693359375), x))
    const p = polynomial(
      r,
      [1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1],
    )
    const y = A.add(madd(A.mul(r, r), p, r), f32x4(1))
    // Two factors: 2^k alone may overflow or be subnormal where the product is not.
    const integer = op("i32x4.sub", shifted, i32x4(0x4b400000))
    const half = A.shiftRight(integer, 1)
    return A.mul(A.mul(y, A.powerOfTwo(half)), A.powerOfTwo(op("i32x4.sub", integer, half)))
  }
}

/**
 * The natural logarithm, by x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and the polynomial of Cephes' `logf`.
 * -Infinity at 0, NaN below; subnormals are scaled first.
 */
export const log = (target: Target) => {
  const madd = A.madd(target)
  const polynomial = A.horner(target)
  return (input: A.Vector): A.Vector => {
    const subnormal = op("f32x4.lt", input, f32x4(2 ** -126))
    const x = A.select(subnormal, A.mul(input, f32x4(2 ** 25)), input)
    // Counted from sqrt(1/2): the exponent of x / sqrt(1/2), and x with that exponent taken off.
    const bits = op("i32x4.sub", x, i32x4(0x3f3504f3))
    const exponent = A.shiftRight(bits, 23)
    const scaled = op("i32x4.sub", exponent, A.and(subnormal, i32x4(25)))
    const k = op("f32x4.convert_i32x4_s", scaled)
    const f = A.sub(op("i32x4.sub", x, A.shiftLeft(exponent, 23)), f32x4(1))
    const z = A.mul(f, f)
    const p = polynomial(
      f,
      [
        7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
        2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
      ],
    )
    const tail = madd(k, f32x4(-2.1219444e-4), madd(z, f32x4(-0.5), A.mul(A.mul(z, f), p)))
    const finite = madd(k, f32x4(0.693359375), A.add(f, tail))
    // 0, infinity, NaN and what is negative: rare, and each has its own answer.
    const usual = A.and(op("f32x4.gt", input, f32x4(0)), op("f32x4.lt", input, f32x4(Infinity)))
    const atZero = A.select(op("f32x4.eq", input, f32x4(0)), f32x4(-Infinity), f32x4(Number.NaN))
    const above = A.select(op("f32x4.gt", input, f32x4(0)), input, atZero)
    return A.select(usual, finite, above)
  }
}

/**
 * tanh, by the rational approximation of Eigen's `ptanh_float` (x P(x^2) / Q(x^2) with |x| clamped where the function
 * rounds to 1).
 */
export const tanh = (target: Target) => {
  const polynomial = A.horner(target)
  return (input: A.Vector): A.Vector => {
    const x = A.atMost(A.atLeast(input, -7.90531110763549805), 7.90531110763549805)
    const z = A.mul(x, x)
    const p = polynomial(
      z,
      [
        -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-8,
        1.48572235717979e-5, 6.37261928875436e-4, 4.89352455891786e-3,
      ],
    )
    const q = polynomial(
      z,
      [1.19825839466702e-6, 1.18534705686654e-4, 2.268434632439e-3, 4.89352518554385e-3],
    )
    return A.div(A.mul(x, p), q)
  }
}

/**
 * c tanh(x / c), for values that rarely come near c: the Taylor series where all four lanes have |x| < c / 4 (its
 * error is below 1e-8 there), and `tanh` where not.
 */
export const clip = (target: Target, c: number) => {
  const madd = A.madd(target)
  const polynomial = A.horner(target)
  const x = local("v128", "x")
  const whole = pure(`clip to ${c}`, [x], A.mul(tanh(target)(A.mul(get(x), f32x4(1 / c))), f32x4(c)))
  return (input: A.Vector): A.Vector => {
    const t = A.mul(input, f32x4(1 / c))
    const z = A.mul(t, t)
    const p = polynomial(z, [62 / 2835, -17 / 315, 2 / 15, -1 / 3])
    const series = madd(A.mul(input, z), p, input)
    // NaN is not beyond, and stays NaN in the series.
    const large = op("v128.any_true", op("f32x4.gt", z, f32x4(1 / 16)))
    return unless(series, large, result(whole, input))
  }
}
