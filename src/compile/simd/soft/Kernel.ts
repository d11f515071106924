import type { Lane } from "../Lane.ts"
import { type Expr, extractF64, f32x4, get, i32, load, type Local, local, op, shuffle } from "../wasm/Expr.ts"
import { call, type Defined, procedure, repeat, set, type Statement, store, when } from "../wasm/Func.ts"
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

/** The place of the sum t_j't_k among the moments of a sample, j <= k. */
export const gramIndex = (trees: number, j: number, k: number): number => trees + (k * (k + 1)) / 2 + j

const add = (a: Expr<"i32">, b: number | Expr<"i32">): Expr<"i32"> =>
  typeof b === "number" && b === 0 ? a : op("i32.add", a, typeof b === "number" ? i32(b) : b)

const move = (variable: Local<"i32">, by: number | Expr<"i32">): Statement =>
  set(variable, add(get(variable), by))

const low = (x: Expr<"v128">): Expr<"v128"> => op("f64x2.promote_low_f32x4", x)
const high = (x: Expr<"v128">): Expr<"v128"> => op("f64x2.promote_low_f32x4", shuffle(x, x, [2, 3, 2, 3]))
/** Two pairs of float64 as four float32. */
const narrow = (a: Expr<"v128">, b: Expr<"v128">): Expr<"v128"> =>
  shuffle(op("f32x4.demote_f64x2_zero", a), op("f32x4.demote_f64x2_zero", b), [0, 1, 4, 5])

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
  const leaf = leafFunctions(shape, lane, column)

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

  const sums = momentsOfBlock(K, places, momentCount)
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
  const squares = residualsOfBlock(K, places)
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

  const slopes = slopesOfBlock(shape, places, scratch, rootOffset)
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
  const copy = copyBlock()
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

/** Trees of depth 0: a mixture of terminals. */
const leafFunctions = (shape: Shape, lane: Lane, column: number) => {
  const { terminals: p } = shape
  const weights = local("i32", "weights")
  const rows = local("i32", "rows")
  const end = local("i32", "rows end")
  const slot = local("i32", "slot")
  const gradients = local("i32", "gradients")
  const feature = (m: number): Expr<"v128"> => load("v128.load", get(rows), m * column)
  const ws = Array.from({ length: p }, (_, m) => local("v128", `weight ${m}`))
  const sums = Array.from({ length: p }, (_, m) => local("v128", `sum ${m}`))
  const more = op("i32.lt_u", get(rows), get(end))
  const forward = procedure(
    "forward leaf",
    [weights, rows, end, slot],
    [
      ...ws.map((w, m) => set(w, load("v128.load32_splat", get(weights), 4 * m))),
      repeat(
        [
          store(
            "v128.store",
            get(slot),
            ws
              .slice(1)
              .reduce(
                (sum, w, m) => lane.madd(get(w), feature(m + 1), sum),
                lane.binary.mul(get(ws[0]!), feature(0)),
              ),
          ),
          move(rows, 16),
          move(slot, 16),
        ],
        more,
      ),
    ],
  )
  const backward = procedure(
    "backward leaf",
    [rows, end, slot, gradients],
    [
      ...sums.map((sum) => set(sum, f32x4(0))),
      repeat(
        [
          ...sums.map((sum, m) => set(sum, lane.madd(load("v128.load", get(slot)), feature(m), get(sum)))),
          move(rows, 16),
          move(slot, 16),
        ],
        more,
      ),
      ...sums.map((sum, m) => accumulate(get(gradients), 8 * m, get(sum))),
    ],
  )
  return { forward, backward }
}

/** 1't, T't and t'y of a block of K columns, added to what is at `out`. Products of float32 are exact in float64. */
const momentsOfBlock = (K: number, places: Places, count: number): Defined<undefined> => {
  const slots = local("i32", "slots")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const out = local("i32", "out")
  const end = local("i32", "end")
  const sums = Array.from({ length: count }, (_, i) => local("v128", `sum ${i}`))
  const columns = Array.from({ length: K }, (_, k) => load("v128.load", get(slots), k * places.slot))
  const halves = [
    { t: columns.map(low), y: load("v128.load", get(y)) },
    { t: columns.map(high), y: load("v128.load", get(y), 16) },
  ]
  const plus = (a: Expr<"v128">, b: Expr<"v128">): Expr<"v128"> => op("f64x2.add", a, b)
  const times = (a: Expr<"v128">, b: Expr<"v128">): Expr<"v128"> => op("f64x2.mul", a, b)
  const body: Array<Statement> = halves.flatMap(({ t, y }) => {
    const terms: Array<Expr<"v128">> = []
    for (let k = 0; k < K; k++) {
      terms[k] = t[k]!
      for (let j = 0; j <= k; j++) terms[gramIndex(K, j, k)] = times(t[j]!, t[k]!)
      terms[count - K + k] = times(t[k]!, y)
    }
    return terms.map((term, i) => set(sums[i]!, plus(get(sums[i]!), term)))
  })
  return procedure(
    "moments of block",
    [slots, y, length, out],
    [
      set(end, add(get(slots), get(length))),
      ...sums.map((sum, i) => set(sum, load("v128.load", get(out), 16 * i))),
      repeat([...body, move(slots, 16), move(y, 32)], op("i32.lt_u", get(slots), get(end))),
      ...sums.map((sum, i) => store("v128.store", get(out), get(sum), 16 * i)),
    ],
  )
}

