import type { Algebra, UnaryPrimitive } from "./Algebra.ts"
import * as Nd from "./Nd.ts"
import * as Special from "./Special.ts"

/**
 * A value with its first and second derivative with respect to one number, elementwise: forward-mode automatic
 * differentiation of functions over `Algebra<T>` (Griewank and Walther 2008). The three arrays have one shape.
 */
export interface Jet {
  readonly value: Nd.Nd
  readonly slope: Nd.Nd
  readonly curvature: Nd.Nd
}

const { add, div, mul, sub } = Nd.algebra.binary

/** A value that does not depend on the number. */
export const constant = (value: Nd.Nd): Jet => {
  const zero = Nd.map(value, () => 0)
  return { value, slope: zero, curvature: zero }
}

/** The number itself, with derivatives 1 and 0. */
export const variable = (x: number): Jet => ({
  value: Nd.scalar(x),
  slope: Nd.scalar(1),
  curvature: Nd.scalar(0),
})

/** A product with a slope, 0 where either factor is 0: a constant has the derivative 0 even at a pole of a function. */
const times = (x: Nd.Nd, y: Nd.Nd): Nd.Nd => Nd.zipWith(x, y, (a, b) => (a === 0 || b === 0 ? 0 : a * b))

/** f(x), from f and its first two derivatives. */
const through = (
  x: Jet,
  f: (value: Nd.Nd) => Nd.Nd,
  first: (value: number) => number,
  second: (value: number) => number,
): Jet => {
  const df = Nd.map(x.value, first)
  return {
    value: f(x.value),
    slope: times(df, x.slope),
    curvature: add(times(Nd.map(x.value, second), times(x.slope, x.slope)), times(df, x.curvature)),
  }
}

const plus = (x: Jet, y: Jet): Jet => ({
  value: add(x.value, y.value),
  slope: add(x.slope, y.slope),
  curvature: add(x.curvature, y.curvature),
})

const product = (x: Jet, y: Jet): Jet => ({
  value: mul(x.value, y.value),
  slope: add(times(x.value, y.slope), times(x.slope, y.value)),
  curvature: add(
    add(times(x.value, y.curvature), times(x.curvature, y.value)),
    times(Nd.scalar(2), times(x.slope, y.slope)),
  ),
})

type Slopes = readonly [first: (x: number) => number, second: (x: number) => number]

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
/** d/dx trigamma(x), x > 0: upwards by recurrence, then the asymptotic series. */
const tetragamma = (x: number): number => {
  let sum = 0
  let z = x
  for (; z < 15; z++) sum -= 2 / (z * z * z)
  const r = 1 / (z * z)
  return sum - r * (1 + 1 / z + r * (0.5 - r * (1 / 6 - r * (1 / 6 - r * (0.3 - (r * 5) / 6)))))
}

const slopes: { readonly [P in UnaryPrimitive]: Slopes } = {
  neg: [() => -1, () => 0],
  square: [(x) => 2 * x, () => 2],
  sqrt: [(x) => 0.5 / Math.sqrt(x), (x) => -0.25 / (x * Math.sqrt(x))],
  abs: [Math.sign, () => 0],
  sign: [() => 0, () => 0],
  exp: [Math.exp, Math.exp],
  log: [(x) => 1 / x, (x) => -1 / (x * x)],
  sin: [Math.cos, (x) => -Math.sin(x)],
  cos: [(x) => -Math.sin(x), (x) => -Math.cos(x)],
  tan: [(x) => 1 + Math.tan(x) ** 2, (x) => 2 * Math.tan(x) * (1 + Math.tan(x) ** 2)],
  tanh: [(x) => 1 - Math.tanh(x) ** 2, (x) => -2 * Math.tanh(x) * (1 - Math.tanh(x) ** 2)],
  asin: [(x) => 1 / Math.sqrt(1 - x * x), (x) => x / (1 - x * x) ** 1.5],
  acos: [(x) => -1 / Math.sqrt(1 - x * x), (x) => -x / (1 - x * x) ** 1.5],
  atan: [(x) => 1 / (1 + x * x), (x) => (-2 * x) / (1 + x * x) ** 2],
  guard: [(x) => (Math.abs(x) >= 1e-6 ? 1 : 0), () => 0],
}

const unary = (primitive: UnaryPrimitive) => (x: Jet) =>
  through(x, Nd.algebra.unary[primitive], ...slopes[primitive])

