import type { Lane } from "../../../wasm/Lane.ts"
import type { Target } from "../../../wasm/Target.ts"
import { type Expr, get, i32, load, type Local, local, op } from "../../../wasm/Expr.ts"
import {
  call,
  type Defined,
  procedure,
  repeat,
  set,
  type Statement,
  store,
  when,
} from "../../../wasm/Func.ts"
import * as Blocks from "./Blocks.ts"
import type { Bounds, Places } from "./Places.ts"
import * as Magnitude from "./Magnitude.ts"
import { add, move } from "../../../wasm/Parts.ts"
import { recordColumns } from "./Records.ts"
import type { Shape } from "./Shape.ts"
import * as Trees from "./Trees.ts"
import type { Window } from "./Window.ts"

/** The layout of the kernel's workspace, in bytes from its beginning. */
export interface Workspace {
  /** slots: the forward pass leaves the trees' values in the first K, the backward pass reads their adjoints there */
  readonly slots: number
  /** bounds of the nodes' magnitudes, tree by tree */
  readonly entries: number
  /** sums of the backward pass, tree by tree: zeros before and after a call */
  readonly sums: number
  /** the window over shared data, if there is one */
  readonly window: number
  readonly total: number
}

/** The functions that a kernel's module exports, and the layout of its memory. */
export interface Kernel {
  readonly places: Places
  readonly workspace: Workspace
  readonly block: number
  /** bytes of the tapes of the K trees of a block of rows, one tree after the other */
  readonly tape: number
  /** sums for each sample: 1't_k (K), t_j't_k for j <= k (K (K + 1) / 2), t_k'y (K), each as two float64 to be added */
  readonly momentCount: number
  /**
   * float64 numbers for each sample: mu_n (K + 1), then for each tree the coefficients in d log p / dt_k of the
   * residuals, of 1, and of minus each column (1 + 1 + K)
   */
  readonly coefficientCount: number
  /**
   * Functions of one sample over some blocks of rows. All begin with (weights, x, y, bytes, mask, workspace): x and y
   * are the addresses of the first block's data, bytes is four times the number of rows, and mask tells which of the
   * last four rows count. With a window x is four times the number of the first row, and y is not used.
   *
   * - moments(..., sums): adds to the sums;
   * - keep(..., sums, tape): adds to the sums, and writes the tape of every block, one after the other;
   * - residuals(..., sums, coefficients): adds |y - T mu|^2, as two float64;
   * - adjoint(..., gradients, coefficients, tape, step, anew): adds to the derivatives of the log evidence by the
   *   weights, with the tape of a block `step` bytes behind that of the previous block, written first if `anew` is not
   *   0;
   * - columns(..., tensor, stride): writes T, columns `stride` bytes from each other;
   * - pullback(..., gradients, tensor, stride, tape): adds to the derivatives by the weights, from those by T.
   */
  readonly exports: Readonly<Record<ExportName, Defined<undefined>>>
}

export type ExportName = "moments" | "keep" | "residuals" | "adjoint" | "columns" | "pullback"

