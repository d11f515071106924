/**
 * Elementary functions of real numbers with the same bits on every engine: ECMAScript leaves the rounding of `Math.exp`, `Math.sin` and the
 * like to the engine, and engines differ. These use only +, -, *, /, the square root and exact operations on bits, which IEEE 754 fixes.
 * Everything that a result depends on takes them from here, and not from `Math`; `npm run lint` holds it (`scripts/check-math.mjs`).
 *
 * They are written after fdlibm (Sun Microsystems 1993, "Permission to use, copy, modify, and distribute this software is freely granted,
 * provided that this notice is preserved") with its coefficients and its order of operations, as V8 had it until version 13, so that their
 * bits are those of `Math` on Node 20, 22 and 24. Errors are below 1 ulp, and special values those of ECMAScript.
 *
 * `numeric/Elementary` has other forms of `exp` and `log` for random draws and kernels, which are faster and have other last bits.
 */
export { pow } from "./Power.ts"
export { cos, sin, tan } from "./real/circular.ts"
export { exp, expm1 } from "./real/exponential.ts"
export { asinh, cosh, sinh, tanh } from "./real/hyperbolic.ts"
export { acos, asin, atan } from "./real/inverse.ts"
export { log, log10, log1p, log2 } from "./real/logarithm.ts"

/** The square root of a^2 + b^2, without overflow. */
export const hypot = (a: number, b: number): number => {
  const x = Math.abs(a)
  const y = Math.abs(b)
  if (x === Infinity || y === Infinity) return Infinity
  const most = Math.max(x, y)
  if (!(most > 0)) return most
  const first = (x / most) * (x / most)
  const second = (y / most) * (y / most)
  return Math.sqrt(first + second) * most
}
