import type { Algebra, BinaryPrimitive } from "../../../numeric/Algebra.ts"
import { broadcastShapes, product } from "../../../numeric/Nd.ts"
import { binary } from "./binary.ts"
import * as Broadcast from "./broadcast.ts"
import * as Functions from "./functions.ts"
import type { Binary, Run, Unary } from "./operation.ts"
import * as Reduce from "./reduce.ts"
import * as Softmax from "./softmax.ts"
import type { Value } from "./Value.ts"

export interface Operation {
  /** operations of one name on the same inputs are the same value */
  readonly name: string
  readonly inputs: ReadonlyArray<Value>
  readonly shape: ReadonlyArray<number>
  readonly forward: (output: Value) => Run
  /** the loops that add to the adjoints of the inputs; empty where all slopes are 0 */
  readonly backward: (output: Value, adjoint: Float64Array) => ReadonlyArray<Run>
  /** whether the output has a derivative by its inputs */
  readonly differentiable: boolean
}

/** The functions of a recorder that the algebra calls. */
export interface Target {
  readonly array: (values: ArrayLike<number>, shape: ReadonlyArray<number>) => Value
  readonly apply: (operation: Operation) => Value
  /** the same numbers under another shape */
  readonly view: (x: Value, shape: ReadonlyArray<number>) => Value
}

/** A number as text, one for each number: `String` gives the same text for 0 and -0. */
export const digits = (value: number): string => (Object.is(value, -0) ? "-0" : String(value))

/** The length of the trailing axis. Throws a `RangeError` for a scalar, which has none. */
const trailing = (x: Value): number => {
  const n = x.shape.at(-1)
  if (n === undefined) throw new RangeError("Tape: a scalar has no trailing axis")
  return n
}

/** The algebra that records. Shapes that do not fit throw a `RangeError`. */
export const make = ({ array, apply, view }: Target): Algebra<Value> => {
  const mapping = (
    name: string,
    f: Unary,
    x: Value,
    shape = x.shape,
    also: ReadonlyArray<Value> = [],
  ): Value =>
    apply({
      name,
      inputs: [x, ...also],
      shape,
      forward: (y) => f.forward(x.data, y.data),
      backward: (y, dy) =>
        x.adjoint === undefined || f.backward === undefined
          ? []
          : [f.backward(x.data, y.data, x.adjoint, dy)],
      differentiable: f.backward !== undefined,
    })
  const unary =
    (name: string, f: Unary) =>
    (x: Value): Value =>
      mapping(name, f, x)
  const zipping =
    (name: BinaryPrimitive, f: Binary) =>
    (x: Value, y: Value): Value => {
      const shape = broadcastShapes(x.shape, y.shape)
      const rows = Broadcast.rows(x.shape, y.shape, shape)
      return apply({
        name,
        inputs: [x, y],
        shape,
        forward: (z) => f.forward(rows, x.data, y.data, z.data),
        backward: (z, dz) => [
          ...(x.adjoint === undefined ? [] : [f.left(rows, x.data, y.data, z.data, x.adjoint, dz)]),
          ...(y.adjoint === undefined ? [] : [f.right(rows, x.data, y.data, z.data, y.adjoint, dz)]),
        ],
        differentiable: true,
      })
    }
  const softmaxLast = (x: Value): Value => mapping("softmaxLast", Softmax.softmax(trailing(x)), x)
  return {
    literal: (value) => array([value], []),
    array,
    unary: {
      neg: unary("neg", Functions.neg),
      square: unary("square", Functions.square),
      sqrt: unary("sqrt", Functions.sqrt),
      abs: unary("abs", Functions.abs),
      sign: unary("sign", Functions.sign),
      exp: unary("exp", Functions.exp),
      log: unary("log", Functions.log),
      sin: unary("sin", Functions.sin),
      cos: unary("cos", Functions.cos),
      tan: unary("tan", Functions.tan),
      tanh: unary("tanh", Functions.tanh),
      asin: unary("asin", Functions.asin),
      acos: unary("acos", Functions.acos),
      atan: unary("atan", Functions.atan),
      guard: unary("guard", Functions.guard),
    },
    binary: {
      add: zipping("add", binary.add),
      sub: zipping("sub", binary.sub),
      mul: zipping("mul", binary.mul),
      div: zipping("div", binary.div),
      pow: zipping("pow", binary.pow),
      min: zipping("min", binary.min),
      max: zipping("max", binary.max),
    },
    softplus: unary("softplus", Functions.softplus),
    clamp: (x, low, high) => mapping(`clamp ${digits(low)} ${digits(high)}`, Functions.clamp(low, high), x),
    sigmoid: unary("sigmoid", Functions.sigmoid),
    lgamma: unary("lgamma", Functions.lgamma),
    digamma: unary("digamma", Functions.digamma),
    stopGradient: unary("stopGradient", Functions.stopGradient),
    sumLast: (x) => mapping("sumLast", Reduce.sum(trailing(x)), x, x.shape.slice(0, -1)),
    sumAll: (x) => mapping("sumAll", Reduce.sum(product(x.shape)), x, []),
    expandLast: (x) => view(x, [...x.shape, 1]),
    softmaxLast,
    logSoftmaxLast: (x) => {
      const weights = softmaxLast(x)
      const f = Softmax.logSoftmax(trailing(x), weights.data)
      return mapping("logSoftmaxLast", f, x, x.shape, [weights])
    },
  }
}
