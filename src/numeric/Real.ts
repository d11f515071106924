/**
 * Elementary functions of real numbers with the same bits on every engine: ECMAScript leaves the rounding of `Math.exp`, `Math.sin` and the
 * like to the engine, and engines differ. These use only +, -, *, /, the square root and exact operations on bits, which IEEE 754 fixes.
 * Everything that a result depends on takes them from here, and not from `Math`; `npm run lint` holds it (`scripts/check-math.mjs`).
 *
 * An engine whose own functions have the same bits at `witnesses` is taken at its word, for it is faster by a fifth: Node 20, 22 and 24 are
 * such, Chromium 156 is not. Powers are always those of `numeric/Power`.
 *
 * They are written after fdlibm (Sun Microsystems 1993, "Permission to use, copy, modify, and distribute this software is freely granted,
 * provided that this notice is preserved") with its coefficients and its order of operations, as V8 had it until version 13, so that their
 * bits are those of `Math` on Node 20, 22 and 24. Errors are below 1 ulp, and special values those of ECMAScript.
 *
 * `numeric/Elementary` has other forms of `exp` and `log` for random draws and kernels, which are faster and have other last bits.
 */
import * as Circular from "./real/circular.ts"
import * as Exponential from "./real/exponential.ts"
import * as Hyperbolic from "./real/hyperbolic.ts"
import * as Inverse from "./real/inverse.ts"
import * as Logarithm from "./real/logarithm.ts"
import { witnesses } from "./real/witnesses.ts"

export { pow } from "./Power.ts"

type Functions = Readonly<Record<keyof typeof witnesses, (x: number) => number>>

/** The functions in plain arithmetic. */
export const own: Functions = { ...Circular, ...Exponential, ...Hyperbolic, ...Inverse, ...Logarithm }

/** Whether functions have the bits of `own` where others are likely not to. All count: an engine has one library of them. */
export const areOwn = (functions: Functions): boolean =>
  // The keys of a literal object are its own.
  (Object.keys(witnesses) as ReadonlyArray<keyof Functions>).every((name) =>
    witnesses[name].every((x) => functions[name](x) === own[name](x)),
  )

const engine: Functions = areOwn(Math) ? Math : own

export const { exp, expm1, log, log1p, log2, log10, sin, cos, tan } = engine
export const { asin, acos, atan, sinh, cosh, tanh, asinh } = engine

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
