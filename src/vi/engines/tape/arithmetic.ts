import type { Rows } from "./broadcast.ts"
import type { Run } from "./operation.ts"

// The four operations forward. Each function has one loop for each way in which the operands move: a loop that calls a
// function for each element boxes every number. `| 0` spares the checks for overflow.

/** z = x + y */
export const add = (rows: Rows, x: Float64Array, y: Float64Array, z: Float64Array): Run => {
  // The operands of a sum may be swapped: the left one is the one that moves.
  if (!rows.left.moves) return add({ ...rows, left: rows.right, right: rows.left }, y, x, z)
  const { count, length, left, right } = rows
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = left.at[row]!
      const j = right.at[row]!
      const end = k + length
      if (right.moves) for (; k < end; k++) z[k] = x[(k + i) | 0]! + y[(k + j) | 0]!
      else for (const c = y[j]!; k < end; k++) z[k] = x[(k + i) | 0]! + c
    }
  }
}

/** z = x - y */
export const sub = (rows: Rows, x: Float64Array, y: Float64Array, z: Float64Array): Run => {
  const { count, length, left, right } = rows
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = left.at[row]!
      const j = right.at[row]!
      const end = k + length
      if (!left.moves) for (const c = x[i]!; k < end; k++) z[k] = c - y[(k + j) | 0]!
      else if (right.moves) for (; k < end; k++) z[k] = x[(k + i) | 0]! - y[(k + j) | 0]!
      else for (const c = y[j]!; k < end; k++) z[k] = x[(k + i) | 0]! - c
    }
  }
}

/** z = x y */
export const mul = (rows: Rows, x: Float64Array, y: Float64Array, z: Float64Array): Run => {
  if (!rows.left.moves) return mul({ ...rows, left: rows.right, right: rows.left }, y, x, z)
  const { count, length, left, right } = rows
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = left.at[row]!
      const j = right.at[row]!
      const end = k + length
      if (right.moves) for (; k < end; k++) z[k] = x[(k + i) | 0]! * y[(k + j) | 0]!
      else for (const c = y[j]!; k < end; k++) z[k] = x[(k + i) | 0]! * c
    }
  }
}

/** z = x / y */
export const div = (rows: Rows, x: Float64Array, y: Float64Array, z: Float64Array): Run => {
  const { count, length, left, right } = rows
  return () => {
    for (let row = 0, k = 0; row < count; row++) {
      const i = left.at[row]!
      const j = right.at[row]!
      const end = k + length
      if (!left.moves) for (const c = x[i]!; k < end; k++) z[k] = c / y[(k + j) | 0]!
      else if (right.moves) for (; k < end; k++) z[k] = x[(k + i) | 0]! / y[(k + j) | 0]!
      else for (const c = y[j]!; k < end; k++) z[k] = x[(k + i) | 0]! / c
    }
  }
}
