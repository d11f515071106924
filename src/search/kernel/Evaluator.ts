import * as Effect from "effect/Effect"
import { CompileError } from "../../errors/Errors.ts"
import type { Grammar } from "../../prob/Grammar.ts"
import * as Target from "../../wasm/Target.ts"
import * as Code from "./Code.ts"
import * as Columns from "./Columns.ts"
import * as Dag from "./Dag.ts"
import { FIRST, type Kernel, SHIFT } from "./Kernel.ts"
import * as Loops from "./Loops.ts"
import * as Memory from "./Memory.ts"

/** The kernel of hard trees: nodes of a graph evaluated by generated code, and their inner products, in float64. */
export interface Evaluator extends Kernel {
  /** The column of a node, length n: a copy. */
  readonly column: (id: number) => Float64Array
  /**
   * Weighs rows from now on: columns that are held, and those whose moments are taken, are multiplied by the column of a terminal
   * first. The sums [t't, t'u] are then those of weighted columns. -1 for no weights.
   *
   * Columns of the grammar's expressions are centred before they are weighed, so that products do not cancel where a column varies
   * little around a large value: the mean over the first rows is subtracted there, else 0; it is the `SHIFT` of moments.
   * Terminals from `plain` on, and all columns without weights, are not.
   *
   * @throws RangeError when there is no such terminal
   */
  readonly weigh: (terminal: number) => void
  /**
   * Gives a terminal other values, of length n. Columns evaluated with the old values are not forgotten.
   *
   * @throws RangeError when its column is shared between threads
   */
  readonly replace: (terminal: number, values: Float64Array) => void
  /** Forgets the columns of nodes from a number on, which the graph is about to forget; none of them may be held. */
  readonly forget: (from: number) => void
  /** How many operators have been run over all rows so far. */
  readonly evaluated: () => number
}

/** Roots of a batch, at most. */
const batchLength = 512
/** A batch is run when its instructions fill this part of the room for them; the rest is for one more tree. */
const filled = 0.5

/**
 * A node that is used once is evaluated into a block of workspace that is free again when its parent is done; a node
 * that is asked for more than once gets a column of its own and stays in memory, as long as there is room. In both
 * cases it is one operator over the same operands, row by row: no result depends on the columns in memory.
 */
