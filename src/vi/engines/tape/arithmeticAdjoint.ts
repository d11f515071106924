import type { Rows, Side } from "./broadcast.ts"
import type { Run } from "./operation.ts"

// The adjoints of the four operations. `g` is the adjoint of the result, `dx` that of the operand whose layout is
// `own`. An operand at rest gets the sum of its row.

/** dx += g: of x + y by either operand, of x - y by the left one. */
export const accumulate = ({ count, length }: Rows, own: Side, dx: Float64Array, g: Float64Array): Run => {
  const { moves, at } = own
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = at[row]!
      const end = k + length
      if (moves) for (; k < end; k++) dx[(k + i) | 0]! += g[k]!
      else {
        let sum = 0
        for (; k < end; k++) sum += g[k]!
        dx[i]! += sum
      }
    }
  }
}

/** dx -= g: of x - y by the right operand. */
export const withdraw = ({ count, length }: Rows, own: Side, dx: Float64Array, g: Float64Array): Run => {
  const { moves, at } = own
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = at[row]!
      const end = k + length
      if (moves) for (; k < end; k++) dx[(k + i) | 0]! -= g[k]!
      else {
        let sum = 0
        for (; k < end; k++) sum += g[k]!
        dx[i]! -= sum
      }
    }
  }
}

/** dx += g y: of x y by either operand, `y` being the other one. */
export const product = (
  { count, length }: Rows,
  own: Side,
  other: Side,
  y: Float64Array,
  dx: Float64Array,
  g: Float64Array,
): Run => {
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = own.at[row]!
      const j = other.at[row]!
      const end = k + length
      if (!own.moves) {
        let sum = 0
        for (; k < end; k++) sum += g[k]! * y[(k + j) | 0]!
        dx[i]! += sum
      } else if (other.moves) for (; k < end; k++) dx[(k + i) | 0]! += g[k]! * y[(k + j) | 0]!
      else for (const c = y[j]!; k < end; k++) dx[(k + i) | 0]! += g[k]! * c
    }
  }
}

/** dx += g / y: of x / y by x. */
export const numerator = (
  { count, length, left, right }: Rows,
  y: Float64Array,
  dx: Float64Array,
  g: Float64Array,
): Run => {
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = left.at[row]!
      const j = right.at[row]!
      const end = k + length
      if (!left.moves) {
        let sum = 0
        for (; k < end; k++) sum += g[k]! / y[(k + j) | 0]!
        dx[i]! += sum
      } else if (right.moves) for (; k < end; k++) dx[(k + i) | 0]! += g[k]! / y[(k + j) | 0]!
      else for (const c = y[j]!; k < end; k++) dx[(k + i) | 0]! += g[k]! / c
    }
  }
}

/** dy -= g x / y^2: of x / y by y. */
export const denominator = (
  { count, length, left, right }: Rows,
  x: Float64Array,
  y: Float64Array,
  dy: Float64Array,
  g: Float64Array,
): Run => {
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = left.at[row]!
      const j = right.at[row]!
      const end = k + length
      if (!right.moves) {
        let sum = 0
        for (; k < end; k++) sum += g[k]! * x[(k + i) | 0]!
        dy[j]! -= sum / (y[j]! * y[j]!)
      } else if (left.moves)
        for (; k < end; k++) {
          const b = y[(k + j) | 0]!
          dy[(k + j) | 0]! -= (g[k]! * x[(k + i) | 0]!) / (b * b)
        }
      else
        for (const a = x[i]!; k < end; k++) {
          const b = y[(k + j) | 0]!
          dy[(k + j) | 0]! -= (g[k]! * a) / (b * b)
        }
    }
  }
}
