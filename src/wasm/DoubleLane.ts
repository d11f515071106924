import type { ScalarAlgebra } from "../numeric/Algebra.ts"
import * as Circular from "./double/circular.ts"
import { exp, tanh } from "./double/exp.ts"
import { byHost, pow } from "./double/host.ts"
import { log } from "./double/log.ts"
import { add, mul, sub } from "./Doubles.ts"
import { type Expr, f64x2, op } from "./Expr.ts"

type Vector = Expr<"v128">

/** -1, 0 or 1, as `Math.sign`: the argument itself where it is 0 or NaN. */
const sign = (x: Vector): Vector => {
  const signed = op("v128.or", f64x2(1), op("v128.and", x, f64x2(-0)))
  const other = op("v128.or", op("f64x2.eq", x, f64x2(0)), op("f64x2.ne", x, x))
  return op("v128.bitselect", x, signed, other)
}

/** z >= 0 ? max(z, 1e-6) : min(z, -1e-6); NaN stays NaN. */
const guard = (z: Vector): Vector =>
  // By magnitude, with the sign; -0 counts as positive.
  op(
    "v128.or",
    op("f64x2.pmax", op("f64x2.abs", z), f64x2(1e-6)),
    op("v128.and", f64x2(-0), op("f64x2.lt", z, f64x2(0))),
  )

/**
 * The scalar algebra over two float64 at a time, as expressions of WebAssembly: errors of one or two units in the last
 * place over the whole range of float64. No operation is fused, so that the bits do not depend on the processor. NaN propagates through
 * everything but the second operand of `pow`; signed zeros may differ in sin and tan.
 */
export const lane: ScalarAlgebra<Vector> = {
  literal: f64x2,
  unary: {
    neg: (x) => op("f64x2.neg", x),
    square: (x) => mul(x, x),
    sqrt: (x) => op("f64x2.sqrt", x),
    abs: (x) => op("f64x2.abs", x),
    sign,
    exp,
    log,
    sin: Circular.sin,
    cos: Circular.cos,
    tan: Circular.tan,
    tanh,
    asin: (x) => byHost("asin", x),
    acos: (x) => byHost("acos", x),
    atan: (x) => byHost("atan", x),
    guard,
  },
  binary: {
    add,
    sub,
    mul,
    div: (x, y) => op("f64x2.div", x, y),
    pow,
    min: (x, y) => op("f64x2.min", x, y),
    max: (x, y) => op("f64x2.max", x, y),
  },
}
