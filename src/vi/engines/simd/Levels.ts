import type { Lane } from "../../../wasm/Lane.ts"
import type { Squashed } from "../../../wasm/math/tanh.ts"
import { type Expr, f32x4, get, load, local } from "../../../wasm/Expr.ts"
import { type Defined, procedure, set, store } from "../../../wasm/Func.ts"
import { backward } from "./Backward.ts"
import * as Bottom from "./Bottom.ts"
import * as Node from "./Node.ts"
import type { Bounds, Places } from "./Places.ts"
import { isProduct, type Level, type Shape } from "./Shape.ts"

/**
 * The functions that evaluate and differentiate the nodes of a level over a block of rows, four at a time.
 *
 * Values have two kinds of places. In a forward pass alone they are on a stack of slots: a node reads its left child's
 * values from its own slot and the right child's from the next, and writes its own values to its own slot. Where a
 * backward pass follows, they are on a tape: each inner node has a record with its values and the numbers that its
 * derivatives need. Records are in post-order, so that a child's record is at a constant distance. Adjoints use slots
 * again: a node reads its own adjoints from its slot, and writes the left child's there and the right child's to the
 * next.
 */
export interface LevelFunctions {
  /** (weights, entry, rows, rows end, slot) */
  readonly forward: Variants
  /** (weights, entry, rows, rows end, record) */
  readonly record: Variants
  /** (weights, entry, rows, rows end, record, slot, gradients), or with bottom sums in place of gradients */
  readonly backward: Defined<undefined>
  readonly bottom: Bottom.Bottom | undefined
}

/**
 * Three variants of a function: for nodes whose values are near 0 by their bounds (see `Magnitude`), for nodes with
 * smaller bounds, and for all.
 */
export interface Variants {
  readonly nearer: Defined<undefined>
  readonly near: Defined<undefined>
  readonly any: Defined<undefined>
}

/** A node's value in the unit of its level and, with a clip, the numbers that its slope needs. */
type Value = Pick<Squashed, "value"> & Partial<Squashed>
const level = (shape: Shape, lane: Lane, places: Places, bounds: Bounds, at: Level): LevelFunctions => {
  const { program, terminals: p } = shape
  const { mul } = lane.binary
  const node = Node.make(shape, lane, places, bounds, at)
  const { squash, before, after, units, kept, phases, weight, combine, leafWeights, own, primal } = node
  const { weights, entry, rows, end, reading, loop, ownRecord, ownSquares, fromKept } = node
  const bottom = Bottom.make(shape, lane, at, phases, after)
  const unclipped = (value: Expr<"v128">): Value => ({ value })
  let clipped: (y: Expr<"v128">) => Value = unclipped
  /** Makes a function in all variants. */
  const variants = (make: (name: string) => Defined<undefined>): Variants => {
    node.choose(true)
    clipped = squash?.near ?? unclipped
    const near = make("near")
    clipped = squash?.nearer ?? unclipped
    const nearer = squash === undefined ? near : make("nearer")
    node.choose(false)
    clipped = squash?.any ?? unclipped
    return { nearer, near, any: make("") }
  }

  /** Whether a product has an operand in half turns. */
  const productOfTurned =
    node.leftTurned &&
    at.contexts.some(({ applications }) =>
      applications.some(({ operator }) => isProduct(program, program.outputs[operator]!)),
    )
  const values = (
    child: Node.Child,
    taped: (below: number) => Node.Taped = () => () => undefined,
    turnedLeft: Expr<"v128"> | undefined = productOfTurned ? node.turned("left") : undefined,
  ): ReadonlyArray<Value> => {
    const steps = Array.from({ length: at.below }, (_, below) => primal(child, below, taped(below)))
    return at.contexts.map(({ applications }, context) => {
      let sum = combine(own(context), f32x4(before))
      for (const { operator, below } of applications) {
        const output = program.outputs[operator]!
        const phase = node.phaseOf(context, operator)
        if (phase !== undefined) {
          if (phase.sine.operator !== operator) continue
          const amplitude = mul(node.phasePart(phase, "amplitude"), f32x4(before))
          sum = lane.madd(amplitude, steps[below]!.value(output), sum)
          continue
        }
        const factor = mul(weight(own(context) + p + operator), f32x4(before * units[output]!))
        sum =
          at.bottom && isProduct(program, output)
            ? turnedLeft !== undefined
              ? lane.madd(turnedLeft, combine(leafWeights("right"), mul(factor, f32x4(Math.PI))), sum)
              : lane.madd(node.leaf("left"), combine(leafWeights("right"), factor), sum)
            : lane.madd(factor, steps[below]!.value(output), sum)
      }
      return clipped(sum)
    })
  }

  const forward = (variant: string): Defined<undefined> => {
    const slot = local("i32", "slot")
    node.begin()
    const { statements, child } = node.fetch((side, below) => ({
      base: slot,
      offset: (side === "left" ? 0 : places.slot) + below * places.column,
    }))
    const body = [
      ...statements,
      ...values(child).map(({ value }, context) =>
        store("v128.store", get(slot), value, context * places.column),
      ),
    ]
    return procedure(
      `forward${at.depth} ${variant}`,
      [weights, entry, rows, end, slot],
      [...reading, loop(body, slot)],
    )
  }

  const record = (variant: string): Defined<undefined> => {
    const tape = local("i32", "record")
    node.begin()
    const { statements, child } = node.fromTape(tape)
    const from = get(rows)
    const start = [set(rowsFrom, from), set(tapeFrom, get(tape))]
    const again = [set(rows, get(rowsFrom)), set(tape, get(tapeFrom))]
    const keeping = kept.map(({ below, step, part }, index) => {
      const steps = primal(child, below, () => undefined)
      return store("v128.store", get(tape), steps[part](step), node.keptColumn(index))
    })
    // A product reads the operand in half turns from the place of its own value.
    const turnedLeft = kept.length > 0 && productOfTurned ? local("v128", "left in half turns") : undefined
    const first = turnedLeft && store("v128.store", get(tape), node.turned("left"), ownRecord)
    const second = turnedLeft && set(turnedLeft, load("v128.load", get(tape), ownRecord))
    const body = values(child, (below) => fromKept(tape, below), turnedLeft && get(turnedLeft)).flatMap(
      ({ value, square }, context) => [
        store("v128.store", get(tape), value, ownRecord + context * places.column),
        ...(square === undefined
          ? []
          : [store("v128.store", get(tape), square, ownSquares + context * places.column)]),
      ],
    )
    return procedure(
      `record${at.depth} ${variant}`,
      [weights, entry, rows, end, tape],
      [
        ...reading,
        ...(kept.length === 0
          ? []
          : [
              ...start,
              loop([...statements, ...keeping, ...(first === undefined ? [] : [first])], tape),
              ...again,
            ]),
        loop([...statements, ...(second === undefined ? [] : [second]), ...body], tape),
      ],
    )
  }
  const rowsFrom = local("i32", "first row")
  const tapeFrom = local("i32", "first record")
  const ways = { forward: variants(forward), record: variants(record) }
  return { ...ways, backward: backward(shape, lane, places, at, node, bottom), bottom }
}

export const functions = (
  shape: Shape,
  lane: Lane,
  places: Places,
  bounds: Bounds,
): ReadonlyArray<LevelFunctions> => shape.levels.map((at) => level(shape, lane, places, bounds, at))
