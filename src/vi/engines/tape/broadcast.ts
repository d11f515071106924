import { product } from "../../../numeric/Nd.ts"

/** How one operand of a broadcast operation is read, row by row of the result. */
export interface Side {
  /** whether it moves along a row; where it does not, one of its elements serves the whole row */
  readonly moves: boolean
  /**
   * for each row: the offset from an index of the result to one of the operand if it moves, else the index of its
   * element
   */
  readonly at: Int32Array
}

/**
 * A broadcast as loops over rows of equal length: axes on which the operands behave alike are merged, so that operands
 * of one shape, or a scalar beside one, make one long row, and tables have one entry for each row, not for each
 * element. No row has both operands at rest unless its length is 1, and then both count as moving.
 */
export interface Rows {
  readonly count: number
  readonly length: number
  readonly left: Side
  readonly right: Side
}

/** An axis of the result that is longer than 1, with the operands' strides along it; 0 where they are repeated. */
interface Axis {
  readonly length: number
  readonly left: number
  readonly right: number
}

const stridesAlong = (own: ReadonlyArray<number>, rank: number): ReadonlyArray<number> => {
  const strides = Array.from({ length: rank }, () => 0)
  let stride = 1
  for (let axis = own.length - 1; axis >= 0; axis--) {
    const length = own[axis]!
    if (length !== 1) strides[axis + rank - own.length] = stride
    stride *= length
  }
  return strides
}

const alike = (one: Axis, other: Axis): boolean =>
  (one.left === 0) === (other.left === 0) && (one.right === 0) === (other.right === 0)

const side = (axes: ReadonlyArray<Axis>, count: number, length: number, of: "left" | "right"): Side => {
  const moves = length === 1 || axes.at(-1)?.[of] !== 0
  return { moves, at: new Int32Array(count) }
}

/** The loops over two operands of the shapes `left` and `right`, which broadcast to `shape`. */
export const rows = (
  left: ReadonlyArray<number>,
  right: ReadonlyArray<number>,
  shape: ReadonlyArray<number>,
): Rows => {
  const rank = shape.length
  const [leftStrides, rightStrides] = [stridesAlong(left, rank), stridesAlong(right, rank)]
  const axes = shape
    .map((length, axis): Axis => ({ length, left: leftStrides[axis]!, right: rightStrides[axis]! }))
    .filter(({ length }) => length !== 1)
  let first = axes.length
  while (first > 0 && alike(axes[first - 1]!, axes.at(-1)!)) first -= 1
  const length = product(axes.slice(first).map((axis) => axis.length))
  const outer = axes.slice(0, first)
  const count = product(outer.map((axis) => axis.length))
  const [leftSide, rightSide] = [side(axes, count, length, "left"), side(axes, count, length, "right")]
  for (let row = 0; row < count; row++) {
    let rest = row
    let [fromLeft, fromRight] = [0, 0]
    for (const axis of outer.toReversed()) {
      fromLeft += (rest % axis.length) * axis.left
      fromRight += (rest % axis.length) * axis.right
      rest = Math.floor(rest / axis.length)
    }
    leftSide.at[row] = leftSide.moves ? fromLeft - row * length : fromLeft
    rightSide.at[row] = rightSide.moves ? fromRight - row * length : fromRight
  }
  return { count, length, left: leftSide, right: rightSide }
}
