import * as Grammar from "../../../prob/Grammar.ts"
import type { Forest } from "../../../prob/Tree.ts"
import * as Lane from "../../../wasm/Lane.ts"
import * as SharedColumns from "../../../wasm/SharedColumns.ts"
import type { Target } from "../../../wasm/Target.ts"
import * as Machine from "../../../wasm/Machine.ts"
import { assemble } from "../../../wasm/Module.ts"
import * as Kernel from "./Kernel.ts"
import * as Protection from "../Protection.ts"
import * as Shape from "./Shape.ts"
import * as Window from "./Window.ts"

/**
 * All soft trees of S samples over one data set: a kernel generated for the grammar, with the data in its memory, or a
 * window of rows where threads share the data (`SharedColumns`). Memory beside the data does not depend on the number
 * of rows, unless `columns` or `pullback` is used.
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
  /** [`kernel.momentCount`, 2], the result of `moments`: a sum is that of its two parts */
  readonly sums: Float64Array
  /** [`kernel.coefficientCount`], to be written before `adjoint` and `residuals` */
  readonly coefficients: Float64Array
  /** [2], the result of `residuals`: a sum of squares is that of its two parts */
  readonly squares: Float64Array
  /**
   * 1't, T't, T'y of a sample into `sums`.
   *
   * @param adjointFollows whether the next call is `adjoint` of the same sample: the tapes of the first rows are then
   *   kept for it, as far as they fit
   */
  readonly moments: (sample: number, adjointFollows: boolean) => void
  /** |y - T mu|^2 of a sample into `squares`, from `coefficients`; kept tapes stay */
  readonly residuals: (sample: number) => void
  /**
   * Derivatives of the log evidence of a sample by its weights into its `gradients`, from `coefficients`.
   *
   * @param kept whether the previous call was `moments` of the same sample and kept tapes
   */
  readonly adjoint: (sample: number, kept: boolean) => void
  /** T itself, [S, K, n] into `out` */
  readonly columns: (out: Float32Array) => void
  /** derivatives by the weights into `gradients`, from those by T, [S, K, n] */
  readonly pullback: (adjoint: Float32Array) => void
  /** bytes of memory held */
  readonly bytes: () => number
}

/**
 * The rows of a block, about: the tape of a tree of depth 3 hardly leaves the first-level cache, that of one of depth 5
 * stays in the second.
 */
const usualBlock = 384

/** Blocks of equal lengths: a short last one would cost as many calls as the others. */
const balanced = (rows: number): number => {
  const blocks = Math.max(1, Math.round(rows / usualBlock))
  return 4 * Math.ceil(rows / blocks / 4)
}

/**
 * The bytes of tapes that are kept from `moments` to `adjoint`. While those of a sample fit into the second-level cache
 * they cost next to nothing. Up to about 20 MiB, reading them from memory is faster than evaluating again.
 */
export const defaultKept = 8 * 2 ** 20

/** The bytes of tapes that one call reads. */
const chunkBytes = 2 ** 19

