import * as tf from "@tensorflow/tfjs-core"
import type { Forest } from "../../../prob/Tree.ts"
import * as Gates from "../simd/Gates.ts"
import * as SoftForest from "../simd/SoftForest.ts"
import type { Target } from "../../../wasm/Target.ts"
import type { SoftDraws } from "./forest.ts"

/** A forest's kernel with its buffers, as the tfjs kernels find it by number. */
interface Bound {
  readonly forest: SoftForest.SoftForest
  readonly gates: Gates.Gates
  /** T or its adjoint, [S, K, n] */
  readonly design: Float32Array
  readonly draws: Gates.Draws
  readonly adjoints: Gates.Draws
  readonly ones: Float64Array
}

const bound = new Map<number, Bound>()
let last = 0

const VALUE = "SoftForest"
const backends = ["tensorflow", "wasm", "cpu"]
const sites = ["split", "operator", "terminal"] as const

/** The forest of a kernel's attributes. */
const find = (attrs: tf.NamedAttrMap | undefined): Bound => {
  const found = bound.get(Number(attrs?.["forest"]))
  if (found === undefined) throw new Error(`${VALUE}: the forest has been disposed of`)
  return found
}

/** Copies the draws, in the order of `sites`, to where the wasm kernel's weights come from. */
const weigh = (own: Bound, draws: ReadonlyArray<ArrayLike<number>>): void => {
  sites.forEach((site, index) => own.draws[site].set(draws[index]!))
  own.gates.weigh(own.draws, own.forest.weights)
}

const shapeOf = ({ forest }: Bound): [number, number, number] => [
  forest.samples,
  forest.shape.trees,
  forest.rows,
]

// Registered once for each backend, whether it is loaded or not: a kernel is looked up when it runs.
for (const backendName of backends) {
  tf.registerKernel({
    kernelName: VALUE,
    backendName,
    kernelFunc: ({ inputs, attrs, backend }) => {
      const own = find(attrs)
      // Kernels are given the backend that they are registered for; all of them read and write.
      const storage = backend as tf.KernelBackend
      // All inputs are float32.
      weigh(
        own,
        sites.map((site) => storage.readSync(inputs[site]!.dataId) as Float32Array),
      )
      own.forest.columns(own.design)
      const shape = shapeOf(own)
      return { dataId: storage.write(own.design.slice(), shape, "float32"), shape, dtype: "float32" }
    },
  })
}

tf.registerGradient({
  kernelName: VALUE,
  inputsToSave: [...sites],
  gradFunc: (dy, saved, attrs) => {
    const own = find(attrs)
    let done = false
    // One pass over the rows gives the gradients by all three inputs. They are kept as numbers: tfjs disposes of tensors
    // that are made while it asks for another input's.
    const pull = (): Bound => {
      if (done) return own
      done = true
      weigh(
        own,
        saved.map((tensor) => tensor.dataSync<"float32">()),
      )
      // The operation has one output, so that its adjoint is one tensor.
      own.forest.pullback((dy as tf.Tensor).dataSync<"float32">())
      for (const site of sites) own.adjoints[site].fill(0)
      own.gates.pull(own.draws, own.forest.gradients, own.ones, own.adjoints)
      return own
    }
    const gradient = (index: 0 | 1 | 2) => (): tf.Tensor =>
      tf.tensor(Float32Array.from(pull().adjoints[sites[index]]), saved[index]!.shape, "float32")
    return { split: gradient(0), operator: gradient(1), terminal: gradient(2) }
  },
})

/**
 * The soft evaluation of a forest as **one** tfjs operation with a gradient, on whichever backend is active: values and
 * adjoints are computed by the wasm SIMD kernel of the simd engine. The same function of draws as `forest.ts`'s
 * `evaluator`, [S, K, n]; unlike there, S is fixed.
 *
 * @param terminals the terminals' columns, each of length n
 * @returns the operation, and what frees the kernel; the operation must not run afterwards
 */
export const evaluator = (
  forest: Forest,
  terminals: ReadonlyArray<Float64Array>,
  samples: number,
  settings: { readonly target: Target; readonly valueClip: number | undefined },
): { readonly evaluate: (draws: SoftDraws) => tf.Tensor3D; readonly dispose: () => void } => {
  const rows = terminals[0]!.length
  // The evidence is not asked for here, so that the kernel needs no y, and keeps nothing for its way back.
  const soft = SoftForest.make(forest, terminals, new Float64Array(rows), samples, { ...settings, kept: 0 })
  const { trees, operators, terminals: p, offsets } = soft.shape
  const elements = samples * trees * offsets.length
  const arrays = (): Gates.Draws => ({
    split: new Float64Array(elements),
    operator: new Float64Array(elements * operators),
    terminal: new Float64Array(elements * p),
  })
  const id = ++last
  bound.set(id, {
    forest: soft,
    gates: Gates.make(soft.shape, samples),
    design: new Float32Array(samples * trees * rows),
    draws: arrays(),
    adjoints: arrays(),
    ones: new Float64Array(samples).fill(1),
  })
  return {
    evaluate: ({ split, operator, terminal }) =>
      tf.engine().runKernel(VALUE, { split, operator, terminal }, { forest: id }) as tf.Tensor3D,
    dispose: () => {
      bound.delete(id)
    },
  }
}
