import type { ScalarAlgebra } from "../../declare/Algebra.ts"
import * as A from "./math/arithmetic.ts"
import * as Exponential from "./math/exponential.ts"
import * as Trigonometric from "./math/trigonometric.ts"
import type { Target } from "./Target.ts"
import { f32x4, op } from "./wasm/Expr.ts"

/** The scalar algebra over four float32 at a time, as expressions of WebAssembly. */
export interface Lane extends ScalarAlgebra<A.Vector> {
  /** a b + c */
  readonly madd: (a: A.Vector, b: A.Vector, c: A.Vector) => A.Vector
  /** c - a b */
  readonly nmadd: (a: A.Vector, b: A.Vector, c: A.Vector) => A.Vector
  /** functions of arguments whose magnitude is known not to exceed a bound */
  readonly bounded: (bound: number) => Pick<ScalarAlgebra<A.Vector>["unary"], "sin" | "cos" | "tan">
  /** limit tanh(x / limit) */
  readonly clip: (limit: number) => (x: A.Vector) => A.Vector
  /** the slope of `clip` from its value */
  readonly clipSlope: (limit: number) => (value: A.Vector) => A.Vector
}

/**
 * The algebra for a target. NaN propagates through everything; signed zeros are those of IEEE 754 where the operation
 * is one of its, and may differ in sin, tan and tanh.
 */
export const make = (target: Target): Lane => {
  const madd = A.madd(target)
  const nmadd = A.nmadd(target)
  const tanh = Exponential.tanh(target)
  return {
    literal: f32x4,
    madd,
    nmadd,
    bounded: (bound) => ({
      sin: Trigonometric.trigonometric(target, "sin", bound),
      cos: Trigonometric.trigonometric(target, "cos", bound),
      tan: Trigonometric.trigonometric(target, "tan", bound),
    }),
    clip: (limit) => Exponential.clip(target, limit),
    clipSlope: (limit) => (value) => {
      const t = A.mul(value, f32x4(1 / limit))
      return nmadd(t, t, f32x4(1))
    },
    unary: {
      neg: A.neg,
      square: (x) => A.mul(x, x),
      sqrt: A.sqrt,
      abs: A.abs,
      // x itself where it is 0 or NaN.
      sign: (x) => {
        const some = A.or(op("f32x4.lt", x, f32x4(0)), op("f32x4.gt", x, f32x4(0)))
        return A.select(some, A.or(A.and(x, A.signBit), f32x4(1)), x)
      },
      exp: Exponential.exp(target),
      log: Exponential.log(target),
      sin: Trigonometric.trigonometric(target, "sin"),
      cos: Trigonometric.trigonometric(target, "cos"),
      tan: Trigonometric.trigonometric(target, "tan"),
      tanh,
      asin: Trigonometric.inverse(target, "asin"),
      acos: Trigonometric.inverse(target, "acos"),
      atan: Trigonometric.atan(target),
      // Away from zero by magnitude, with the sign of x; -0 counts as positive.
      guard: (x) => A.or(A.atLeast(A.abs(x), 1e-6), A.and(A.signBit, op("f32x4.lt", x, f32x4(0)))),
    },
    binary: {
      add: A.add,
      sub: A.sub,
      mul: A.mul,
      div: A.div,
      pow: (x, y) => Trigonometric.byHost("pow", x, y),
      min: (x, y) => op("f32x4.min", x, y),
      max: (x, y) => op("f32x4.max", x, y),
    },
  }
}
