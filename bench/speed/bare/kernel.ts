import { readFileSync } from "node:fs"
import { constant, type Hyper } from "../../../src/evidence/conjugate.ts"
import { machine } from "../../../src/wasm/Machine.ts"
import type { Dataset } from "../../../src/data/Data.ts"

/** Trees, inner nodes, leaves, and weights of a tree: what kernel.c fixes. */
export const trees = 3
export const inner = 7
export const leaves = 8
export const weightsOfTree = 5 * inner + 2 * leaves

/**
 * Float32 operations of one step with clip on one row of one sample, as counted in kernel.c: sums and products, a
 * fused pair as two. Of each tree 43 and 38 forward at the 4 nodes above leaves and the 3 others, 22 and 26 backward;
 * 12 for each adjoint of T. The float64 sums of the evidence, some 31, are not counted.
 */
export const operations = trees * (4 * 43 + 3 * 38 + 4 * 22 + 3 * 26 + 12)

/**
 * Which of the built kernels: inner values squashed to 200 tanh(v / 200) as in the paper, or as they are; products and
 * sums fused by relaxed SIMD, or not.
 */
export interface Variant {
  readonly clip: boolean
  readonly relaxed: boolean
}

/** The functions of kernel.c. Addresses are byte offsets into the memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly layout: (rows: number, samples: number) => number
  readonly bind: (sigma0: number, a0: number, b0: number, constant: number) => void
  readonly features: () => number
  readonly target: () => number
  readonly weights: () => number
  readonly gradients: () => number
  readonly evidence: () => number
  readonly step: () => void
}

/** A kernel with its data in place. */
export interface Kernel {
  /** [S, 3, 51]: of the 7 inner nodes w_x0, w_x1, w_mul, w_sin, w_cos, then of the 8 leaves w_x0, w_x1 */
  readonly weights: Float32Array
  /** d evidence / d weights, [S, 3, 51] */
  readonly gradients: Float64Array
  /** log p(y | T) of each sample, [S] */
  readonly evidence: Float64Array
  /** Computes `evidence` and `gradients` from `weights`. */
  readonly step: () => void
}

const bytesOf = ({ clip, relaxed }: Variant): Uint8Array<ArrayBuffer> => {
  const file = `kernel${relaxed ? "-relaxed" : ""}${clip ? "" : "-unclipped"}.wasm`
  return Uint8Array.from(readFileSync(new URL(file, import.meta.url)))
}

/** Whether this machine has the instructions of a variant. */
export const runs = (variant: Variant): boolean => machine()?.validate(bytesOf(variant)) ?? false

/**
 * The bare kernel on a data set of two features whose number of rows is a multiple of 4.
 *
 * @param hyper its prior variances have to be equal, and its prior means zero
 * @throws Error if the data do not fit, or the memory cannot grow to them
 */
export const load = (variant: Variant, data: Dataset, samples: number, hyper: Hyper): Kernel => {
  const sigma0 = hyper.sigma0[0]!
  if (data.columns.length !== 2 || data.rows % 4 !== 0)
    throw new Error("the bare kernel takes two features, and rows in multiples of 4")
  if (hyper.sigma0.some((variance) => variance !== sigma0) || hyper.mu0.some((mean) => mean !== 0))
    throw new Error("the bare kernel takes one prior variance, and prior means of zero")
  const found = machine()
  if (found === undefined) throw new Error("this machine has no WebAssembly")
  const { exports } = new found.Instance(new found.Module(bytesOf(variant)), { env: { log: Math.log } })
  // The file beside this one, built from kernel.c: its exports are those.
  const kernel = exports as unknown as Exports
  if (kernel.layout(data.rows, samples) === 0) throw new Error("the memory of the bare kernel cannot grow")
  const { buffer } = kernel.memory
  const features = new Float32Array(buffer, kernel.features(), 2 * data.rows)
  // Four rows of the one feature, then of the other.
  data.columns.forEach((column, j) =>
    column.forEach((x, i) => (features[8 * Math.floor(i / 4) + 4 * j + (i % 4)] = x)),
  )
  new Float64Array(buffer, kernel.target(), data.rows).set(data.y)
  kernel.bind(sigma0, hyper.a0, hyper.b0, constant(hyper, data.rows))
  const length = samples * trees * weightsOfTree
  return {
    weights: new Float32Array(buffer, kernel.weights(), length),
    gradients: new Float64Array(buffer, kernel.gradients(), length),
    evidence: new Float64Array(buffer, kernel.evidence(), samples),
    step: kernel.step,
  }
}
