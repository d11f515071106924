import { pow as raised } from "../../numeric/Power.ts"
import type { Target } from "../Target.ts"
import { f32x4, f64x2, get, i32, i64x2, local, op, result } from "../Expr.ts"
import { type Func, pure } from "../Func.ts"
import * as A from "./arithmetic.ts"

/** A polynomial in float64 lanes, the coefficient of the highest power first. */
const horner = (
  { fma }: Target,
  x: A.Vector,
  [first, ...rest]: readonly [number, ...ReadonlyArray<number>],
): A.Vector =>
  rest.reduce<A.Vector>(
    (sum, coefficient) =>
      fma
        ? op("f64x2.relaxed_madd", sum, x, f64x2(coefficient))
        : op("f64x2.add", op("f64x2.mul", sum, x), f64x2(coefficient)),
    f64x2(first),
  )

/** 2 / log 2 times the Taylor series of artanh(s) / s in s^2, the highest power first: 1e-12 for s^2 <= 0.0295. */
const artanh = [
  2 / 13 / Math.LN2,
  2 / 11 / Math.LN2,
  2 / 9 / Math.LN2,
  2 / 7 / Math.LN2,
  2 / 5 / Math.LN2,
  2 / 3 / Math.LN2,
  2 / Math.LN2,
] as const

const exponentBits = i64x2(0x7ff0_0000_0000_0000n | -0x8000_0000_0000_0000n)
const half = i64x2(0x3fe6_a09e_667f_3bcdn)
const bias = i64x2(0x3ff0_0000_0000_0000n)

/** log2 of float64 that are no subnormal numbers: by a = 2^k m, sqrt(1/2) <= m < sqrt(2). Also at 0 and infinity. */
const log2 = (target: Target, a: A.Vector): A.Vector => {
  const above = op("i64x2.sub", a, half)
  const m = op("i64x2.sub", a, A.and(above, exponentBits))
  // k + 1023 in the lowest bits of 2^52, whose unit in the last place is 1.
  const biased = op("i64x2.shr_u", op("i64x2.add", above, bias), i32(52))
  const k = op("f64x2.sub", A.or(biased, f64x2(2 ** 52)), f64x2(2 ** 52 + 1023))
  const s = op("f64x2.div", op("f64x2.sub", m, f64x2(1)), op("f64x2.add", m, f64x2(1)))
  const finite = op("f64x2.add", k, op("f64x2.mul", s, horner(target, op("f64x2.mul", s, s), artanh)))
  const some = A.select(op("f64x2.lt", a, f64x2(Infinity)), finite, a)
  return A.select(op("f64x2.eq", a, f64x2(0)), f64x2(-Infinity), some)
}

/** The Taylor series of 2^f, the highest power first: relative error 3e-10 for |f| <= 1/2. */
const exponential = [
  raised(Math.LN2, 8) / 40_320,
  raised(Math.LN2, 7) / 5040,
  raised(Math.LN2, 6) / 720,
  raised(Math.LN2, 5) / 120,
  raised(Math.LN2, 4) / 24,
  raised(Math.LN2, 3) / 6,
  raised(Math.LN2, 2) / 2,
  Math.LN2,
  1,
] as const

/** 2^w; a result outside the range of float32 may be any number outside that range. */
const exp2 = (target: Target, w: A.Vector): A.Vector => {
  const inside = op("f64x2.pmin", op("f64x2.pmax", w, f64x2(-300)), f64x2(300))
  const k = op("f64x2.nearest", inside)
  const power = op("i64x2.shl", op("f64x2.add", k, f64x2(1.5 * 2 ** 52 + 1023)), i32(52))
  return op("f64x2.mul", horner(target, op("f64x2.sub", inside, k), exponential), power)
}

const integral = (y: A.Vector): A.Vector => op("f32x4.eq", op("f32x4.trunc", y), y)

const whole = A.perTarget((target): Func<"v128"> => {
  const [base, exponent] = [local("v128", "base"), local("v128", "exponent")]
  const [x, y] = [get(base), get(exponent)]
  const size = A.abs(x)
  const pair = (a: A.Vector, b: A.Vector): A.Vector =>
    op("f32x4.demote_f64x2_zero", exp2(target, op("f64x2.mul", b, log2(target, a))))
  const value = A.both(pair(A.low(size), A.low(y)), pair(A.high(size), A.high(y)))
  // An odd power has the sign of its base. Powers that are not whole exist for the negative infinity only.
  const even = op("v128.or", integral(A.mul(y, f32x4(0.5))), op("v128.not", integral(y)))
  const signed = A.or(value, op("v128.andnot", A.and(x, A.signBit), even))
  const finite = A.and(op("f32x4.lt", x, f32x4(0)), op("f32x4.gt", x, f32x4(-Infinity)))
  const undefinedThere = op("v128.andnot", finite, integral(y))
  const known = A.or(signed, undefinedThere)
  return pure("pow", [base, exponent], A.select(op("f32x4.eq", y, f32x4(0)), f32x4(1), known))
})

/**
 * x^y as ECMAScript has it, in float64 inside: 1 for y = 0 even where x is NaN, NaN for |x| = 1 and an infinite y. A
 * function in the module, because it is long.
 */
export const pow =
  (target: Target) =>
  (x: A.Vector, y: A.Vector): A.Vector =>
    result(whole(target), x, y)
