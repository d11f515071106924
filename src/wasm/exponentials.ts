import { EXP_SERIES, LN2_HIGH, LN2_LOW, NEAREST } from "../numeric/Elementary.ts"
import { add, horner, inPlace, mul, sub } from "./Doubles.ts"
import * as Target from "./Target.ts"
import { type Expr, f64x2, i32, i64x2, op } from "./Expr.ts"
import * as Machine from "./Machine.ts"
import { assemble } from "./Module.ts"

type Vector = Expr<"v128">

/** Adding it leaves the nearest whole number in the low bits. */
const magic = f64x2(NEAREST)

/** 2^k for k + 1023 in the low bits of each half. */
const power = (biased: Vector): Vector => op("i64x2.shl", biased, i32(52))

/** exp, by the operations of `Elementary.exp`. */
const exp = (input: Vector): Vector => {
  // Beyond, the result has overflown, or is 0. The first operand where it is NaN.
  const x = op("f64x2.pmin", op("f64x2.pmax", input, f64x2(-746)), f64x2(710))
  const shifted = add(mul(x, f64x2(Math.LOG2E)), magic)
  const k = sub(shifted, magic)
  const high = sub(x, mul(k, f64x2(LN2_HIGH)))
  const low = mul(k, f64x2(LN2_LOW))
  const r = sub(high, low)
  const t = mul(r, r)
  const c = sub(r, mul(t, horner(t, EXP_SERIES)))
  const quotient = op("f64x2.div", mul(r, c), sub(f64x2(2), c))
  const y = sub(f64x2(1), sub(sub(low, quotient), high))
  // Two factors, because 2^k alone may be subnormal or overflow where y 2^k does not. Below the bits of `magic` stands k
  // in two's complement; 2048 more makes it positive, whose half is 1024 more than that of k.
  const whole = op("i64x2.sub", shifted, magic)
  const half = op("i64x2.shr_u", op("i64x2.add", whole, i64x2(2048n)), i32(1))
  const first = power(op("i64x2.sub", half, i64x2(1n)))
  const second = power(op("i64x2.add", op("i64x2.sub", whole, half), i64x2(2047n)))
  return mul(mul(y, first), second)
}

/**
 * Exponentials in WebAssembly SIMD, two float64 at a time.
 *
 * @param length how many values there is room for
 * @returns undefined where there is no WebAssembly SIMD
 */
export const exponentials = (
  length: number,
): { readonly values: Float64Array; readonly apply: (count: number) => void } | undefined => {
  if (Target.detect() === undefined) return undefined
  const apply = inPlace("exponentials", exp)
  const { memory, call } = Machine.instantiate(
    assemble({ exports: { apply }, memory: { shared: false } }),
    8 * (length + 1),
  )
  return { values: new Float64Array(memory.buffer, 0, length), apply: (n) => call("apply", n) }
}
