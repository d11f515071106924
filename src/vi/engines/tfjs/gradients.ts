/**
 * The gradients of the operations that plans use, for tfjs-core.
 *
 * The Node build of tfjs-core has none: they come with the umbrella package, 230 MB with layers, converters and a WebGL
 * backend. The formulas are those of tfjs and give the same numbers. Those of `minimum` and `maximum` also reduce over
 * broadcast axes, which tfjs omits. All operands are float32.
 */
import * as tf from "@tensorflow/tfjs-core"

/** The sum over the axes along which an operand of this shape was broadcast. */
const reduced = (gradient: tf.Tensor, shape: Array<number>): tf.Tensor => {
  const axes = tf.broadcast_util.getReductionAxes(shape, gradient.shape)
  return tf.reshape(axes.length === 0 ? gradient : tf.sum(gradient, axes), shape)
}

/** The adjoint of an operation with one output; only `SplitV` has several. */
const single = (dy: tf.Tensor | Array<tf.Tensor>): tf.Tensor => {
  if (Array.isArray(dy)) throw new Error(`the gradient of one output was given ${dy.length} adjoints`)
  return dy
}

type Pull = (dy: tf.Tensor, saved: tf.Tensor) => tf.Tensor

/** An operation whose gradient follows from its input. */
const byInput = (kernelName: string, pull: Pull, input = "x"): tf.GradConfig => ({
  kernelName,
  inputsToSave: [input],
  gradFunc: (dy, [x]) => ({ [input]: () => pull(single(dy), x!) }),
})

/** An operation whose gradient follows from its output. */
const byOutput = (kernelName: string, pull: Pull): tf.GradConfig => ({
  kernelName,
  outputsToSave: [true],
  gradFunc: (dy, [y]) => ({ x: () => pull(single(dy), y!) }),
})

type PullTwo = (dy: tf.Tensor, a: tf.Tensor, b: tf.Tensor) => tf.Tensor

/** An operation of two operands with broadcasting. */
const binary = (kernelName: string, left: PullTwo, right: PullTwo): tf.GradConfig => ({
  kernelName,
  inputsToSave: ["a", "b"],
  gradFunc: (dy, [a, b]) => ({
    a: () => reduced(left(single(dy), a!, b!), a!.shape),
    b: () => reduced(right(single(dy), a!, b!), b!.shape),
  }),
})

const where = (condition: tf.Tensor, dy: tf.Tensor): tf.Tensor => tf.mul(dy, tf.cast(condition, "float32"))

/** sqrt(1 - x^2) */
const cosine = (x: tf.Tensor): tf.Tensor => tf.sqrt(tf.sub(1, tf.square(x)))

const elementwise: ReadonlyArray<tf.GradConfig> = [
  byInput(tf.Identity, (dy) => tf.clone(dy)),
  byInput(tf.Cast, (dy) => tf.clone(dy)),
  byInput(tf.ZerosLike, (_, x) => tf.zerosLike(x)),
  byInput(tf.Neg, (dy) => tf.neg(dy)),
  byInput(tf.Square, (dy, x) => tf.mul(dy, tf.mul(x, 2))),
  byInput(tf.Sqrt, (dy, x) => tf.div(dy, tf.mul(tf.sqrt(x), 2))),
  byInput(tf.Abs, (dy, x) => tf.mul(dy, tf.step(x, -1))),
  byInput(tf.Sign, (dy) => tf.zerosLike(dy)),
  byOutput(tf.Exp, (dy, y) => tf.mul(dy, y)),
  byInput(tf.Log, (dy, x) => tf.div(dy, x)),
  byInput(tf.Sin, (dy, x) => tf.mul(tf.cos(x), dy)),
  byInput(tf.Cos, (dy, x) => tf.mul(tf.neg(tf.sin(x)), dy)),
  byInput(tf.Tan, (dy, x) => tf.div(dy, tf.square(tf.cos(x)))),
  byOutput(tf.Tanh, (dy, y) => tf.mul(tf.sub(1, tf.square(y)), dy)),
  byInput(tf.Asin, (dy, x) => tf.div(dy, cosine(x))),
  byInput(tf.Acos, (dy, x) => tf.neg(tf.div(dy, cosine(x)))),
  byInput(tf.Atan, (dy, x) => tf.div(dy, tf.add(tf.square(x), 1))),
  byInput(tf.Softplus, (dy, x) => tf.mul(dy, tf.sigmoid(x))),
  byOutput(tf.Sigmoid, (dy, y) => tf.mul(dy, tf.mul(y, tf.sub(1, y)))),
  {
    kernelName: tf.ClipByValue,
    inputsToSave: ["x"],
    gradFunc: (dy, [x], attrs) => {
      const low = Number(attrs["clipValueMin"])
      const high = Number(attrs["clipValueMax"])
      const inside = () => tf.logicalAnd(tf.greaterEqual(x!, low), tf.lessEqual(x!, high))
      return { x: () => tf.where(inside(), single(dy), tf.zerosLike(single(dy))) }
    },
  },
  binary(
    tf.Add,
    (dy) => dy,
    (dy) => dy,
  ),
  binary(
    tf.Sub,
    (dy) => dy,
    (dy) => tf.neg(dy),
  ),
  binary(
    tf.Multiply,
    (dy, _, b) => tf.mul(dy, b),
    (dy, a) => tf.mul(dy, a),
  ),
  binary(
    tf.RealDiv,
    (dy, _, b) => tf.div(dy, b),
    (dy, a, b) => tf.neg(tf.div(tf.mul(dy, a), tf.square(b))),
  ),
  binary(
    tf.Pow,
    (dy, a, b) => tf.mul(dy, tf.mul(b, tf.pow(a, tf.sub(b, 1)))),
    (dy, a, b) => tf.mul(dy, tf.mul(tf.pow(a, b), tf.where(tf.greater(a, 0), tf.log(a), tf.zerosLike(a)))),
  ),
  binary(
    tf.Minimum,
    (dy, a, b) => where(tf.lessEqual(a, b), dy),
    (dy, a, b) => where(tf.greater(a, b), dy),
  ),
  binary(
    tf.Maximum,
    (dy, a, b) => where(tf.greaterEqual(a, b), dy),
    (dy, a, b) => where(tf.less(a, b), dy),
  ),
  // Comparisons are constant almost everywhere.
  binary(
    tf.GreaterEqual,
    (_, a) => tf.zerosLike(a),
    (_, __, b) => tf.zerosLike(b),
  ),
  {
    kernelName: tf.Select,
    inputsToSave: ["condition"],
    gradFunc: (dy, [condition]) => ({
      condition: () => tf.zeros(condition!.shape),
      t: () => where(condition!, single(dy)),
      e: () => where(tf.logicalNot(condition!), single(dy)),
    }),
  },
]