export const make = (dag: Dag.Dag, memory: Memory.Memory, plain: number): Evaluator => {
  const { code, blocks, blockBytes, once, mostOnce, columns: columnsAt, columnBytes } = memory
  const {
    terminals,
    shared,
    moments: table,
    momentsAt,
    held: heldAt,
    apart,
    mostHeld,
    rows,
    shiftsAt,
  } = memory
  const kinds = Code.kinds(dag.grammar.operators.length)
  const columns = Columns.make(memory.mostColumns, memory.mostBlocks)
  const leaves = terminals.length
  const onceEnd = once + mostOnce * blockBytes
  let records = dag.records()
  let held: ReadonlyArray<number> = []
  let weight = -1
  let end = 0
  let evaluated = 0
  /** batches so far, and which of them fetched a terminal last */
  let batches = 0
  const fetched = new Int32Array(leaves)
  /** instructions of a batch that are no operators */
  let others = 0

  const push = (kind: number, dst: number, a: number, b: number): void => {
    if (end + Code.instruction > code.length)
      throw new RangeError("a tree has too many nodes to be evaluated")
    code[end] = kind
    code[end + 1] = dst
    code[end + 2] = a
    code[end + 3] = b
    end += Code.instruction
  }

  /** An instruction that evaluates nothing. */
  const aside = (kind: number, dst: number, a: number, b: number): void => {
    push(kind, dst, a, b)
    others++
  }

  /** What `Columns` calls a slot, as an operand. */
  const operand = (slot: number): number =>
    slot > 0 ? columnsAt + (slot - 1) * columnBytes + 1 : blocks + (-slot - 1) * blockBytes

  /** A terminal as an operand. A shared column is fetched by the first operator of a batch that needs it. */
  const leaf = (id: number): number => {
    if (shared[id] !== 0 && fetched[id] !== batches) {
      aside(kinds.fetch, terminals[id]!, shared[id]!, 0)
      fetched[id] = batches
    }
    return terminals[id]!
  }

  /** Plans the evaluation of a node; blocks of workspace from `free` on are not in use. The operand with its value. */
  const plan = (id: number, free: number): number => {
    if (id < leaves) return leaf(id)
    const known = columns.find(id)
    if (known !== 0) return operand(known)
    const at = id * Dag.width
    const a = plan(records[at + Dag.LEFT]!, free)
    const right = records[at + Dag.RIGHT]!
    let b = a
    if (right >= 0 && right !== records[at + Dag.LEFT]!)
      b = plan(right, a === free ? free + blockBytes : free)
    const slot = records[at + Dag.ASKED]! > 1 ? columns.claim(id) : 0
    const dst = slot === 0 ? free : operand(slot)
    if (dst === onceEnd) throw new RangeError(`a tree is more than ${mostOnce} levels deep`)
    push(records[at]!, dst, a, b)
    return dst
  }

  /**
   * The operand of a node, centred and weighed.
   *
   * @param shift where the number stands that is subtracted
   */
  const weighed = (id: number, shift: number): number => {
    const t = plan(id, once)
    if (weight < 0) return t
    const w = leaf(weight)
    if (id >= plain && id < leaves) aside(kinds.product, once, t, w)
    else {
      aside(kinds.mean, shift, t, 0)
      aside(kinds.centre, once, t, w)
    }
    return once
  }

  /** Plans a batch and runs it; a batch that cannot be planned leaves nothing behind. */
  const batch = (from: number, to: number, each: (index: number) => void): number => {
    records = dag.records()
    columns.next(dag.size())
    end = 0
    others = 0
    batches++
    let next = from
    let planned = false
    try {
      while (next < to && end < filled * code.length) each(next++)
      evaluated += end / Code.instruction - others
      planned = true
    } finally {
      if (!planned) columns.clear()
    }
    if (end > 0) memory.run(end)
    return next
  }

  const hold: Kernel["hold"] = (ids) => {
    if (ids.length > mostHeld)
      throw new RangeError(`at most ${mostHeld} columns can be held, not ${ids.length}`)
    if (ids.length === held.length && held.every((id, j) => id === ids[j])) return
    held = []
    const wanted = Array.from(ids)
    let done = 0
    while (done < wanted.length)
      done = batch(done, wanted.length, (j) => {
        aside(kinds.copy, heldAt + j * apart, weighed(wanted[j]!, shiftsAt + 8 * j), 0)
      })
    held = wanted
  }

  const root = (id: number, row: number): void => {
    const t = weighed(id, row + 8 * SHIFT)
    const first = Math.min(held.length, Loops.along)
    aside(kinds.moments + first, row, t, heldAt)
    for (let j = first; j < held.length; j += Loops.further)
      aside(
        kinds.inner + Math.min(Loops.further, held.length - j),
        row + 8 * (FIRST + j),
        t,
        heldAt + j * apart,
      )
  }

  const moments: Kernel["moments"] = (ids, out) => {
    const width = FIRST + held.length
    const most = Math.min(batchLength, Math.floor(table.length / width))
    let done = 0
    while (done < ids.length) {
      const from = done
      table.fill(0, 0, most * width)
      done = batch(from, Math.min(ids.length, from + most), (i) =>
        root(ids[i]!, momentsAt + 8 * (i - from) * width),
      )
      out.set(table.subarray(0, (done - from) * width), from * width)
    }
  }

  return {
    rows,
    capacity: mostHeld,
    hold,
    held: () => held.length,
    moments,
    evaluated: () => evaluated,
    forget: columns.forget,
    weigh: (terminal) => {
      if (terminal >= leaves) throw new RangeError(`there is no terminal ${terminal}`)
      if (terminal === weight) return
      weight = terminal
      held = []
    },
    replace: (terminal, values) => {
      memory.fill(terminal, values)
      held = []
    },
    column: (id) => {
      const before = held
      const weights = weight
      weight = -1
      held = []
      hold([id])
      const values = memory.heldValues.slice(0, rows)
      weight = weights
      held = []
      hold(before)
      return values
    },
  }
}

/** The trees of a grammar over columns of data. */
export interface Opened {
  readonly dag: Dag.Dag
  readonly kernel: Evaluator
  /** The memory that columns and data take, in bytes; it does not grow. */
  readonly bytes: number
}

/**
 * An evaluator of a grammar's trees, with code of its own and a memory of its own.
 *
 * Fails with a `CompileError` when the data do not fit into memory, and on a machine without WebAssembly SIMD.
 *
 * @param columns one for each terminal, of the length of y
 * @param y the response, by which data are known that threads share
 * @param held the least number of columns that can be held
 * @param nodes where the graph keeps its nodes
 * @param plain terminals from there on are not centred: the intercept, and columns that are centred already; none by default
 */
export const open = (
  grammar: Grammar,
  columns: ReadonlyArray<Float64Array>,
  y: Float64Array,
  held: number,
  room: Memory.Room = {},
  nodes: Dag.Nodes = Dag.nothing(),
  plain = columns.length,
): Effect.Effect<Opened, CompileError> =>
  Effect.gen(function* () {
    if (Target.detect() === undefined)
      return yield* new CompileError({ message: "this machine has no WebAssembly SIMD" })
    const memory = yield* Effect.try({
      try: () => Memory.make(Code.assemble(grammar.operators), columns, y, held, room),
      catch: (error) => {
        // Too large for 32-bit addresses, or for this machine: both are RangeErrors that say so.
        if (error instanceof RangeError) return new CompileError({ message: error.message })
        throw error
      },
    })
    const dag = Dag.make(grammar, nodes)
    return { dag, kernel: make(dag, memory, plain), bytes: memory.bytes }
  })
