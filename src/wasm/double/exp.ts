import { EXP_SERIES, LN2_HIGH, LN2_LOW, NEAREST } from "../../numeric/Elementary.ts"
import { add, horner, mul, sub } from "../Doubles.ts"
import { type Expr, f64x2, i32, i64x2, op } from "../Expr.ts"

type Vector = Expr<"v128">

/** Adding it leaves the nearest whole number in the low bits. */
const magic = f64x2(NEAREST)

/** 2^k for k + 1023 in the low bits of each half. */
const power = (biased: Vector): Vector => op("i64x2.shl", biased, i32(52))

/** r c / (2 - c) of a reduced argument: exp(r) - 1 is r more. */
const quotient = (r: Vector): Vector => {
  const t = mul(r, r)
  const c = sub(r, mul(t, horner(t, EXP_SERIES)))
  return op("f64x2.div", mul(r, c), sub(f64x2(2), c))
}

/** exp, by the operations of `Elementary.exp`. */
export const exp = (input: Vector): Vector => {
  // Beyond, the result has overflown, or is 0. The first operand where it is NaN.
  const x = op("f64x2.pmin", op("f64x2.pmax", input, f64x2(-746)), f64x2(710))
  const shifted = add(mul(x, f64x2(Math.LOG2E)), magic)
  const k = sub(shifted, magic)
  const high = sub(x, mul(k, f64x2(LN2_HIGH)))
  const low = mul(k, f64x2(LN2_LOW))
  const y = sub(f64x2(1), sub(sub(low, quotient(sub(high, low))), high))
  // Two factors, because 2^k alone may be subnormal or overflow where y 2^k does not. Below the bits of `magic` stands k
  // in two's complement; 2048 more makes it positive, whose half is 1024 more than that of k.
  const whole = op("i64x2.sub", shifted, magic)
  const half = op("i64x2.shr_u", op("i64x2.add", whole, i64x2(2048n)), i32(1))
  const first = power(op("i64x2.sub", half, i64x2(1n)))
  const second = power(op("i64x2.add", op("i64x2.sub", whole, half), i64x2(2047n)))
  return mul(mul(y, first), second)
}

/** Below, tanh is taken from exp(2 x) - 1, and above from exp(2 |x|). */
const near = 0.17

/** tanh: e / (e + 2) of e = exp(2 x) - 1 near 0, else 1 - 2 / (exp(2 |x|) + 1) with the sign of x; errors of some ulp. */
export const tanh = (x: Vector): Vector => {
  const twice = add(x, x)
  const e = add(twice, quotient(twice))
  const small = op("f64x2.div", e, add(e, f64x2(2)))
  const size = op("f64x2.abs", x)
  const large = sub(f64x2(1), op("f64x2.div", f64x2(2), add(exp(add(size, size)), f64x2(1))))
  const signed = op("v128.or", large, op("v128.and", x, f64x2(-0)))
  return op("v128.bitselect", small, signed, op("f64x2.lt", size, f64x2(near)))
}
