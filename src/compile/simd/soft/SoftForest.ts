import type { Forest } from "../../../declare/Tree.ts"
import * as Lane from "../Lane.ts"
import type { Target } from "../Target.ts"
import * as Machine from "../wasm/Machine.ts"
import { assemble } from "../wasm/Module.ts"
import * as Kernel from "./Kernel.ts"
import * as Shape from "./Shape.ts"

/**
 * All soft trees of S samples over one data set: a kernel generated for the grammar, with the data in its memory.
 * What is not data takes memory that does not depend on the number of rows, as long as only `moments`, `residuals`
 * and `adjoint` are used.
 */
export interface SoftForest {
  readonly shape: Shape.Shape
  readonly kernel: Kernel.Kernel
  readonly samples: number
  readonly rows: number
  /** [S, K, `shape.weights`], to be written before a call; see `Shape.offsets` for the order */
  readonly weights: Float32Array
  /** [S, K, `shape.weights`], the result of `adjoint` and `pullback` */
  readonly gradients: Float64Array
  /** [S, `kernel.momentCount`, 2], the result of `moments`: a sum is that of its two parts */
  readonly sums: Float64Array
  /** [S, `kernel.coefficientCount`], to be written before `adjoint` and `residuals` */
  readonly coefficients: Float64Array
  /** [S, 2], the result of `residuals`: a sum of squares is that of its two parts */
  readonly squares: Float64Array
  /** 1't, T't, T'y of each sample into `sums` */
  readonly moments: () => void
  /** |y - T mu|^2 of each sample into `squares` */
  readonly residuals: () => void
  /** derivatives of the log evidence by the weights into `gradients`, from `coefficients` */
  readonly adjoint: () => void
  /** T itself, [S, K, n] into `out` */
  readonly columns: (out: Float32Array) => void
  /** derivatives by the weights into `gradients`, from those by T, [S, K, n] */
  readonly pullback: (adjoint: Float32Array) => void
  /** bytes of memory held */
  readonly bytes: () => number
}

/** The rows of a block: 128 keep the tape of a tree of depth 3 in the first-level cache. */
export const defaultBlock = 128

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64

/**
 * @param terminals one column for each terminal of the grammar, each of length n
 * @param y length n
 */
export const make = (
  forest: Forest,
  terminals: ReadonlyArray<Float64Array>,
  y: Float64Array,
  samples: number,
  settings: { readonly target: Target; readonly valueClip: number | undefined; readonly block?: number },
): SoftForest => {
  const { target, valueClip, block = defaultBlock } = settings
  const shape = Shape.make(forest)
  const largest = terminals.reduce(
    (most, column) => column.reduce((m, x) => Math.max(m, Math.abs(x)), most),
    0,
  )
  const kernel = Kernel.make(shape, Lane.make(target), block, { clip: valueClip, largest })
  const rows = y.length
  const { trees, terminals: p } = shape
  const padded = Math.ceil(rows / 4) * 4
  const blocks = Math.ceil(padded / block)
  let end = 0
  const reserve = (bytes: number): number => {
    const start = end
    end = aligned(end + bytes)
    return start
  }
  const count = samples * trees * shape.weights
  const at = {
    mask: reserve(16),
    weights: reserve(4 * count),
    gradients: reserve(8 * count),
    sums: reserve(16 * samples * kernel.momentCount),
    coefficients: reserve(8 * samples * kernel.coefficientCount),
    squares: reserve(16 * samples),
    scratch: reserve(kernel.scratch.total),
    y: reserve(8 * padded),
    x: reserve(4 * blocks * block * p),
  }
  const tensor = end
  const { memory, call } = Machine.instantiate(
    assemble({ exports: kernel.exports, memory: { shared: false } }),
    end,
  )
  const view = () => {
    const { buffer } = memory
    const x = new Float32Array(buffer, at.x, blocks * block * p)
    for (let i = 0; i < padded; i++) {
      // Lanes behind the last row repeat it, so that they do nothing that it does not.
      const row = Math.min(i, rows - 1)
      const base = Math.floor(i / block) * block * p + (i % block)
      for (let m = 0; m < p; m++) x[base + m * block] = terminals[m]![row]!
    }
    new Float64Array(buffer, at.y, rows).set(y)
    const last = rows - (padded - 4)
    new Int32Array(buffer, at.mask, 4).set([0, 1, 2, 3].map((lane) => (lane < last ? -1 : 0)))
  }
  view()
  const arrays = () => ({
    weights: new Float32Array(memory.buffer, at.weights, count),
    gradients: new Float64Array(memory.buffer, at.gradients, count),
    sums: new Float64Array(memory.buffer, at.sums, 2 * samples * kernel.momentCount),
    coefficients: new Float64Array(memory.buffer, at.coefficients, samples * kernel.coefficientCount),
    squares: new Float64Array(memory.buffer, at.squares, 2 * samples),
  })
  let now = arrays()
  /** Room for a tensor [S, K, n]; growing detaches the arrays, so that they are made anew. */
  const room = (): Float32Array => {
    const length = samples * trees * padded
    const missing = tensor + 4 * length - memory.buffer.byteLength
    if (missing > 0) {
      memory.grow(Math.ceil(missing / Machine.pageBytes))
      now = arrays()
    }
    return new Float32Array(memory.buffer, tensor, length)
  }
  const common = [at.weights, samples, at.x, at.y, 4 * padded, at.mask, at.scratch]
  return {
    shape,
    kernel,
    samples,
    rows,
    get weights() {
      return now.weights
    },
    get gradients() {
      return now.gradients
    },
    get sums() {
      return now.sums
    },
    get coefficients() {
      return now.coefficients
    },
    get squares() {
      return now.squares
    },
    moments: () => {
      now.sums.fill(0)
      call("moments", ...common, at.sums)
    },
    residuals: () => {
      now.squares.fill(0)
      call("residuals", ...common, at.coefficients, at.squares)
    },
    adjoint: () => {
      now.gradients.fill(0)
      call("adjoint", ...common, at.coefficients, at.gradients)
    },
    columns: (out) => {
      const values = room()
      call("columns", ...common, tensor, 4 * padded)
      for (let t = 0; t < samples * trees; t++)
        out.set(values.subarray(t * padded, t * padded + rows), t * rows)
    },
    pullback: (adjoint) => {
      const values = room()
      for (let t = 0; t < samples * trees; t++)
        values.set(adjoint.subarray(t * rows, (t + 1) * rows), t * padded)
      now.gradients.fill(0)
      call("pullback", ...common, tensor, 4 * padded, at.gradients)
    },
    bytes: () => memory.buffer.byteLength,
  }
}
