import type { Target } from "../Target.ts"
import { type Expr, f32x4, i32, op, shuffle } from "../Expr.ts"

export type Vector = Expr<"v128">

export const add = (a: Vector, b: Vector): Vector => op("f32x4.add", a, b)
export const sub = (a: Vector, b: Vector): Vector => op("f32x4.sub", a, b)
export const mul = (a: Vector, b: Vector): Vector => op("f32x4.mul", a, b)
export const div = (a: Vector, b: Vector): Vector => op("f32x4.div", a, b)
export const neg = (a: Vector): Vector => op("f32x4.neg", a)
export const abs = (a: Vector): Vector => op("f32x4.abs", a)
export const sqrt = (a: Vector): Vector => op("f32x4.sqrt", a)
export const and = (a: Vector, b: Vector): Vector => op("v128.and", a, b)
export const xor = (a: Vector, b: Vector): Vector => op("v128.xor", a, b)
export const or = (a: Vector, b: Vector): Vector => op("v128.or", a, b)
export const select = (mask: Vector, a: Vector, b: Vector): Vector => op("v128.bitselect", a, b, mask)
export const shiftLeft = (a: Vector, bits: number): Vector => op("i32x4.shl", a, i32(bits))
export const shiftRight = (a: Vector, bits: number): Vector => op("i32x4.shr_s", a, i32(bits))

/** The sign bit of each lane. */
export const signBit = f32x4(-0)

/** a b + c. */
export const madd = ({ fma }: Target) =>
  fma
    ? (a: Vector, b: Vector, c: Vector): Vector => op("f32x4.relaxed_madd", a, b, c)
    : (a: Vector, b: Vector, c: Vector): Vector => add(mul(a, b), c)

/** c - a b. */
export const nmadd = ({ fma }: Target) =>
  fma
    ? (a: Vector, b: Vector, c: Vector): Vector => op("f32x4.relaxed_nmadd", a, b, c)
    : (a: Vector, b: Vector, c: Vector): Vector => sub(c, mul(a, b))

/** A polynomial by Horner's rule, the coefficient of the highest power first. */
export const horner = (target: Target) => {
  const fused = madd(target)
  return (x: Vector, [first, ...rest]: readonly [number, ...ReadonlyArray<number>]): Vector =>
    rest.reduce<Vector>((sum, coefficient) => fused(sum, x, f32x4(coefficient)), f32x4(first))
}

/** 1.5 2^23: adding it leaves the nearest integer in the low bits, for magnitudes below 2^22. */
export const magic = 12_582_912

/** The larger, and the smaller, of x and a bound; NaN stays NaN. */
export const atLeast = (x: Vector, bound: number): Vector => op("f32x4.pmax", x, f32x4(bound))
export const atMost = (x: Vector, bound: number): Vector => op("f32x4.pmin", x, f32x4(bound))

/** The two lower float32 as float64, and the two upper ones. */
export const low = (x: Vector): Vector => op("f64x2.promote_low_f32x4", x)
export const high = (x: Vector): Vector => low(shuffle(x, x, [2, 3, 2, 3]))
/** The two lower lanes of one vector, then those of another. */
export const both = (a: Vector, b: Vector): Vector => shuffle(a, b, [0, 1, 4, 5])

/** A value that is made once for each target, because a module holds each function object once. */
export const perTarget = <T>(make: (target: Target) => T): ((target: Target) => T) => {
  const made = new Map<boolean, T>()
  return (target) => {
    const before = made.get(target.fma)
    if (before !== undefined) return before
    const first = make(target)
    made.set(target.fma, first)
    return first
  }
}