/** The data of a kernel if threads share them; else undefined, and the kernel gets a copy. */
const sharedOf = (
  terminals: ReadonlyArray<Float64Array>,
  y: Float64Array,
): SharedColumns.Shared | undefined => {
  const shared = SharedColumns.find(terminals, y)
  const known = (column: Float64Array, m: number): boolean =>
    shared?.columns[m] !== undefined || column.every((value) => Object.is(value, column[0]))
  return terminals.every(known) ? shared : undefined
}

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
  settings: {
    readonly target: Target
    readonly valueClip: number | undefined
    readonly block?: number
    readonly kept?: number
  },
): SoftForest => {
  const { target, valueClip, block = balanced(y.length), kept = defaultKept } = settings
  const shape = Shape.make(forest, Protection.unitOf(terminals))
  const largest = terminals.map((column) => column.reduce((most, x) => Math.max(most, Math.abs(x)), 0))
  const rows = y.length
  const shared = sharedOf(terminals, y)
  const window = shared && Window.make(shared, terminals, rows, block)
  const bounds = { clip: valueClip, largest, mixed: !Grammar.hasFitted(forest.grammar) }
  const kernel = Kernel.make(shape, Lane.make(target), target, block, bounds, window)
  const { trees, terminals: p } = shape
  const padded = Math.ceil(rows / 4) * 4
  const blocks = Math.ceil(padded / block)
  /** the first blocks, whose tapes are kept */
  const first = Math.min(blocks, Math.floor(kept / kernel.tape))
  const together = Math.max(1, Math.floor(chunkBytes / kernel.tape))
  let end = 0
  const reserve = (bytes: number): number => {
    const start = end
    end = aligned(end + bytes)
    return start
  }
  const count = samples * trees * shape.weights
  const at = {
    /** the mask of the last four rows, and all bits for the other rows */
    mask: reserve(16),
    whole: reserve(16),
    weights: reserve(4 * count),
    gradients: reserve(8 * count),
    sums: reserve(16 * kernel.momentCount),
    coefficients: reserve(8 * kernel.coefficientCount),
    squares: reserve(16),
    workspace: reserve(kernel.workspace.total),
    // One block more, for tapes that are not kept.
    tape: reserve(Math.min(blocks, first + 1) * kernel.tape),
    y: reserve(window === undefined ? 8 * padded : 0),
    x: reserve(window === undefined ? 4 * blocks * block * p : 0),
  }
  const tensor = end
  const { memory, call } = Machine.instantiate(
    assemble({ exports: kernel.exports, memory: { shared: false } }),
    end,
    // Called only by a kernel with a window, after the window was opened.
    { turn: (start) => turn?.(start) },
  )
  const { buffer } = memory
  const copy = () => {
    const x = new Float32Array(buffer, at.x, blocks * block * p)
    for (let i = 0; i < padded; i++) {
      // Lanes behind the last row repeat it, so that they raise no overflow of their own.
      const row = Math.min(i, rows - 1)
      const base = Math.floor(i / block) * block * p + (i % block)
      for (let m = 0; m < p; m++) x[base + m * block] = terminals[m]![row]!
    }
    new Float64Array(buffer, at.y, rows).set(y)
  }
  const turn = window?.open(memory, at.workspace + kernel.workspace.window)
  if (window === undefined) copy()
  const last = rows - (padded - 4)
  new Int32Array(buffer, at.mask, 4).set([0, 1, 2, 3].map((lane) => (lane < last ? -1 : 0)))
  new Int32Array(buffer, at.whole, 4).fill(-1)
  const arrays = () => ({
    weights: new Float32Array(memory.buffer, at.weights, count),
    gradients: new Float64Array(memory.buffer, at.gradients, count),
    sums: new Float64Array(memory.buffer, at.sums, 2 * kernel.momentCount),
    coefficients: new Float64Array(memory.buffer, at.coefficients, kernel.coefficientCount),
    squares: new Float64Array(memory.buffer, at.squares, 2),
  })
  let now = arrays()
  /** Room for a tensor [S, K, n]; growing detaches the arrays, so that they are made again. */
  const room = (): Float32Array => {
    const length = samples * trees * padded
    const missing = tensor + 4 * length - memory.buffer.byteLength
    if (missing > 0) {
      memory.grow(Math.ceil(missing / Machine.pageBytes))
      now = arrays()
    }
    return new Float32Array(memory.buffer, tensor, length)
  }
  /** Calls an export for the rows of a sample from one block to another. */
  const over = (
    name: Kernel.ExportName,
    sample: number,
    from: number,
    to: number,
    ...more: Array<number>
  ): void => {
    if (from === to) return
    call(
      name,
      at.weights + 4 * trees * shape.weights * sample,
      window === undefined ? at.x + 4 * from * block * p : 4 * from * block,
      at.y + 8 * from * block,
      4 * (Math.min(to * block, padded) - from * block),
      to === blocks ? at.mask : at.whole,
      at.workspace,
      ...more,
    )
  }
  const ofSample = trees * shape.weights
  const gradientsOf = (sample: number): number => at.gradients + 8 * ofSample * sample
  /** the address of a tape behind the kept ones */
  const another = at.tape + (first === blocks ? 0 : first) * kernel.tape
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
    moments: (sample, adjointFollows) => {
      now.sums.fill(0)
      const kept = adjointFollows ? first : 0
      over("keep", sample, 0, kept, at.sums, at.tape)
      over("moments", sample, kept, blocks, at.sums)
    },
    residuals: (sample) => {
      now.squares.fill(0)
      over("residuals", sample, 0, blocks, at.squares, at.coefficients)
    },
    adjoint: (sample, kept) => {
      now.gradients.fill(0, sample * ofSample, (sample + 1) * ofSample)
      const own = [gradientsOf(sample), at.coefficients]
      const reached = kept ? first : 0
      // From the last tapes to the first, a few at a time: the last are still in the cache.
      for (let to = reached; to > 0; to -= together) {
        const from = Math.max(0, to - together)
        over("adjoint", sample, from, to, ...own, at.tape + from * kernel.tape, kernel.tape, 0)
      }
      over("adjoint", sample, reached, blocks, ...own, another, 0, 1)
    },
    columns: (out) => {
      const values = room()
      for (let s = 0; s < samples; s++)
        over("columns", s, 0, blocks, tensor + 4 * s * trees * padded, 4 * padded)
      for (let t = 0; t < samples * trees; t++)
        out.set(values.subarray(t * padded, t * padded + rows), t * rows)
    },
    pullback: (adjoint) => {
      const values = room()
      for (let t = 0; t < samples * trees; t++)
        values.set(adjoint.subarray(t * rows, (t + 1) * rows), t * padded)
      now.gradients.fill(0)
      for (let s = 0; s < samples; s++) {
        const element = tensor + 4 * s * trees * padded
        over("pullback", s, 0, blocks, gradientsOf(s), element, 4 * padded, at.tape)
      }
    },
    bytes: () => memory.buffer.byteLength,
  }
}
