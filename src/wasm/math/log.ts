import type { Target } from "../Target.ts"
import { f32x4, get, i32x4, local, op, result, unless } from "../Expr.ts"
import { type Func, pure } from "../Func.ts"
import * as A from "./arithmetic.ts"

/**
 * log(1 + f) = f + f^2 q(f) on |f| <= 1/3, relative error 2^-25.2; q, the highest power first. Minimax by linear
 * programming, each coefficient rounded to float32 and the others fitted anew.
 */
const polynomial = [
  0.14020469784736633, -0.15383602678775787, 0.13997159898281097, -0.1641702950000763, 0.20011071860790253,
  -0.250077486038208, 0.33333200216293335, -0.49999937415122986,
] as const

/** The bits of 2/3: counted from there, the exponent of x is k for x = 2^k (1 + f), 2/3 <= 1 + f < 4/3. */
const twoThirds = 0x3f2aaaab

/** The logarithm of positive, normal, finite numbers. `bias` is added to the exponent. */
const normal = (target: Target) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  return (x: A.Vector, bias?: A.Vector): A.Vector => {
    const bits = op("i32x4.sub", x, i32x4(twoThirds))
    const f = A.sub(op("i32x4.sub", x, A.and(bits, i32x4(0xff800000))), f32x4(1))
    const exponent = A.shiftRight(bits, 23)
    const k = op("f32x4.convert_i32x4_s", bias === undefined ? exponent : op("i32x4.add", exponent, bias))
    // log 2 is uncommonly close to a float32, 0.05 units in the last place: it needs no second part.
    return madd(k, f32x4(Math.LN2), madd(A.mul(f, f), horner(f, polynomial), f))
  }
}

/** Whether a value is not positive, not normal or not finite. */
const other = (target: Target): Func<"v128"> => {
  const variable = local("v128", "x")
  const x = get(variable)
  const subnormal = op("f32x4.lt", x, f32x4(2 ** -126))
  const scaled = A.select(subnormal, A.mul(x, f32x4(2 ** 23)), x)
  const finite = normal(target)(scaled, A.and(subnormal, i32x4(-23)))
  const usual = A.and(op("f32x4.gt", x, f32x4(0)), op("f32x4.lt", x, f32x4(Infinity)))
  const atZero = A.select(op("f32x4.eq", x, f32x4(0)), f32x4(-Infinity), f32x4(Number.NaN))
  // Infinity and NaN are their own logarithms: NaN is not below 0 either.
  const positive = A.select(op("f32x4.le", x, f32x4(0)), atZero, x)
  return pure(
    `log of any float32${target.fma ? ", fused" : ""}`,
    [variable],
    A.select(usual, finite, positive),
  )
}
const others = A.perTarget(other)

/**
 * The natural logarithm: -Infinity at 0, NaN below. A vector with a lane that is not positive, normal and finite goes
 * another way, through a function.
 */
export const log = (target: Target) => {
  const usual = normal(target)
  return (x: A.Vector): A.Vector => {
    // As signed integers, moved by 0x7f800000, the bits of 2^-126 ... largest are the least.
    const moved = op("i32x4.add", x, i32x4(0x7f800000))
    const unusual = op("i32x4.bitmask", op("i32x4.gt_s", moved, i32x4(0xfeffffff)))
    return unless(usual(x), unusual, result(others(target), x))
  }
}
