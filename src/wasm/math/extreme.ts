import { f32x4, op } from "../Expr.ts"
import * as A from "./arithmetic.ts"

/**
 * The smaller of two, as `Math.min`: NaN if one is, and -0 below 0. Engines take twice the instructions on x86 for the
 * operation of the same name, to make all NaN alike.
 */
export const min = (x: A.Vector, y: A.Vector): A.Vector =>
  // The two orders differ in the signs of zeros and where one operand is NaN, whose bits win.
  A.or(op("f32x4.pmin", x, y), op("f32x4.pmin", y, x))

/** The larger of two, as `Math.max`: NaN if one is, and 0 above -0. */
export const max = (x: A.Vector, y: A.Vector): A.Vector => {
  const first = op("f32x4.pmax", x, y)
  const second = op("f32x4.pmax", y, x)
  // Different bits are those of 0 and -0, where -0 - -0 = 0, or NaN's, which stay.
  return A.sub(A.or(first, second), A.xor(first, second))
}

/** -1, 0 or 1, as `Math.sign`: the argument itself where it is 0 or NaN. */
export const sign = (x: A.Vector): A.Vector => {
  // Twice, because it takes the smallest subnormal number above 1.
  const large = A.mul(A.mul(x, f32x4(2 ** 100)), f32x4(2 ** 100))
  return A.atMost(A.atLeast(large, -1), 1)
}

/** z >= 0 ? max(z, 1e-6) : min(z, -1e-6); NaN stays NaN. */
export const guard = (z: A.Vector): A.Vector =>
  // By magnitude, with the sign; -0 counts as positive.
  A.or(A.atLeast(A.abs(z), 1e-6), A.and(A.signBit, op("f32x4.lt", z, f32x4(0))))
