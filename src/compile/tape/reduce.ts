import type { Unary } from "./operation.ts"

// Operations along the trailing axis, of length n: rows are consecutive runs of n elements. Sums run from left to right
// as in `declare/Nd`, so that they have its bits.

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

/** exp(x - top) / total of each row, where `top` is the largest element and `total` makes the sum 1. */
export const softmax = (n: number): Unary => ({
  forward: (x, y) => () => {
    for (let start = 0; start < y.length; start += n) {
      const end = start + n
      let top = -Infinity
      for (let i = start; i < end; i++) top = Math.max(top, x[i]!)
      let total = 0
      for (let i = start; i < end; i++) {
        const weight = Math.exp(x[i]! - top)
        y[i] = weight
        total += weight
      }
      for (let i = start; i < end; i++) y[i]! /= total
    }
  },
  backward: (_x, y, dx, dy) => () => {
    for (let start = 0; start < dy.length; start += n) {
      const end = start + n
      let mean = 0
      for (let i = start; i < end; i++) mean += dy[i]! * y[i]!
      for (let i = start; i < end; i++) dx[i]! += (dy[i]! - mean) * y[i]!
    }
  },
})

/** x - top - log(total) of each row; see `softmax`. */
export const logSoftmax = (n: number): Unary => ({
  forward: (x, y) => () => {
    for (let start = 0; start < y.length; start += n) {
      const end = start + n
      let top = -Infinity
      for (let i = start; i < end; i++) top = Math.max(top, x[i]!)
      let total = 0
      for (let i = start; i < end; i++) {
        const below = x[i]! - top
        y[i] = below
        total += Math.exp(below)
      }
      const logTotal = Math.log(total)
      for (let i = start; i < end; i++) y[i]! -= logTotal
    }
  },
  backward: (_x, y, dx, dy) => () => {
    for (let start = 0; start < dy.length; start += n) {
      const end = start + n
      let total = 0
      for (let i = start; i < end; i++) total += dy[i]!
      for (let i = start; i < end; i++) dx[i]! += dy[i]! - total * Math.exp(y[i]!)
    }
  },
})
