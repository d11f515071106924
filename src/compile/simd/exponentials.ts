import { EXP_SERIES, LN2_HIGH, LN2_LOW } from "../../runtime/Elementary.ts"
import * as Target from "./Target.ts"
import { f64x2, get, i32, i64x2, load, local, op, type Expr } from "./wasm/Expr.ts"
import { procedure, repeat, set, store } from "./wasm/Func.ts"
import * as Machine from "./wasm/Machine.ts"
import { assemble } from "./wasm/Module.ts"

type Vector = Expr<"v128">

const add = (a: Vector, b: Vector): Vector => op("f64x2.add", a, b)
const sub = (a: Vector, b: Vector): Vector => op("f64x2.sub", a, b)
const mul = (a: Vector, b: Vector): Vector => op("f64x2.mul", a, b)

/** 1.5 2^52: adding it leaves the nearest whole number in the low bits. */
const magic = f64x2(6_755_399_441_055_744)

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
  const series = EXP_SERIES.slice(0, -1).reduceRight<Vector>(
    (sum, coefficient) => add(f64x2(coefficient), mul(t, sum)),
    f64x2(EXP_SERIES.at(-1)!),
  )
  const c = sub(r, mul(t, series))
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
  const count = local("i32", "count")
  const at = local("i32", "at")
  const end = local("i32", "end")
  const apply = procedure(
    "exponentials",
    [count],
    [
      set(at, i32(0)),
      set(end, op("i32.shl", get(count), i32(3))),
      repeat(
        [
          store("v128.store", get(at), exp(load("v128.load", get(at)))),
          set(at, op("i32.add", get(at), i32(16))),
        ],
        op("i32.lt_u", get(at), get(end)),
      ),
    ],
  )
  const { memory, call } = Machine.instantiate(
    assemble({ exports: { apply }, memory: { shared: false } }),
    8 * (length + 1),
  )
  return { values: new Float64Array(memory.buffer, 0, length), apply: (n) => call("apply", n) }
}
