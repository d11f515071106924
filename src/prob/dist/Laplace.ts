import { log } from "../../numeric/Elementary.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import { evaluate, make } from "./Definition.ts"
import { finite, positive } from "./DistError.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly location: T
  readonly scale: T
}

/** -|x - location| / scale - log(2 scale). */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { add, div, sub } = A.binary
    const distance = div(A.unary.abs(sub(x, p.location)), p.scale)
    return A.unary.neg(add(distance, add(A.unary.log(p.scale), A.literal(Math.LN2))))
  }

/** 1 + log(2 scale). */
export const entropy =
  <T>(A: Algebra<T>) =>
  (p: Parameters<T>): T =>
    A.binary.add(A.unary.log(p.scale), A.literal(1 + Math.LN2))

/** log(b' / b) - 1 + (d + b e^(-d / b)) / b', with d the distance of the locations, b the scales and ' of p. */
export const kl =
  <T>(A: Algebra<T>) =>
  (q: Parameters<T>, p: Parameters<T>): T => {
    const { add, div, mul, sub } = A.binary
    const d = A.unary.abs(sub(q.location, p.location))
    // E_q|X - location'| = d + b e^(-d / b)
    const expected = add(d, mul(q.scale, A.unary.exp(A.unary.neg(div(d, q.scale)))))
    const scales = sub(A.unary.log(div(p.scale, q.scale)), A.literal(1))
    return add(scales, div(expected, p.scale))
  }

type Known = { readonly location: number; readonly scale: number }

/** Laplace(location, scale) on the real line. */
export const of = make<"real", Known>({
  name: "Laplace",
  support: "real",
  parameters: { location: finite, scale: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  // By inversion; u lies strictly inside of (0, 1).
  draw: ({ location, scale }, source) => {
    const u = source.next()
    return location + scale * (u < 0.5 ? log(2 * u) : -log(2 * (1 - u)))
  },
  mean: ({ location }) => location,
  variance: ({ scale }) => 2 * scale * scale,
  entropy: (p) => evaluate<Known>(entropy, p),
  kl: (A, q, p) => kl(A)(q, p),
  derivatives: (x, { location, scale }) => ({ slope: -Math.sign(x - location) / scale, curvature: 0 }),
})
