import type { Lane } from "../Lane.ts"
import { type Expr, get, i32, load, type Local, local, op } from "../wasm/Expr.ts"
import { call, type Defined, procedure, repeat, set, type Statement, store, when } from "../wasm/Func.ts"
import * as Blocks from "./Blocks.ts"
import * as Leaf from "./Leaf.ts"
import { add, move } from "./Parts.ts"
import { type Bounds, firstWeight, functions, type Places, recordColumns } from "./Levels.ts"
import type { Shape } from "./Shape.ts"

/** Where the kernel has its scratch, in bytes from its beginning. */
export interface Scratch {
  /** slots on the way forth; the trees' values end up in the first K */
  readonly slots: number
  /** the tapes of the K trees, one after the other */
  readonly tape: number
  readonly tapeOfTree: number
  /** slots on the way back; the trees' adjoints come in the first K */
  readonly adjoints: number
  readonly total: number
}

/** The functions of a kernel: what its module exports, and where it expects things. */
export interface Kernel {
  readonly places: Places
  readonly scratch: Scratch
  /** the rows of a block */
  readonly block: number
  /** sums for each sample: 1't_k (K), t_j't_k for j <= k (K (K + 1) / 2), t_k'y (K), each as two float64 to be added */
  readonly momentCount: number
  /**
   * float64 numbers for each sample: mu_n (K + 1), then for each tree a_n / b_n mu_k, and row k of A^-1 (K + 1)
   */
  readonly coefficientCount: number
  readonly exports: Readonly<Record<ExportName, Defined<undefined>>>
}

export type ExportName = "moments" | "adjoint" | "columns" | "pullback" | "residuals"