/** The axes of a reduction, counted from 0, as tfjs gives them to kernels. */
const axesOf = (attrs: tf.NamedAttrMap, name: string, shape: Array<number>): Array<number> =>
  // The attribute of a reduction is an axis or a list of them.
  tf.util.parseAxisParam(attrs[name] as number | Array<number>, shape)

/** The adjoint of a sum over axes, [reduced shape] to [shape]. */
const broadcastBack = (dy: tf.Tensor, shape: Array<number>, axes: ReadonlyArray<number>): tf.Tensor => {
  const kept = shape.map((length, axis) => (axes.includes(axis) ? 1 : length))
  return tf.mul(tf.reshape(dy, kept), tf.ones(shape, "float32"))
}

const shapes: ReadonlyArray<tf.GradConfig> = [
  byInput(tf.Reshape, (dy, x) => tf.reshape(dy, x.shape)),
  byInput(tf.ExpandDims, (dy, x) => tf.reshape(dy, x.shape), "input"),
  {
    kernelName: tf.Sum,
    inputsToSave: ["x"],
    gradFunc: (dy, [x], attrs) => ({
      x: () => broadcastBack(single(dy), x!.shape, axesOf(attrs, "axis", x!.shape)),
    }),
  },
  {
    kernelName: tf.Mean,
    inputsToSave: ["x"],
    gradFunc: (dy, [x], attrs) => {
      const axes = axesOf(attrs, "axis", x!.shape)
      const count = axes.reduce((product, axis) => product * (x!.shape[axis] ?? 1), 1)
      return { x: () => tf.div(broadcastBack(single(dy), x!.shape, axes), count) }
    },
  },
  {
    kernelName: tf.Softmax,
    outputsToSave: [true],
    gradFunc: (dy, [y], attrs) => ({
      logits: () => {
        const weighted = tf.mul(single(dy), y!)
        return tf.sub(weighted, tf.mul(tf.sum(weighted, Number(attrs["dim"]), true), y!))
      },
    }),
  },
  {
    kernelName: tf.LogSoftmax,
    outputsToSave: [true],
    gradFunc: (dy, [y], attrs) => ({
      logits: () => tf.sub(single(dy), tf.mul(tf.sum(single(dy), Number(attrs["axis"]), true), tf.exp(y!))),
    }),
  },
  {
    kernelName: tf.Slice,
    inputsToSave: ["x"],
    gradFunc: (dy, [x], attrs) => {
      // The attributes of a slice are an offset and a length for each axis, or for the first axes.
      const wanted = [attrs["begin"], attrs["size"]] as [Array<number>, Array<number>]
      const [begin = [], size = []] = tf.slice_util.parseSliceParams(x!, ...wanted)
      const around = x!.shape.map((length, axis): [number, number] => {
        const before = begin[axis] ?? 0
        return [before, length - before - (size[axis] ?? 0)]
      })
      return { x: () => tf.pad(single(dy), around) }
    },
  },
  {
    kernelName: tf.SplitV,
    gradFunc: (dy, _, attrs) => {
      const parts = Array.isArray(dy) ? dy : [dy]
      return { x: () => (parts.length === 1 ? tf.clone(parts[0]!) : tf.concat(parts, Number(attrs["axis"]))) }
    },
  },
  {
    kernelName: tf.BatchMatMul,
    inputsToSave: ["a", "b"],
    gradFunc: (dy, [a, b], attrs) => {
      const [ta, tb] = [Boolean(attrs["transposeA"]), Boolean(attrs["transposeB"])]
      const c = single(dy)
      return {
        a: () => (ta ? tf.matMul(b!, c, tb, true) : tf.matMul(c, b!, false, !tb)),
        b: () => (tb ? tf.matMul(c, a!, true, ta) : tf.matMul(a!, c, !ta, false)),
      }
    },
  },
]

/**
 * Registers the gradients. A gradient that is registered already (by the umbrella package, which native TensorFlow
 * loads) stays: a second call changes nothing.
 */
export const registerGradients = (): void => {
  for (const gradient of [...elementwise, ...shapes])
    if (tf.getGradient(gradient.kernelName) === undefined) tf.registerGradient(gradient)
}
