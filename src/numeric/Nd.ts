import { exp } from "./Elementary.ts"
import type { Algebra } from "./Algebra.ts"
import { digamma, lgamma } from "./Special.ts"
import { pow } from "./Power.ts"
import * as Real from "./Real.ts"

/**
 * A dense float64 array, row-major. Its {@link algebra} is the reference implementation of the contract in
 * `Algebra.ts`: every other engine is tested against it. It is written for clarity, the engines for speed.
 */
export interface Nd {
  /** Lengths of the axes, outermost first; `[]` is a scalar. */
  readonly shape: ReadonlyArray<number>
  /** The elements, as many as the product of `shape`. */
  readonly data: Float64Array
}

/** The number of elements of an array of a shape. */
export const product = (shape: ReadonlyArray<number>): number => shape.reduce((total, n) => total * n, 1)

/** Throws a `RangeError` when an array of a shape has another number of elements. */
export const requireFit = (shape: ReadonlyArray<number>, elements: number): void => {
  if (product(shape) !== elements)
    throw new RangeError(`Nd: shape [${shape.join(", ")}] needs ${product(shape)} elements, got ${elements}`)
}

/** An array of the given shape. Throws a `RangeError` when the number of elements does not fit. */
export const of = (shape: ReadonlyArray<number>, data: ArrayLike<number>): Nd => {
  requireFit(shape, data.length)
  return { shape, data: Float64Array.from(data) }
}

/** A scalar, of shape `[]`. */
export const scalar = (value: number): Nd => ({ shape: [], data: Float64Array.of(value) })

/** A vector, of shape `[values.length]`. */
export const vector = (values: ArrayLike<number>): Nd => of([values.length], values)

/** The number in a one-element array of any shape. Throws a `RangeError` for more or fewer elements. */
export const toNumber = (x: Nd): number => {
  const [value] = x.data
  if (value === undefined || x.data.length !== 1) {
    throw new RangeError(`Nd: expected one element, got shape [${x.shape.join(", ")}]`)
  }
  return value
}

/** The NumPy rule: shapes are aligned at their last axes; lengths must agree or be 1. Throws a `RangeError`. */
export const broadcastShapes = (
  a: ReadonlyArray<number>,
  b: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const rank = Math.max(a.length, b.length)
  return Array.from({ length: rank }, (_, axis) => {
    const m = a[axis - rank + a.length] ?? 1
    const n = b[axis - rank + b.length] ?? 1
    if (m !== n && m !== 1 && n !== 1) {
      throw new RangeError(`Nd: shapes [${a.join(", ")}] and [${b.join(", ")}] do not broadcast`)
    }
    return m === 1 ? n : m
  })
}

/** `x` repeated to `shape`, with which its own shape must broadcast. */
export const broadcastTo = (x: Nd, shape: ReadonlyArray<number>): Nd => {
  const lead = shape.length - x.shape.length
  const data = new Float64Array(product(shape))
  for (let i = 0; i < data.length; i++) {
    // Walk the axes from the last to the first; an axis of length 1 always has index 0 in `x`.
    let rest = i
    let source = 0
    let stride = 1
    for (let axis = shape.length - 1; axis >= lead; axis--) {
      const n = shape[axis] ?? 1
      const own = x.shape[axis - lead] ?? 1
      if (own !== 1) source += (rest % n) * stride
      stride *= own
      rest = Math.floor(rest / n)
    }
    data[i] = x.data[source] ?? Number.NaN
  }
  return { shape, data }
}

export const map = (x: Nd, f: (value: number) => number): Nd => ({ shape: x.shape, data: x.data.map(f) })

/** `f` applied to the pairs of elements of the broadcast arguments. */
export const zipWith = (x: Nd, y: Nd, f: (a: number, b: number) => number): Nd => {
  const shape = broadcastShapes(x.shape, y.shape)
  const a = broadcastTo(x, shape).data
  const b = broadcastTo(y, shape).data
  return { shape, data: a.map((value, i) => f(value, b[i] ?? Number.NaN)) }
}

/** The rows along the trailing axis. Throws a `RangeError` for a scalar, which has none. */
const rows = (x: Nd): ReadonlyArray<Float64Array> => {
  const n = x.shape.at(-1)
  if (n === undefined) throw new RangeError("Nd: a scalar has no trailing axis")
  return Array.from({ length: product(x.shape.slice(0, -1)) }, (_, row) =>
    x.data.subarray(row * n, (row + 1) * n),
  )
}

const mapRows = (x: Nd, f: (row: Float64Array) => Float64Array): Nd => {
  const data = new Float64Array(x.data.length)
  rows(x).forEach((row, i) => data.set(f(row), i * row.length))
  return { shape: x.shape, data }
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

const minusTop = (row: Float64Array): Float64Array => {
  const top = row.reduce((a, b) => Math.max(a, b), -Infinity)
  return row.map((z) => z - top)
}

const logSoftmax = (row: Float64Array): Float64Array => {
  const below = minusTop(row)
  const logTotal = Real.log(sum(below.map(Real.exp)))
  return below.map((z) => z - logTotal)
}

const softmax = (row: Float64Array): Float64Array => {
  // The engines use the same formula on many numbers at a time, with the same bits.
  const weights = minusTop(row).map((z) => exp(z))
  const total = sum(weights)
  return weights.map((w) => w / total)
}

/** Pushes a denominator away from zero, the contract's `guard`. */
const guard = (z: number): number => (z >= 0 ? Math.max(z, 1e-6) : Math.min(z, -1e-6))

const unary =
  (f: (value: number) => number) =>
  (x: Nd): Nd =>
    map(x, f)

const binary =
  (f: (a: number, b: number) => number) =>
  (x: Nd, y: Nd): Nd =>
    zipWith(x, y, f)

/** The reference implementation of the algebra. Shapes that do not fit throw a `RangeError`. */
export const algebra: Algebra<Nd> = {
  literal: scalar,
  array: (values, shape) => of(shape, values),
  unary: {
    neg: unary((x) => -x),
    square: unary((x) => x * x),
    sqrt: unary(Math.sqrt),
    abs: unary(Math.abs),
    sign: unary(Math.sign),
    exp: unary(Real.exp),
    log: unary(Real.log),
    sin: unary(Real.sin),
    cos: unary(Real.cos),
    tan: unary(Real.tan),
    tanh: unary(Real.tanh),
    asin: unary(Real.asin),
    acos: unary(Real.acos),
    atan: unary(Real.atan),
    guard: unary(guard),
  },
  binary: {
    add: binary((a, b) => a + b),
    sub: binary((a, b) => a - b),
    mul: binary((a, b) => a * b),
    div: binary((a, b) => a / b),
    pow: binary(pow),
    min: binary(Math.min),
    max: binary(Math.max),
  },
  softplus: unary((x) => Math.max(x, 0) + Real.log1p(Real.exp(-Math.abs(x)))),
  clamp: (x, low, high) => map(x, (value) => Math.min(Math.max(value, low), high)),
  // exp of a large negative number is 0, of a large positive number infinity: both give the right limit.
  sigmoid: unary((x) => 1 / (1 + Real.exp(-x))),
  lgamma: unary(lgamma),
  digamma: unary(digamma),
  stopGradient: (x) => x,
  sumLast: (x) => ({ shape: x.shape.slice(0, -1), data: Float64Array.from(rows(x), sum) }),
  sumAll: (x) => scalar(sum(x.data)),
  expandLast: (x) => ({ shape: [...x.shape, 1], data: x.data }),
  softmaxLast: (x) => mapRows(x, softmax),
  logSoftmaxLast: (x) => mapRows(x, logSoftmax),
}