export const make = (shape: Shape, lane: Lane, block: number, bounds: Bounds): Kernel => {
  const { trees: K, terminals: p, depth, levels } = shape
  const column = 4 * block
  const records = levels.map((level) => recordColumns(shape, level) * column)
  // A tree that is a single leaf has its value alone on the tape.
  const places: Places = { column, slot: shape.width * column, records }
  const sides = shape.right ? 2 : 1
  const tapeOfTree = records.reduce((sum, length, d) => sum + sides ** d * length, 0) || column
  const slotCount = K + depth + 1
  const scratch: Scratch = {
    slots: 0,
    tape: slotCount * places.slot,
    tapeOfTree,
    adjoints: slotCount * places.slot + K * tapeOfTree,
    total: 2 * slotCount * places.slot + K * tapeOfTree,
  }
  const perLevel = functions(shape, lane, places, bounds)
  const leaf = Leaf.functions(shape, lane, column)

  const weights = local("i32", "weights")
  const rows = local("i32", "rows")
  const end = local("i32", "rows end")
  const at = local("i32", "at")
  const slot = local("i32", "slot")
  const gradients = local("i32", "gradients")

  /** Calls the levels' functions for every node of a tree that is read, children before parents. */
  const postOrder = (
    visit: (node: number, d: number, right: number) => Statement,
  ): ReadonlyArray<Statement> => {
    const walk = (node: number, d: number, right: number): ReadonlyArray<Statement> =>
      d >= depth
        ? []
        : [
            ...walk(2 * node + 1, d + 1, right),
            ...(shape.right ? walk(2 * node + 2, d + 1, right + 1) : []),
            visit(node, d, right),
          ]
    return walk(0, 0, 0)
  }
  const weightOf = (node: number, d: number): number => shape.offsets[node]! - firstWeight(shape, levels[d]!)

  const forwardTree = procedure(
    "forward tree",
    [weights, rows, end, slot],
    depth === 0
      ? [call(leaf.forward, get(weights), get(rows), get(end), get(slot))]
      : postOrder((node, d, right) =>
          call(
            perLevel[d]!.forward,
            add(get(weights), 4 * weightOf(node, d)),
            get(rows),
            get(end),
            add(get(slot), right * places.slot),
          ),
        ),
  )

  /** The length of the records of a subtree. */
  const subtree = (d: number): number =>
    records.slice(d).reduce((sum, length, below) => sum + sides ** below * length, 0)
  /** A node's functions are given where the records of its subtree begin. */
  const recordTree = procedure(
    "record tree",
    [weights, rows, end, at],
    depth === 0
      ? [call(leaf.forward, get(weights), get(rows), get(end), get(at))]
      : recordOrder(shape, subtree).map(({ node, d, offset }) =>
          call(
            perLevel[d]!.record,
            add(get(weights), 4 * weightOf(node, d)),
            get(rows),
            get(end),
            add(get(at), offset),
          ),
        ),
  )
  const backwardTree = procedure(
    "backward tree",
    [weights, rows, end, at, slot, gradients],
    depth === 0
      ? [call(leaf.backward, get(rows), get(end), get(slot), get(gradients))]
      : backOrder(shape, subtree).map(({ node, d, offset, slots }) =>
          call(
            perLevel[d]!.backward,
            add(get(weights), 4 * weightOf(node, d)),
            get(rows),
            get(end),
            add(get(at), offset),
            add(get(slot), slots * places.slot),
            add(get(gradients), 8 * weightOf(node, d)),
          ),
        ),
  )
  const rootOffset = depth === 0 ? 0 : tapeOfTree - records[0]!

  const x = local("i32", "x")
  const y = local("i32", "y")
  const bytes = local("i32", "bytes")
  const space = local("i32", "scratch")
  const mask = local("i32", "mask")
  const samples = local("i32", "samples")
  const sample = local("i32", "sample")
  const out = local("i32", "out")
  const length = local("i32", "length")

  /** Zeroes the lanes behind the last row, of the K columns that start at `base`. */
  const trim = (base: (k: number) => Expr<"i32">): Statement =>
    when(
      op("i32.le_u", get(bytes), i32(column)),
      Array.from({ length: K }, (_, k) => {
        const last = add(base(k), op("i32.sub", get(length), i32(16)))
        return store(
          "v128.store",
          last,
          op("v128.and", load("v128.load", last), load("v128.load", get(mask))),
        )
      }),
    )
  const perTree = (body: (k: number) => ReadonlyArray<Statement>): ReadonlyArray<Statement> =>
    Array.from({ length: K }, (_, k) => body(k)).flat()
  const rowsEnd = add(get(x), get(length))
  const weightsOf = (k: number): Expr<"i32"> => add(get(weights), 4 * k * shape.weights)

  /**
   * Goes over blocks of rows and, in each, over samples: what `body` does, after `weights` and every other pointer has
   * been set to the sample's.
   */
  const sweep = (
    start: ReadonlyArray<readonly [Local<"i32">, Local<"i32">, number | Expr<"i32">]>,
    body: ReadonlyArray<Statement>,
    perBlock: ReadonlyArray<Statement> = [],
  ): ReadonlyArray<Statement> => {
    const first = local("i32", "first weights")
    return [
      set(first, get(weights)),
      repeat(
        [
          set(length, get(bytes)),
          when(op("i32.gt_u", get(bytes), i32(column)), [set(length, i32(column))]),
          set(weights, get(first)),
          ...start.map(([own, given]) => set(own, get(given))),
          set(sample, get(samples)),
          repeat(
            [
              ...body,
              move(weights, 4 * K * shape.weights),
              ...start.map(([own, , step]) => move(own, step)),
              set(sample, op("i32.sub", get(sample), i32(1))),
            ],
            get(sample),
          ),
          move(x, p * column),
          move(y, 8 * block),
          ...perBlock,
          set(bytes, op("i32.sub", get(bytes), get(length))),
        ],
        get(bytes),
      ),
    ]
  }

  const momentCount = 2 * K + (K * (K + 1)) / 2
  const coefficientCount = K + 1 + K * (K + 2)
  const evaluate = [
    ...perTree((k) => [call(forwardTree, weightsOf(k), get(x), rowsEnd, add(get(space), k * places.slot))]),
    trim((k) => add(get(space), k * places.slot)),
  ]

  const sums = Blocks.moments(K, places, momentCount)
  const results = local("i32", "results")
  const moments = procedure(
    "moments",
    [weights, samples, x, y, bytes, mask, space, results],
    sweep(
      [[out, results, 16 * momentCount]],
      [...evaluate, call(sums, get(space), get(y), get(length), get(out))],
    ),
  )

  const given = local("i32", "coefficients")
  const coefficients = local("i32", "of sample")
  const squares = Blocks.residuals(K, places)
  const residuals = procedure(
    "residuals",
    [weights, samples, x, y, bytes, mask, space, given, results],
    sweep(
      [
        [coefficients, given, 8 * coefficientCount],
        [out, results, 16],
      ],
      [
        ...evaluate,
        call(
          squares,
          get(space),
          get(y),
          get(length),
          get(coefficients),
          get(out),
          op("i32.le_u", get(bytes), i32(column)),
          get(mask),
        ),
      ],
    ),
  )

  const tree = (k: number): Expr<"i32"> => add(get(space), scratch.tape + k * tapeOfTree)
  const slotOf = (k: number): Expr<"i32"> => add(get(space), scratch.adjoints + k * places.slot)
  const gradientsOf = (k: number): Expr<"i32"> => add(get(out), 8 * k * shape.weights)
  const recordAll = perTree((k) => [call(recordTree, weightsOf(k), get(x), rowsEnd, tree(k))])
  // The last tree first: its way back uses the slots behind its own.
  const backwardAll = perTree((i) => {
    const k = K - 1 - i
    return [call(backwardTree, weightsOf(k), get(x), rowsEnd, tree(k), slotOf(k), gradientsOf(k))]
  })

  const slopes = Blocks.slopes(K, places, scratch, rootOffset)
  const adjoint = procedure(
    "adjoint",
    [weights, samples, x, y, bytes, mask, space, given, results],
    sweep(
      [
        [coefficients, given, 8 * coefficientCount],
        [out, results, 8 * K * shape.weights],
      ],
      [
        ...recordAll,
        call(slopes, get(space), get(y), get(length), get(coefficients)),
        trim(slotOf),
        ...backwardAll,
      ],
    ),
  )

  // Columns and their adjoints as tensors [S, K, n] with n rounded up to whole quads.
  const tensor = local("i32", "tensor")
  const element = local("i32", "element")
  const stride = local("i32", "stride")
  const each = (k: number): Expr<"i32"> => add(get(element), k === 0 ? 0 : op("i32.mul", get(stride), i32(k)))
  const copy = Blocks.copy()
  const wholeSample = op("i32.mul", get(stride), i32(K))
  const columns = procedure(
    "columns",
    [weights, samples, x, y, bytes, mask, space, tensor, stride],
    sweep(
      [[element, tensor, wholeSample]],
      [...evaluate, ...perTree((k) => [call(copy, add(get(space), k * places.slot), each(k), get(length))])],
      [move(tensor, get(length))],
    ),
  )
  const pullback = procedure(
    "pullback",
    [weights, samples, x, y, bytes, mask, space, tensor, stride, results],
    sweep(
      [
        [element, tensor, wholeSample],
        [out, results, 8 * K * shape.weights],
      ],
      [
        ...recordAll,
        ...perTree((k) => [call(copy, each(k), slotOf(k), get(length))]),
        trim(slotOf),
        ...backwardAll,
      ],
      [move(tensor, get(length))],
    ),
  )
  return {
    places,
    scratch,
    block,
    momentCount,
    coefficientCount,
    exports: { moments, residuals, adjoint, columns, pullback },
  }
}

