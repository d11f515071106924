import type { ScalarAlgebra } from "../numeric/Algebra.ts"
import * as Real from "../numeric/Real.ts"

/**
 * An interval [low, high] of real numbers, ends infinite or not: all values of a term lie in it. Where an operation is not defined for
 * a part of its arguments, the result is that of the rest; `whole` where nothing is known.
 */
export interface Interval {
  readonly low: number
  readonly high: number
}

export const whole: Interval = { low: -Infinity, high: Infinity }
export const point = (value: number): Interval => ({ low: value, high: value })

/** Elementary functions are right to some units in the last place: each result is widened by as many. */
const widened = (low: number, high: number): Interval => {
  if (Number.isNaN(low) || Number.isNaN(high)) return whole
  const by = (value: number): number =>
    Number.isFinite(value) ? Math.abs(value) * 1e-15 + Number.MIN_VALUE : 0
  // What overflows is large, not infinite.
  return {
    low: low === Infinity ? Number.MAX_VALUE : low - by(low),
    high: high === -Infinity ? -Number.MAX_VALUE : high + by(high),
  }
}

/** 0 times infinity is 0 at ends of intervals: the other factor is bounded where this one is 0. */
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

const increasing =
  (f: (x: number) => number) =>
  ({ low, high }: Interval): Interval =>
    widened(f(low), f(high))

const ends = (values: ReadonlyArray<number>): Interval => widened(Math.min(...values), Math.max(...values))

const multiply = (a: Interval, b: Interval): Interval =>
  ends([times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)])

/** 1 / x; an argument that has 0 at an end is on one side of it. */
const inverse = ({ low, high }: Interval): Interval => {
  if (low < 0 && high > 0) return whole
  if (low === 0 && high === 0) return whole
  return widened(high === 0 ? -Infinity : 1 / high, low === 0 ? Infinity : 1 / low)
}

/** A wave of period 2 pi with its maximum at `top`. */
const wave =
  (f: (x: number) => number, top: number) =>
  ({ low, high }: Interval): Interval => {
    if (!(high - low < 2 * Math.PI)) return { low: -1, high: 1 }
    // Near an extremum the interval has it, whatever the rounding.
    const has = (at: number): boolean =>
      Math.floor((high - at) / (2 * Math.PI) + 1e-9) >= Math.ceil((low - at) / (2 * Math.PI) - 1e-9)
    const { low: least, high: most } = ends([f(low), f(high)])
    return { low: has(top + Math.PI) ? -1 : Math.max(-1, least), high: has(top) ? 1 : Math.min(1, most) }
  }

const clipped = ({ low, high }: Interval, least: number, most: number): Interval => ({
  low: Math.min(most, Math.max(least, low)),
  high: Math.min(most, Math.max(least, high)),
})

const square = ({ low, high }: Interval): Interval => {
  const [a, b] = [low * low, high * high]
  return {
    low: low <= 0 && high >= 0 ? 0 : Math.max(0, widened(Math.min(a, b), 0).low),
    high: widened(0, Math.max(a, b)).high,
  }
}
const exp = (x: Interval): Interval => {
  const { low, high } = increasing(Real.exp)(x)
  return { low: Math.max(0, low), high }
}
const log = (x: Interval): Interval => (x.high <= 0 ? whole : increasing(Real.log)(clipped(x, 0, Infinity)))
const add = (a: Interval, b: Interval): Interval => widened(a.low + b.low, a.high + b.high)
const neg = ({ low, high }: Interval): Interval => ({ low: -high, high: -low })

/** Interval arithmetic (Moore 1966): a term over it encloses all of its values. */
export const algebra: ScalarAlgebra<Interval> = {
  literal: point,
  unary: {
    neg,
    square,
    sqrt: (x) => {
      const { low, high } = increasing(Math.sqrt)(clipped(x, 0, Infinity))
      return { low: Math.max(0, low), high }
    },
    abs: ({ low, high }) =>
      low >= 0
        ? { low, high }
        : high <= 0
          ? { low: -high, high: -low }
          : { low: 0, high: Math.max(-low, high) },
    sign: ({ low, high }) => ({ low: Math.sign(low), high: Math.sign(high) }),
    exp,
    log,
    sin: wave(Real.sin, Math.PI / 2),
    cos: wave(Real.cos, 0),
    tan: (x) => {
      const middle = Math.round((x.low + x.high) / 2 / Math.PI) * Math.PI
      const inside = x.low > middle - Math.PI / 2 + 1e-9 && x.high < middle + Math.PI / 2 - 1e-9
      return inside ? increasing(Real.tan)(x) : whole
    },
    tanh: increasing(Real.tanh),
    asin: (x) => increasing(Real.asin)(clipped(x, -1, 1)),
    acos: (x) => neg(increasing((value) => -Real.acos(value))(clipped(x, -1, 1))),
    atan: increasing(Real.atan),
    guard: () => whole,
  },
  binary: {
    add,
    sub: (a, b) => add(a, neg(b)),
    mul: multiply,
    div: (a, b) => multiply(a, inverse(b)),
    pow: (a, b) => {
      if (b.low === 2 && b.high === 2) return square(a)
      // Powers of negative numbers have no one rule.
      return a.low < 0 ? whole : exp(multiply(b, log(a)))
    },
    min: (a, b) => ({ low: Math.min(a.low, b.low), high: Math.min(a.high, b.high) }),
    max: (a, b) => ({ low: Math.max(a.low, b.low), high: Math.max(a.high, b.high) }),
  },
}