/** @param window the window into which rows are fetched, if the data are shared */
export const make = (
  shape: Shape,
  lane: Lane,
  target: Target,
  block: number,
  bounds: Bounds,
  window?: Window,
): Kernel => {
  const { trees: K, terminals: p, depth, levels } = shape
  const column = 4 * block
  const records = levels.map((level) => recordColumns(shape, level, bounds.clip !== undefined) * column)
  const places: Places = { column, terminal: window?.apart ?? column, slot: shape.width * column, records }
  const tapeOfTree = Trees.tapeOfTree(shape, places)
  const slots = (K + depth + 1) * places.slot
  const entriesOfTree = shape.offsets.length * Magnitude.entryBytes(shape, bounds)
  const tree = Trees.make(shape, lane, places, bounds)
  const sumsAt = slots + K * entriesOfTree
  const windowAt = Math.ceil((sumsAt + K * tree.sumsBytes) / 64) * 64
  const total = windowAt + (window?.total ?? 0)
  const workspace: Workspace = { slots: 0, entries: slots, sums: sumsAt, window: windowAt, total }

  const weights = local("i32", "weights")
  const x = local("i32", "x")
  const y = local("i32", "y")
  const bytes = local("i32", "bytes")
  const mask = local("i32", "mask")
  const space = local("i32", "workspace")
  const common = [weights, x, y, bytes, mask, space]
  const length = local("i32", "length")
  /** addresses of the rows and of the targets of a block */
  const rows = window === undefined ? x : local("i32", "rows")
  const observed = window === undefined ? y : local("i32", "observed")
  const tape = local("i32", "tape")
  const sums = local("i32", "sums")
  const gradients = local("i32", "gradients")
  const coefficients = local("i32", "coefficients")

  const perTree = (body: (k: number) => Statement): ReadonlyArray<Statement> =>
    Array.from({ length: K }, (_, k) => body(k))
  const rowsEnd = add(get(rows), get(length))
  const weightsOf = (k: number): Expr<"i32"> => add(get(weights), 4 * k * shape.weights)
  const entriesOf = (k: number): Expr<"i32"> => add(get(space), workspace.entries + k * entriesOfTree)
  const slotOf = (k: number): Expr<"i32"> => add(get(space), k * places.slot)
  const gradientsOf = (k: number): Expr<"i32"> => add(get(gradients), 8 * k * shape.weights)
  const sumsOf = (k: number): Expr<"i32"> => add(get(space), workspace.sums + k * tree.sumsBytes)
  const tapeOf = (k: number): Expr<"i32"> => add(get(tape), k * tapeOfTree)
  const lastBlock = op("i32.le_u", get(bytes), i32(column))

  /** Zeroes the lanes behind the last row, of the K columns that start at `base`. */
  const trim = (base: (k: number) => Expr<"i32">): Statement =>
    when(
      lastBlock,
      perTree((k) => {
        const last = add(base(k), op("i32.sub", get(length), i32(16)))
        return store(
          "v128.store",
          last,
          op("v128.and", load("v128.load", last), load("v128.load", get(mask))),
        )
      }),
    )

  /** Runs statements for every block of rows. */
  const sweep = (
    body: ReadonlyArray<Statement>,
    ...moving: ReadonlyArray<readonly [Local<"i32">, number | Expr<"i32">]>
  ): Statement =>
    repeat(
      [
        set(length, get(bytes)),
        when(op("i32.gt_u", get(bytes), i32(column)), [set(length, i32(column))]),
        ...(window?.show(add(get(space), workspace.window), get(x), rows, observed) ?? []),
        ...body,
        ...(window === undefined ? [move(x, p * column), move(y, 8 * block)] : [move(x, column)]),
        ...moving.map(([variable, step]) => move(variable, step)),
        set(bytes, op("i32.sub", get(bytes), get(length))),
      ],
      get(bytes),
    )
  const bound = perTree((k) => call(tree.magnitudes, weightsOf(k), entriesOf(k)))
  const evaluate = [
    ...perTree((k) => call(tree.forward, weightsOf(k), entriesOf(k), get(rows), rowsEnd, slotOf(k))),
    trim(slotOf),
  ]
  const record = perTree((k) => call(tree.record, weightsOf(k), entriesOf(k), get(rows), rowsEnd, tapeOf(k)))
  // The last tree first: its backward pass uses the slots behind its own.
  const back = perTree((k) =>
    call(
      tree.backward,
      weightsOf(k),
      entriesOf(k),
      get(rows),
      rowsEnd,
      tapeOf(k),
      slotOf(k),
      gradientsOf(k),
      sumsOf(k),
    ),
  ).toReversed()
  const settle = perTree((k) => call(tree.settle, weightsOf(k), entriesOf(k), sumsOf(k), gradientsOf(k)))

  const fromSlots = { stride: places.slot, offset: 0 }
  const fromTape = { stride: tapeOfTree, offset: tree.rootOffset }
  const momentsOfSlots = Blocks.moments(K, target, fromSlots)
  const momentsOfTape = Blocks.moments(K, target, fromTape)
  const moments = procedure(
    "moments",
    [...common, sums],
    [...bound, sweep([...evaluate, call(momentsOfSlots, get(space), get(observed), get(length), get(sums))])],
  )
  const keep = procedure(
    "keep",
    [...common, sums, tape],
    [
      ...bound,
      sweep(
        [
          ...record,
          trim((k) => add(tapeOf(k), tree.rootOffset)),
          call(momentsOfTape, get(tape), get(observed), get(length), get(sums)),
        ],
        [tape, K * tapeOfTree],
      ),
    ],
  )

  const squares = Blocks.residuals(K, target, fromSlots)
  const residuals = procedure(
    "residuals",
    [...common, sums, coefficients],
    [
      ...bound,
      sweep([
        ...evaluate,
        call(
          squares,
          get(space),
          get(observed),
          get(length),
          get(coefficients),
          get(sums),
          lastBlock,
          get(mask),
        ),
      ]),
    ],
  )

  const step = local("i32", "step")
  const anew = local("i32", "anew")
  const slopes = Blocks.slopes(K, target, fromTape, places.slot)
  const adjoint = procedure(
    "adjoint",
    [...common, gradients, coefficients, tape, step, anew],
    [
      when(get(anew), bound),
      sweep(
        [
          when(get(anew), record),
          call(slopes, get(tape), get(space), get(observed), get(length), get(coefficients)),
          trim(slotOf),
          ...back,
        ],
        [tape, get(step)],
      ),
      ...settle,
    ],
  )

  // Columns and their adjoints of a sample as tensors [K, n] with n rounded up to whole quads.
  const tensor = local("i32", "tensor")
  const stride = local("i32", "stride")
  const each = (k: number): Expr<"i32"> => add(get(tensor), k === 0 ? 0 : op("i32.mul", get(stride), i32(k)))
  const copy = Blocks.copy()
  const columns = procedure(
    "columns",
    [...common, tensor, stride],
    [
      ...bound,
      sweep(
        [...evaluate, ...perTree((k) => call(copy, slotOf(k), each(k), get(length)))],
        [tensor, get(length)],
      ),
    ],
  )
  const pullback = procedure(
    "pullback",
    [...common, gradients, tensor, stride, tape],
    [
      ...bound,
      sweep(
        [...record, ...perTree((k) => call(copy, each(k), slotOf(k), get(length))), trim(slotOf), ...back],
        [tensor, get(length)],
      ),
      ...settle,
    ],
  )
  return {
    places,
    workspace,
    block,
    tape: K * tapeOfTree,
    momentCount: 2 * K + (K * (K + 1)) / 2,
    coefficientCount: K + 1 + K * (K + 2),
    exports: { moments, keep, residuals, adjoint, columns, pullback },
  }
}