/** Four float64 residuals y - T m as two pairs. */
const residual = (
  K: number,
  column: (k: number) => Expr<"v128">,
  y: Local<"i32">,
  mean: (k: number) => Expr<"v128">,
): readonly [Expr<"v128">, Expr<"v128">] => {
  const half = (part: (x: Expr<"v128">) => Expr<"v128">, offset: number): Expr<"v128"> => {
    let r = op("f64x2.sub", load("v128.load", get(y), offset), mean(0))
    for (let k = 0; k < K; k++) r = op("f64x2.sub", r, op("f64x2.mul", mean(k + 1), part(column(k))))
    return r
  }
  return [half(low, 0), half(high, 16)]
}

/** |y - T m|^2 of a block, added to what is at `out`; in the last block without the lanes behind the last row. */
const residualsOfBlock = (K: number, places: Places): Defined<undefined> => {
  const slots = local("i32", "slots")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const coefficients = local("i32", "coefficients")
  const out = local("i32", "out")
  const last = local("i32", "last")
  const mask = local("i32", "mask")
  const end = local("i32", "end")
  const sum = local("v128", "sum")
  const keepLow = local("v128", "keep low")
  const keepHigh = local("v128", "keep high")
  const means = Array.from({ length: K + 1 }, (_, k) => local("v128", `mean ${k}`))
  const [a, b] = residual(
    K,
    (k) => load("v128.load", get(slots), k * places.slot),
    y,
    (k) => get(means[k]!),
  )
  const square = (r: Expr<"v128">, keep: Local<"v128">): Expr<"v128"> => {
    const kept = op("v128.and", r, get(keep))
    return op("f64x2.mul", kept, kept)
  }
  const lanes = load("v128.load", get(mask))
  return procedure(
    "residuals of block",
    [slots, y, length, coefficients, out, last, mask],
    [
      set(end, add(get(slots), get(length))),
      ...means.map((m, k) => set(m, load("v128.load64_splat", get(coefficients), 8 * k))),
      set(sum, load("v128.load", get(out))),
      set(keepLow, f32x4Bits(-1)),
      set(keepHigh, f32x4Bits(-1)),
      repeat(
        [
          when(op("i32.and", get(last), op("i32.eq", add(get(slots), 16), get(end))), [
            set(keepLow, shuffle(lanes, lanes, [0, 0, 1, 1])),
            set(keepHigh, shuffle(lanes, lanes, [2, 2, 3, 3])),
          ]),
          set(sum, op("f64x2.add", get(sum), op("f64x2.add", square(a, keepLow), square(b, keepHigh)))),
          move(slots, 16),
          move(y, 32),
        ],
        op("i32.lt_u", get(slots), get(end)),
      ),
      store("v128.store", get(out), get(sum)),
    ],
  )
}

const f32x4Bits = (bits: number): Expr<"v128"> => op("i32x4.splat", i32(bits))

/** d log p / dt_k = (a_n / b_n) mu_k (y - T mu) - T A^-1 e_k of a block, in float64, rounded into the adjoint slots. */
const slopesOfBlock = (
  { trees: K }: Shape,
  places: Places,
  scratch: Scratch,
  rootOffset: number,
): Defined<undefined> => {
  const space = local("i32", "scratch")
  const y = local("i32", "y")
  const length = local("i32", "length")
  const coefficients = local("i32", "coefficients")
  const end = local("i32", "end")
  const numbers = Array.from({ length: K + 1 + K * (K + 2) }, (_, i) => local("v128", `coefficient ${i}`))
  const column = (k: number): Expr<"v128"> =>
    load("v128.load", get(space), scratch.tape + k * scratch.tapeOfTree + rootOffset)
  const [a, b] = residual(K, column, y, (k) => get(numbers[k]!))
  const slope = (k: number, r: Expr<"v128">, part: (x: Expr<"v128">) => Expr<"v128">): Expr<"v128"> => {
    const first = K + 1 + k * (K + 2)
    let sum = op("f64x2.sub", op("f64x2.mul", get(numbers[first]!), r), get(numbers[first + 1]!))
    for (let j = 0; j < K; j++)
      sum = op("f64x2.sub", sum, op("f64x2.mul", get(numbers[first + 2 + j]!), part(column(j))))
    return sum
  }
  return procedure(
    "slopes of block",
    [space, y, length, coefficients],
    [
      set(end, add(get(space), get(length))),
      ...numbers.map((number, i) => set(number, load("v128.load64_splat", get(coefficients), 8 * i))),
      repeat(
        [
          ...Array.from({ length: K }, (_, k) =>
            store(
              "v128.store",
              get(space),
              narrow(slope(k, a, low), slope(k, b, high)),
              scratch.adjoints + k * places.slot,
            ),
          ),
          move(space, 16),
          move(y, 32),
        ],
        op("i32.lt_u", get(space), get(end)),
      ),
    ],
  )
}

/** (from, to, length): copies a block of a column. */
const copyBlock = (): Defined<undefined> => {
  const from = local("i32", "from")
  const to = local("i32", "to")
  const length = local("i32", "length")
  const end = local("i32", "end")
  return procedure(
    "copy",
    [from, to, length],
    [
      set(end, add(get(from), get(length))),
      repeat(
        [store("v128.store", get(to), load("v128.load", get(from))), move(from, 16), move(to, 16)],
        op("i32.lt_u", get(from), get(end)),
      ),
    ],
  )
}

/** Adds four float32 to a float64 in memory. */
const accumulate = (address: Expr<"i32">, offset: number, x: Expr<"v128">): Statement => {
  const pair = op("f64x2.add", low(x), high(x))
  const sum = op("f64.add", extractF64(pair, 0), extractF64(pair, 1))
  return store("f64.store", address, op("f64.add", load("f64.load", address, offset), sum), offset)
}
