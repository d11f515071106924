import type { Target } from "../Target.ts"
import { f32x4 } from "../wasm/Expr.ts"
import * as A from "./arithmetic.ts"
import { fastLimit, pi } from "./reduction.ts"

// Sine and cosine where the argument is itself the rounded result of a computation, as values inside a tree are. Half
// the operations of `sine.ts`, and both together share half of theirs.

/** sin(r) = r + r z p(z), z = r^2, on |r| <= pi/2, relative error 2^-27.3; p, the highest power first. */
const odd = [
  2.606081807243754e-6, -0.00019809773948509246, 0.008333069272339344, -0.16666659712791443,
] as const

/** cos(r) on |r| <= pi/2, absolute error 2^-24.1, by powers of z, the highest first; made as the other. */
const even = [
  0.000023189033527160063, -0.0013855708530172706, 0.041663963347673416, -0.4999993145465851, 1,
] as const

/** The largest bound of arguments for which {@link make} is good; beyond, results lose meaning with the argument. */
export const limit = fastLimit

/**
 * sin and cos of arguments up to {@link limit}: those of x (1 + d), |d| < 2^-25 (2^-23.6 without a fused multiply-add),
 * with an absolute error of 2^-23. By x = k pi + r, with pi rounded to float32: what that loses is less than what
 * rounding x has lost. Near 0, where k is 0, the relative error of the sine is 2^-23. The sign of -0 is lost.
 */
export const make = (target: Target) => {
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  const horner = A.horner(target)
  const magic = f32x4(A.magic)
  const parts = (x: A.Vector) => {
    const shifted = madd(x, f32x4(1 / Math.PI), magic)
    const r = nmadd(A.sub(shifted, magic), f32x4(pi.fused[0]!), x)
    return { r, z: A.mul(r, r), sign: A.shiftLeft(shifted, 31) }
  }
  return {
    sin: (x: A.Vector): A.Vector => {
      const { r, z, sign } = parts(x)
      return A.xor(madd(A.mul(r, z), horner(z, odd), r), sign)
    },
    cos: (x: A.Vector): A.Vector => {
      const { z, sign } = parts(x)
      return A.xor(horner(z, even), sign)
    },
  }
}
