import type { ScalarAlgebra } from "../numeric/Algebra.ts"
import { acos, asin } from "./math/asin.ts"
import * as A from "./math/arithmetic.ts"
import { atan } from "./math/atan.ts"
import * as Circular from "./math/circular.ts"
import { exp } from "./math/exp.ts"
import { guard, max, min, sign } from "./math/extreme.ts"
import * as Fold from "./math/fold.ts"
import { log } from "./math/log.ts"
import { cos, sin } from "./math/sine.ts"
import { tan } from "./math/tangent.ts"
import { type Squash, squash, tanh } from "./math/tanh.ts"
import type { Target } from "./Target.ts"
import { f32x4 } from "./Expr.ts"

/** The scalar algebra over four float32 at a time, as expressions of WebAssembly. */
export interface Lane extends ScalarAlgebra<A.Vector> {
  /** a b + c */
  readonly madd: (a: A.Vector, b: A.Vector, c: A.Vector) => A.Vector
  /** c - a b */
  readonly nmadd: (a: A.Vector, b: A.Vector, c: A.Vector) => A.Vector
  /**
   * functions of results of float32 operations whose magnitude is known not to exceed a bound; those of sin and cos are
   * right for an argument within a unit in its last place
   */
  readonly bounded: (bound: number) => Pick<ScalarAlgebra<A.Vector>["unary"], "sin" | "cos" | "tan">
  /** sin(pi t) and cos(pi t) of arguments pi t up to `Circular.limit` */
  readonly halfTurns: Circular.HalfTurns
  /** limit tanh(x / limit), with values in a unit of their own or not */
  readonly squash: (limit: number, own: boolean) => Squash
}

/**
 * The algebra for a target. NaN propagates through everything; signed zeros are those of IEEE 754 where the operation
 * is one of its, and may differ in sin, tan and tanh.
 */
export const make = (target: Target): Lane => {
  const { madd, nmadd } = Fold.fused(target)
  return {
    literal: f32x4,
    madd,
    nmadd,
    bounded: (bound) => ({
      ...(bound <= Circular.limit ? Circular.make(target) : { sin: sin(target), cos: cos(target) }),
      tan: tan(target, bound),
    }),
    halfTurns: Circular.halfTurns(target),
    squash: (limit, own) => squash(target, limit, own),
    unary: {
      neg: A.neg,
      square: (x) => Fold.mul(x, x),
      sqrt: A.sqrt,
      abs: A.abs,
      sign,
      exp: exp(target),
      log: log(target),
      sin: sin(target),
      cos: cos(target),
      tan: tan(target),
      tanh: tanh(target),
      asin: asin(target),
      acos: acos(target),
      atan: atan(target),
      guard,
    },
    binary: {
      add: Fold.add,
      sub: Fold.sub,
      mul: Fold.mul,
      div: Fold.div,
      pow: Fold.pow(target),
      min,
      max,
    },
  }
}
