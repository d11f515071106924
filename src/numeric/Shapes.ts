import type { Algebra } from "./Algebra.ts"
import { broadcastShapes, requireFit } from "./Nd.ts"

/** The lengths of the axes of an array, outermost first; `[]` is a scalar. */
export type Shape = ReadonlyArray<number>

const same = (x: Shape): Shape => x
/** Throws a `RangeError` for a scalar, which has no trailing axis. */
const reduced = (x: Shape): Shape => {
  if (x.length === 0) throw new RangeError("a scalar has no trailing axis")
  return x.slice(0, -1)
}
const normalised = (x: Shape): Shape => [...reduced(x), x.at(-1)!]

/**
 * The shapes of the arrays that `numeric/Nd` computes, and the errors that it throws, without the numbers.
 *
 * *When to use*: to see whether a density or divergence can be computed at all, whatever the size of a model.
 */
export const algebra: Algebra<Shape> = {
  literal: () => [],
  array: (values, shape) => {
    requireFit(shape, values.length)
    return shape
  },
  unary: {
    neg: same,
    square: same,
    sqrt: same,
    abs: same,
    sign: same,
    exp: same,
    log: same,
    sin: same,
    cos: same,
    tan: same,
    tanh: same,
    asin: same,
    acos: same,
    atan: same,
    guard: same,
  },
  binary: {
    add: broadcastShapes,
    sub: broadcastShapes,
    mul: broadcastShapes,
    div: broadcastShapes,
    pow: broadcastShapes,
    min: broadcastShapes,
    max: broadcastShapes,
  },
  softplus: same,
  clamp: same,
  sigmoid: same,
  lgamma: same,
  digamma: same,
  stopGradient: same,
  sumLast: reduced,
  sumAll: () => [],
  expandLast: (x) => [...x, 1],
  softmaxLast: normalised,
  logSoftmaxLast: normalised,
}
