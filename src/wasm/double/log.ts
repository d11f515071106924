import { LN2_HIGH, LN2_LOW, LOG_EVEN, LOG_ODD } from "../../numeric/Elementary.ts"
import { add, horner, mul, sub } from "../Doubles.ts"
import { type Expr, f64x2, get, i32, i64x2, local, op, result, unless } from "../Expr.ts"
import { pure } from "../Func.ts"

type Vector = Expr<"v128">

const select = (mask: Vector, a: Vector, b: Vector): Vector => op("v128.bitselect", a, b, mask)

/** What takes numbers from sqrt(1/2) on to the next exponent: the constant of `Elementary.log`, for whole numbers of 64 bits. */
const shift = i64x2(0x95f64n << 32n)
const exponentBits = i64x2(0x7ff0_0000_0000_0000n)
const one = i64x2(0x3ff0_0000_0000_0000n)

/** log(2^k (1 + f)) for whole k and f in [sqrt(1/2) - 1, sqrt(2) - 1], by the operations of `Elementary.log`. */
export const ofParts = (k: Vector, f: Vector): Vector => {
  const s = op("f64x2.div", f, add(f64x2(2), f))
  const z = mul(s, s)
  const w = mul(z, z)
  const even = mul(w, horner(w, LOG_EVEN))
  const odd = mul(z, horner(w, LOG_ODD))
  const halfSquare = mul(mul(f64x2(0.5), f), f)
  const small = add(mul(s, add(add(halfSquare, even), odd)), mul(k, f64x2(LN2_LOW)))
  return sub(mul(k, f64x2(LN2_HIGH)), sub(sub(halfSquare, small), f))
}

/** The logarithm of positive, normal, finite numbers, by the operations of `Elementary.log`; `bias` is added to the exponent. */
const normal = (x: Vector, bias?: Vector): Vector => {
  const power = op("v128.and", op("i64x2.add", x, shift), exponentBits)
  // The exponent in the lowest bits of 2^52, whose unit in the last place is 1.
  const counted = op("v128.or", op("i64x2.shr_u", power, i32(52)), f64x2(2 ** 52))
  const exponent = sub(counted, f64x2(2 ** 52 + 1023))
  const k = bias === undefined ? exponent : add(exponent, bias)
  const f = sub(op("i64x2.add", op("i64x2.sub", x, power), one), f64x2(1))
  return ofParts(k, f)
}

const least = f64x2(2 ** -1022)

/** For a value that is not positive, not normal or not finite; one object, because a module holds each function once. */
const any = ((): ReturnType<typeof pure<"v128">> => {
  const variable = local("v128", "x")
  const x = get(variable)
  const subnormal = op("f64x2.lt", x, least)
  const scaled = select(subnormal, mul(x, f64x2(2 ** 54)), x)
  const finite = normal(scaled, op("v128.and", subnormal, f64x2(-54)))
  const usual = op("v128.and", op("f64x2.gt", x, f64x2(0)), op("f64x2.lt", x, f64x2(Infinity)))
  const atZero = select(op("f64x2.eq", x, f64x2(0)), f64x2(-Infinity), f64x2(Number.NaN))
  // Infinity and NaN are their own logarithms: NaN is not below 0 either.
  return pure(
    "log of any float64",
    [variable],
    select(usual, finite, select(op("f64x2.le", x, f64x2(0)), atZero, x)),
  )
})()

/**
 * The natural logarithm: -Infinity at 0, NaN below. A vector with a lane that is not positive, normal and finite goes
 * another way, through a function.
 */
export const log = (x: Vector): Vector => {
  const usual = op("v128.and", op("f64x2.ge", x, least), op("f64x2.lt", x, f64x2(Infinity)))
  return unless(normal(x), op("v128.any_true", op("v128.not", usual)), result(any, x))
}
