import type { Target } from "../Target.ts"
import { f32x4, op } from "../Expr.ts"
import * as A from "./arithmetic.ts"

/**
 * atan(a) = a + a z p(z), z = a^2, on 0 <= a <= 1, relative error 2^-25.8; p, the highest power first. Minimax by
 * linear programming, each coefficient rounded to float32 and the others fitted anew.
 */
const polynomial = [
  0.00291927601210773, -0.016362672671675682, 0.04320403188467026, -0.07551615685224533, 0.10665755718946457,
  -0.14211000502109528, 0.19993767142295837, -0.33333152532577515,
] as const

/** atan, by atan(x) = pi/2 - atan(1 / x) beyond 1. */
export const atan = (target: Target) => {
  const madd = A.madd(target)
  const horner = A.horner(target)
  return (x: A.Vector): A.Vector => {
    const one = f32x4(1)
    const size = A.abs(x)
    // NaN stays NaN in both.
    const a = A.div(A.atMost(size, 1), A.atLeast(size, 1))
    const z = A.mul(a, a)
    const inner = madd(A.mul(a, z), horner(z, polynomial), a)
    const beyond = op("f32x4.gt", size, one)
    const y = A.add(A.xor(inner, A.and(beyond, A.signBit)), A.and(beyond, f32x4(Math.PI / 2)))
    return A.xor(y, A.and(x, A.signBit))
  }
}