const negative = unary("neg")
const reciprocal = (x: Jet): Jet =>
  through(
    x,
    (value) => div(Nd.scalar(1), value),
    (v) => -1 / (v * v),
    (v) => 2 / (v * v * v),
  )
const power = (x: Jet, y: Jet): Jet => {
  const { pow } = Nd.algebra.binary
  if ([...y.slope.data, ...y.curvature.data].some((d) => d !== 0))
    return { ...unary("exp")(product(y, unary("log")(x))), value: pow(x.value, y.value) }
  const p = y.value
  const one = Nd.scalar(1)
  const first = times(p, pow(x.value, sub(p, one)))
  const second = times(times(p, sub(p, one)), pow(x.value, sub(p, Nd.scalar(2))))
  return {
    value: pow(x.value, p),
    slope: times(first, x.slope),
    curvature: add(times(second, times(x.slope, x.slope)), times(first, x.curvature)),
  }
}

/** Each element from one of two jets, chosen by their values. */
const either = (x: Jet, y: Jet, first: (a: number, b: number) => boolean): Jet => {
  const choice = Nd.zipWith(x.value, y.value, (a, b) => (first(a, b) ? 1 : 0))
  const other = Nd.map(choice, (chosen) => 1 - chosen)
  const pick = (a: Nd.Nd, b: Nd.Nd): Nd.Nd => add(times(choice, a), times(other, b))
  return {
    value: pick(x.value, y.value),
    slope: pick(x.slope, y.slope),
    curvature: pick(x.curvature, y.curvature),
  }
}

const each = (x: Jet, f: (part: Nd.Nd) => Nd.Nd): Jet => ({
  value: f(x.value),
  slope: f(x.slope),
  curvature: f(x.curvature),
})

const logSoftmaxLast = (x: Jet): Jet => {
  const { expandLast, logSoftmaxLast: normalised, sumLast } = Nd.algebra
  const value = normalised(x.value)
  const weights = Nd.map(value, Math.exp)
  // The derivatives of log sum exp.
  const slope = sumLast(times(weights, x.slope))
  const squares = sumLast(times(weights, add(x.curvature, times(x.slope, x.slope))))
  const curvature = sub(squares, times(slope, slope))
  return {
    value,
    slope: sub(x.slope, expandLast(slope)),
    curvature: sub(x.curvature, expandLast(curvature)),
  }
}

/** The algebra of jets: a density run on it gives its derivatives. */
export const algebra: Algebra<Jet> = {
  literal: (value) => constant(Nd.scalar(value)),
  unary: {
    neg: negative,
    square: unary("square"),
    sqrt: unary("sqrt"),
    abs: unary("abs"),
    sign: unary("sign"),
    exp: unary("exp"),
    log: unary("log"),
    sin: unary("sin"),
    cos: unary("cos"),
    tan: unary("tan"),
    tanh: unary("tanh"),
    asin: unary("asin"),
    acos: unary("acos"),
    atan: unary("atan"),
    guard: unary("guard"),
  },
  binary: {
    add: plus,
    sub: (x, y) => plus(x, negative(y)),
    mul: product,
    div: (x, y) => ({ ...product(x, reciprocal(y)), value: div(x.value, y.value) }),
    pow: power,
    min: (x, y) => either(x, y, (a, b) => a <= b),
    max: (x, y) => either(x, y, (a, b) => a >= b),
  },
  softplus: (x) => through(x, Nd.algebra.softplus, sigmoid, (v) => sigmoid(v) * sigmoid(-v)),
  clamp: (x, low, high) =>
    through(
      x,
      (value) => Nd.algebra.clamp(value, low, high),
      (v) => (v >= low && v <= high ? 1 : 0),
      () => 0,
    ),
  sigmoid: (x) =>
    through(
      x,
      Nd.algebra.sigmoid,
      (v) => sigmoid(v) * sigmoid(-v),
      (v) => sigmoid(v) * sigmoid(-v) * (1 - 2 * sigmoid(v)),
    ),
  lgamma: (x) => through(x, Nd.algebra.lgamma, Special.digamma, Special.trigamma),
  digamma: (x) => through(x, Nd.algebra.digamma, Special.trigamma, tetragamma),
  sumLast: (x) => each(x, Nd.algebra.sumLast),
  sumAll: (x) => each(x, Nd.algebra.sumAll),
  expandLast: (x) => each(x, Nd.algebra.expandLast),
  softmaxLast: (x) => ({ ...unary("exp")(logSoftmaxLast(x)), value: Nd.algebra.softmaxLast(x.value) }),
  logSoftmaxLast,
}
