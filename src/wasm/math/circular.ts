import type { Target } from "../Target.ts"
import { f32x4 } from "../Expr.ts"
import * as A from "./arithmetic.ts"
import { fastLimit } from "./reduction.ts"

// Sine and cosine where the argument is itself the rounded result of a computation, as values inside a tree are. Half
// the operations of `sine.ts`, both together share half of theirs, and the reduction needs no multiply-add: sums have a
// port more on the processors of today.

/**
 * sin(pi r) / r on |r| <= 1/2, relative error 2^-25.0, by powers of r^2, the highest first. Minimax by linear
 * programming, each coefficient rounded to float32 and the others fitted anew.
 */
const odd = [
  0.07983576506376266, -0.5994373559951782, 2.550269842147827, -5.167720794677734, 3.1415927410125732,
] as const

/** cos(pi r) on |r| <= 1/2, absolute error 2^-24.1; made as `odd`. */
const even = [0.22000809013843536, -1.3320624828338623, 4.058447360992432, -4.934795379638672, 1] as const

/** The largest bound of arguments for which {@link make} is good; beyond, results lose meaning with the argument. */
export const limit = fastLimit

/** sin(pi t) and cos(pi t). */
export interface HalfTurns {
  readonly sin: (t: A.Vector) => A.Vector
  readonly cos: (t: A.Vector) => A.Vector
}

/**
 * sin(pi t) and cos(pi t) of magnitudes up to {@link limit} / pi, with an absolute error of 2^-23, by t = k + r, which
 * is exact. Near 0, where k is 0, the relative error of the sine is 2^-23. The sign of -0 is lost.
 */
export const halfTurns = (target: Target): HalfTurns => {
  const horner = A.horner(target)
  const magic = f32x4(A.magic)
  const parts = (t: A.Vector) => {
    const shifted = A.add(t, magic)
    const r = A.sub(t, A.sub(shifted, magic))
    return { r, z: A.mul(r, r), sign: A.shiftLeft(shifted, 31) }
  }
  return {
    sin: (t) => {
      const { r, z, sign } = parts(t)
      return A.xor(A.mul(r, horner(z, odd)), sign)
    },
    cos: (t) => {
      const { z, sign } = parts(t)
      return A.xor(horner(z, even), sign)
    },
  }
}

/** How many half turns a radian is. */
export const perRadian = 1 / Math.PI

/**
 * sin and cos of arguments up to {@link limit}: {@link halfTurns} of x (1 + d) / pi, |d| < 2^-23.2: near 0 within three
 * units in the last place.
 */
export const make = (target: Target): HalfTurns => {
  const { sin, cos } = halfTurns(target)
  const turned = (x: A.Vector): A.Vector => A.mul(x, f32x4(perRadian))
  return { sin: (x) => sin(turned(x)), cos: (x) => cos(turned(x)) }
}
