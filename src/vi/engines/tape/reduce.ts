import type { Unary } from "./operation.ts"

// Sums of rows, which are consecutive runs of n elements. They run from left to right as in `numeric/Nd`, for results
// with the same bits.

/** y[r] = sum of row r. With n the number of all elements this is the sum over all axes. */
export const sum = (n: number): Unary => ({
  forward: (x, y) => () => {
    for (let r = 0, i = 0; r < y.length; r++) {
      let total = 0
      for (const end = i + n; i < end; i++) total += x[i]!
      y[r] = total
    }
  },
  backward: (_x, _y, dx, dy) => () => {
    for (let r = 0, i = 0; r < dy.length; r++) {
      const g = dy[r]!
      for (const end = i + n; i < end; i++) dx[i]! += g
    }
  },
})
