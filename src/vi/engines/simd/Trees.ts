import type { Lane } from "../../../wasm/Lane.ts"
import { type Expr, get, i32, type Local, local, op } from "../../../wasm/Expr.ts"
import { call, type Defined, procedure, type Statement, when } from "../../../wasm/Func.ts"
import * as Leaf from "./Leaf.ts"
import { functions, type Variants } from "./Levels.ts"
import type { Bounds, Places } from "./Places.ts"
import * as Magnitude from "./Magnitude.ts"
import { add } from "../../../wasm/Parts.ts"
import { firstWeight, type Shape } from "./Shape.ts"

/** The functions of whole trees over a block of rows: those of the levels, called for every node that is read. */
export interface Trees {
  /** (weights, entries): fills the entries of all nodes of a tree; see `Magnitude` */
  readonly magnitudes: Defined<undefined>
  /** (weights, entries, rows, rows end, slot) */
  readonly forward: Defined<undefined>
  /** (weights, entries, rows, rows end, tape) */
  readonly record: Defined<undefined>
  /** (weights, entries, rows, rows end, tape, slot, gradients, sums) */
  readonly backward: Defined<undefined>
  /**
   * (weights, entries, sums, gradients): adds to the gradients from the sums of `backward`, and clears the sums; see
   * `Bottom`
   */
  readonly settle: Defined<undefined>
  readonly sumsBytes: number
  /** the offset of a tree's values on its tape */
  readonly rootOffset: number
}

/** The length of a tree's tape. The tape of a single leaf has its value only. */
export const tapeOfTree = (shape: Shape, { column, records }: Places): number =>
  records.length === 0 ? column : subtree(shape, records, 0)

const subtree = (shape: Shape, records: ReadonlyArray<number>, d: number): number =>
  records.slice(d).reduce((sum, length, below) => sum + (shape.right ? 2 ** below : 1) * length, 0)

export const make = (shape: Shape, lane: Lane, places: Places, bounds: Bounds): Trees => {
  const { depth, levels } = shape
  const perLevel = functions(shape, lane, places, bounds)
  const magnitudes = Magnitude.procedures(shape, lane, bounds)
  const leaf = Leaf.functions(shape, lane, places.terminal)
  const weights = local("i32", "weights")
  const entries = local("i32", "entries")
  const rows = local("i32", "rows")
  const end = local("i32", "rows end")
  const at = local("i32", "at")
  const slot = local("i32", "slot")
  const gradients = local("i32", "gradients")
  const sums = local("i32", "sums")
  const span = [get(rows), get(end)] as const

  const weightOf = (node: number, d: number): number => shape.offsets[node]! - firstWeight(shape, levels[d]!)
  const ofNode = (base: Local<"i32">, node: number, d: number, size: number): Expr<"i32"> =>
    add(get(base), size * weightOf(node, d))
  const choose = (node: number, { nearer, near, any }: Variants, ...args: ReadonlyArray<Expr>): Statement => {
    const variant = Magnitude.variant(shape, entry(node))
    const small =
      near === nearer
        ? call(near, ...args)
        : when(op("i32.eq", variant, i32(2)), [call(nearer, ...args)], [call(near, ...args)])
    return when(variant, [small], [call(any, ...args)])
  }
  const nodes = walk(shape, (d) => subtree(shape, places.records, d))
  const bytes = Magnitude.entryBytes(shape, bounds)
  const entry = (node: number): Expr<"i32"> => add(get(entries), node * bytes)
  const single = depth === 0
  const bottom = perLevel.at(-1)?.bottom
  const lowest = bottom === undefined ? [] : nodes.filter(({ d }) => d === depth - 1)
  const sumsOf = (node: number): Expr<"i32"> =>
    add(get(sums), 16 * (bottom?.count ?? 0) * lowest.findIndex((visit) => visit.node === node))
  return {
    magnitudes: procedure(
      "magnitudes",
      [weights, entries],
      nodes.map(({ node, d }) =>
        call(
          magnitudes[d]!,
          ofNode(weights, node, d, 4),
          entry(node),
          entry(2 * node + 1),
          entry(2 * node + 2),
        ),
      ),
    ),
    forward: procedure(
      "forward tree",
      [weights, entries, rows, end, slot],
      single
        ? [call(leaf.forward, get(weights), ...span, get(slot))]
        : nodes.map(({ node, d, right }) =>
            choose(
              node,
              perLevel[d]!.forward,
              ofNode(weights, node, d, 4),
              entry(node),
              ...span,
              add(get(slot), right * places.slot),
            ),
          ),
    ),
    record: procedure(
      "record tree",
      [weights, entries, rows, end, at],
      single
        ? [call(leaf.forward, get(weights), ...span, get(at))]
        : nodes.map(({ node, d, offset }) =>
            choose(
              node,
              perLevel[d]!.record,
              ofNode(weights, node, d, 4),
              entry(node),
              ...span,
              add(get(at), offset),
            ),
          ),
    ),
    backward: procedure(
      "backward tree",
      [weights, entries, rows, end, at, slot, gradients, sums],
      single
        ? [call(leaf.backward, ...span, get(slot), get(gradients))]
        : nodes
            .toReversed()
            .map(({ node, d, offset, right }) =>
              call(
                perLevel[d]!.backward,
                ofNode(weights, node, d, 4),
                entry(node),
                ...span,
                add(get(at), offset),
                add(get(slot), right * places.slot),
                perLevel[d]!.bottom === undefined ? ofNode(gradients, node, d, 8) : sumsOf(node),
              ),
            ),
    ),
    settle: procedure(
      "settle",
      [weights, entries, sums, gradients],
      bottom === undefined
        ? []
        : lowest.map(({ node, d }) =>
            call(
              bottom.settle,
              ofNode(weights, node, d, 4),
              entry(node),
              sumsOf(node),
              ofNode(gradients, node, d, 8),
            ),
          ),
    ),
    sumsBytes: 16 * (bottom?.count ?? 0) * lowest.length,
    rootOffset: single ? 0 : tapeOfTree(shape, places) - places.records[0]!,
  }
}

interface Visit {
  readonly node: number
  readonly d: number
  /** the offset of its subtree's records, an argument of the node's functions */
  readonly offset: number
  /** the number of steps to the right on its path from the root: the slot of its values and of its adjoints */
  readonly right: number
}

/**
 * The inner nodes in the order of their records: children before parents, left before right. The backward pass goes
 * from the last to the first.
 */
const walk = (shape: Shape, subtree: (d: number) => number): ReadonlyArray<Visit> => {
  const visit = (node: number, d: number, offset: number, right: number): ReadonlyArray<Visit> =>
    d >= shape.depth
      ? []
      : [
          ...visit(2 * node + 1, d + 1, offset, right),
          ...(shape.right ? visit(2 * node + 2, d + 1, offset + subtree(d + 1), right + 1) : []),
          { node, d, offset, right },
        ]
  return visit(0, 0, 0, 0)
}