/** The nodes in the order of their records, with where the records of their subtrees begin. */
const recordOrder = (
  shape: Shape,
  subtree: (d: number) => number,
): ReadonlyArray<{ readonly node: number; readonly d: number; readonly offset: number }> => {
  const walk = (node: number, d: number, offset: number): ReturnType<typeof recordOrder> =>
    d >= shape.depth
      ? []
      : [
          ...walk(2 * node + 1, d + 1, offset),
          ...(shape.right ? walk(2 * node + 2, d + 1, offset + subtree(d + 1)) : []),
          { node, d, offset },
        ]
  return walk(0, 0, 0)
}

/** The nodes, parents before children and left before right, with the slot in which each finds its adjoint. */
const backOrder = (
  shape: Shape,
  subtree: (d: number) => number,
): ReadonlyArray<{
  readonly node: number
  readonly d: number
  readonly offset: number
  readonly slots: number
}> => {
  const walk = (node: number, d: number, offset: number, slots: number): ReturnType<typeof backOrder> =>
    d >= shape.depth
      ? []
      : [
          { node, d, offset, slots },
          ...walk(2 * node + 1, d + 1, offset, shape.right ? slots + 1 : slots),
          ...(shape.right ? walk(2 * node + 2, d + 1, offset + subtree(d + 1), slots) : []),
        ]
  return walk(0, 0, 0, 0)
}
