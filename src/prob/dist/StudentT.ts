import { exp } from "../../numeric/Elementary.ts"
import * as Special from "../../numeric/Special.ts"
import type { Algebra } from "../../numeric/Algebra.ts"
import * as Real from "../../numeric/Real.ts"
import { make } from "./Definition.ts"
import { finite, positive } from "./DistError.ts"

/** Parameters as values of an algebra; elementwise over any shape. */
export interface Parameters<T> {
  readonly df: T
  readonly location: T
  readonly scale: T
}

/**
 * log Gamma((v + 1) / 2) - log Gamma(v / 2) - log(pi v) / 2 - log scale - (v + 1) / 2 log(1 + z^2 / v), with v the degrees
 * of freedom and z = (x - location) / scale.
 */
export const logDensity =
  <T>(A: Algebra<T>) =>
  (x: T, p: Parameters<T>): T => {
    const { add, div, mul, sub } = A.binary
    const one = A.literal(1)
    const half = A.literal(0.5)
    const above = mul(half, add(p.df, one))
    const z = div(sub(x, p.location), p.scale)
    const normalizer = sub(
      sub(A.lgamma(above), A.lgamma(mul(half, p.df))),
      add(mul(half, A.unary.log(mul(A.literal(Math.PI), p.df))), A.unary.log(p.scale)),
    )
    return sub(normalizer, mul(above, A.unary.log(add(one, div(A.unary.square(z), p.df)))))
  }

type Known = { readonly df: number; readonly location: number; readonly scale: number }

/** Student's t with `df` degrees of freedom, on the real line. */
export const of = make<"real", Known>({
  name: "StudentT",
  support: "real",
  parameters: { df: positive, location: finite, scale: positive },
  logDensity: (A, x, p) => logDensity(A)(x, p),
  // A normal number divided by the root of an independent Gamma(v / 2, v / 2) number, finite even where that
  // underflows.
  draw: ({ df, location, scale }, source) => {
    const z = source.normal()
    const heavy = exp(-0.5 * (source.logGamma(df / 2) - Real.log(df / 2)))
    const x = location + scale * z * heavy
    return Math.min(Math.max(x, -Number.MAX_VALUE), Number.MAX_VALUE)
  },
  mean: ({ df, location }) => (df > 1 ? location : Number.NaN),
  variance: ({ df, scale }) => (df > 2 ? scale * scale * (df / (df - 2)) : df > 1 ? Infinity : Number.NaN),
  entropy: ({ df, scale }) =>
    ((df + 1) / 2) * (Special.digamma((df + 1) / 2) - Special.digamma(df / 2)) +
    0.5 * Real.log(df) +
    Special.lgamma(df / 2) +
    Special.lgamma(0.5) -
    Special.lgamma((df + 1) / 2) +
    Real.log(scale),
  derivatives: (x, { df, location, scale }) => {
    const z = (x - location) / scale
    const total = df + z * z
    return {
      slope: (-(df + 1) * (z / total)) / scale,
      curvature: (-(df + 1) * ((df - z * z) / (total * total))) / (scale * scale),
    }
  },
})
