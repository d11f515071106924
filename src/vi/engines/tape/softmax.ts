import { exp } from "../../../numeric/Elementary.ts"
import { chunk, type Exponentials, exponentials } from "./exponentials.ts"
import type { Run, Unary } from "./operation.ts"
import * as Real from "../../../numeric/Real.ts"

// Softmax along rows of n elements, by the formulas of `numeric/Nd`. Relaxed categorical draws are most of a step, and
// most have two or three categories: loops without an inner loop take half the time.

/** A loop over rows of n elements, in chunks of the buffer of exponentials. */
const inChunks = (
  length: number,
  n: number,
  run: (exponentials: Exponentials, from: number, to: number) => void,
): Run => {
  const step = n * Math.max(1, Math.floor(chunk / Math.max(1, n)))
  return () => {
    const room = exponentials(step)
    for (let from = 0; from < length; from += step) run(room, from, Math.min(length, from + step))
  }
}

/** exp(x - top) / total of each row, where `top` is the largest element and `total` makes the sum 1. */
export const softmax = (n: number): Unary => (n === 2 ? pairs : n === 3 ? triples : rows(n))

const rows = (n: number): Unary => ({
  forward: (x, y) =>
    inChunks(y.length, n, ({ values, apply }, from, to) => {
      for (let start = from; start < to; start += n) {
        const end = start + n
        let top = -Infinity
        for (let i = start; i < end; i++) top = Math.max(top, x[i]!)
        for (let i = start; i < end; i++) values[i - from] = x[i]! - top
      }
      apply(to - from)
      for (let start = from; start < to; start += n) {
        const end = start + n
        let total = 0
        for (let i = start; i < end; i++) total += values[i - from]!
        for (let i = start; i < end; i++) y[i] = values[i - from]! / total
      }
    }),
  backward: (_x, y, dx, dy) => () => {
    for (let start = 0; start < dy.length; start += n) {
      const end = start + n
      let mean = 0
      for (let i = start; i < end; i++) mean += dy[i]! * y[i]!
      for (let i = start; i < end; i++) dx[i]! += (dy[i]! - mean) * y[i]!
    }
  },
})

/**
 * The larger of two elements has exp(top - top), which is 1, or NaN where top is infinite: one exponential is enough.
 */
const pairs: Unary = {
  forward: (x, y) =>
    inChunks(y.length, 2, ({ values, apply }, from, to) => {
      for (let i = from, j = 0; i < to; i += 2, j++) {
        const a = x[i]!
        const b = x[i + 1]!
        values[j] = a > b ? b - a : a - b
      }
      apply((to - from) / 2)
      for (let i = from, j = 0; i < to; i += 2, j++) {
        const a = x[i]!
        const b = x[i + 1]!
        const weight = values[j]!
        if (a > b) {
          const own = 1 + (a - a)
          y[i] = own / (own + weight)
          y[i + 1] = weight / (own + weight)
        } else {
          const own = 1 + (b - b)
          y[i] = weight / (weight + own)
          y[i + 1] = own / (weight + own)
        }
      }
    }),
  backward: (_x, y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i += 2) {
      const p = y[i]!
      const q = y[i + 1]!
      const mean = dy[i]! * p + dy[i + 1]! * q
      dx[i]! += (dy[i]! - mean) * p
      dx[i + 1]! += (dy[i + 1]! - mean) * q
    }
  },
}

const triples: Unary = {
  forward: (x, y) =>
    inChunks(y.length, 3, ({ values, apply }, from, to) => {
      for (let i = from, j = 0; i < to; i += 3, j += 3) {
        const top = Math.max(x[i]!, x[i + 1]!, x[i + 2]!)
        values[j] = x[i]! - top
        values[j + 1] = x[i + 1]! - top
        values[j + 2] = x[i + 2]! - top
      }
      apply(to - from)
      for (let i = from, j = 0; i < to; i += 3, j += 3) {
        const p = values[j]!
        const q = values[j + 1]!
        const r = values[j + 2]!
        const total = p + q + r
        y[i] = p / total
        y[i + 1] = q / total
        y[i + 2] = r / total
      }
    }),
  backward: (_x, y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i += 3) {
      const p = y[i]!
      const q = y[i + 1]!
      const r = y[i + 2]!
      const mean = dy[i]! * p + dy[i + 1]! * q + dy[i + 2]! * r
      dx[i]! += (dy[i]! - mean) * p
      dx[i + 1]! += (dy[i + 1]! - mean) * q
      dx[i + 2]! += (dy[i + 2]! - mean) * r
    }
  },
}

/**
 * x - top - log(total) of each row; see `softmax`. Its slopes use the softmax of the same x, `weights`, which
 * divergences compute too.
 */
export const logSoftmax = (n: number, weights: Float64Array): Unary => ({
  forward: (x, y) => () => {
    for (let start = 0; start < y.length; start += n) {
      const end = start + n
      let top = -Infinity
      for (let i = start; i < end; i++) top = Math.max(top, x[i]!)
      let total = 0
      for (let i = start; i < end; i++) {
        const below = x[i]! - top
        y[i] = below
        // The shorter form: in one body with the logarithm that of `Real` would leave a number on the heap.
        total += exp(below)
      }
      const logTotal = Real.log(total)
      for (let i = start; i < end; i++) y[i]! -= logTotal
    }
  },
  backward: (_x, _y, dx, dy) => () => {
    for (let start = 0; start < dy.length; start += n) {
      const end = start + n
      let total = 0
      for (let i = start; i < end; i++) total += dy[i]!
      for (let i = start; i < end; i++) dx[i]! += dy[i]! - total * weights[i]!
    }
  },
})
