import type { Target } from "../Target.ts"
import { f32x4 } from "../wasm/Expr.ts"
import * as A from "./arithmetic.ts"
import { fastLimit, reduce } from "./reduction.ts"
import { sine } from "./sine.ts"

// Sine and cosine where the argument is itself the rounded result of a computation, as values inside a tree are. Half
// the operations of `sine.ts`, and both together share half of theirs.

/** cos(r) on |r| <= pi/2, absolute error 2^-24.1, by powers of z, the highest first; made as `sine`. */
const even = [
  0.000023189033527160063, -0.0013855708530172706, 0.041663963347673416, -0.4999993145465851, 1,
] as const

/** pi as far as it matters here: in 24 bits, or without a fused multiply-add in 11 and 24, which make products exact. */
const pi = { fused: [3.1415927410125732], plain: [3.140625, 0.0009676535846665502] }

/** The largest bound of arguments for which {@link make} is good; beyond, results lose meaning with the argument. */
export const limit = fastLimit

/**
 * sin and cos of arguments up to {@link limit}: those of x (1 + d), |d| < 2^-25, with an absolute error of 2^-23. By
 * x = k pi + r, with pi rounded to float32: what that loses is less than what rounding x has lost. Near 0, where k is 0, the relative error of the sine is 2^-23. The sign of -0 is lost.
 */
export const make = (target: Target) => {
  const madd = A.madd(target)
  const reduced = reduce(target)
  const horner = A.horner(target)
  const magic = f32x4(A.magic)
  const parts = (x: A.Vector) => {
    const shifted = madd(x, f32x4(1 / Math.PI), magic)
    const r = reduced(x, A.sub(shifted, magic), pi)
    return { r, z: A.mul(r, r), sign: A.shiftLeft(shifted, 31) }
  }
  return {
    sin: (x: A.Vector): A.Vector => {
      const { r, z, sign } = parts(x)
      return A.xor(madd(A.mul(r, z), horner(z, sine), r), sign)
    },
    cos: (x: A.Vector): A.Vector => {
      const { z, sign } = parts(x)
      return A.xor(horner(z, even), sign)
    },
  }
}
