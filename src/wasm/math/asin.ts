import type { Target } from "../Target.ts"
import { f32x4, op } from "../Expr.ts"
import * as A from "./arithmetic.ts"

/**
 * asin(s) = s + s z p(z), z = s^2, on 0 <= s <= 1/2, relative error 2^-27.6; p, the highest power first. Minimax by
 * linear programming, each coefficient rounded to float32 and the others fitted anew.
 */
const polynomial = [
  0.04215840622782707, 0.024184739217162132, 0.04546915367245674, 0.074953094124794, 0.16666752099990845,
] as const

/** asin(a) is s + s z p for a = |x| <= 1/2, and pi/2 - 2 (s + s z p) beyond. */
const parts = (target: Target, x: A.Vector) => {
  const a = A.abs(x)
  const half = A.nmadd(target)(a, f32x4(0.5), f32x4(0.5))
  // Of a^2 and (1 - a) / 2 the smaller is the one that is at most 1/4. NaN, for a > 1 too, is in both.
  const z = op("f32x4.pmin", half, A.mul(a, a))
  const s = op("f32x4.pmin", A.sqrt(half), a)
  return { s, z, p: A.horner(target)(z, polynomial), beyond: op("f32x4.gt", a, f32x4(0.5)) }
}

/** asin: NaN outside [-1, 1]. */
export const asin = (target: Target) => {
  const madd = A.madd(target)
  return (x: A.Vector): A.Vector => {
    const { s, z, p, beyond } = parts(target, x)
    // s and -2 s; the larger part of the sum is rounded last.
    const first = A.mul(s, A.xor(A.and(beyond, A.xor(f32x4(1), f32x4(-2))), f32x4(1)))
    const base = A.add(first, A.and(beyond, f32x4(Math.PI / 2)))
    return A.xor(madd(A.mul(first, z), p, base), A.and(x, A.signBit))
  }
}

/** acos: NaN outside [-1, 1]. */
export const acos = (target: Target) => {
  const madd = A.madd(target)
  return (x: A.Vector): A.Vector => {
    const { s, z, p, beyond } = parts(target, x)
    const sign = A.and(x, A.signBit)
    // pi/2 - asin(x) inside; 2 asin(s) from 1/2, and pi - 2 asin(s) to -1/2.
    const factor = A.xor(A.xor(A.and(beyond, A.xor(f32x4(-1), f32x4(2))), f32x4(-1)), sign)
    const quarter = f32x4(Math.PI / 2)
    const offset = A.sub(quarter, A.and(beyond, A.xor(quarter, sign)))
    const first = A.mul(s, factor)
    return madd(A.mul(first, z), p, A.add(first, offset))
  }
}
