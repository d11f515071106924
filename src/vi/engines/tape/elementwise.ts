import { chunk, exponentials } from "./exponentials.ts"
import type { Unary } from "./operation.ts"

// The elementwise functions of densities and relaxations. Values are those of `numeric/Nd`, slopes those of tfjs (see
// `Unary`). Each function has its own loops: a loop that calls a function for each element boxes every number.

export const neg: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = -x[i]!
  },
  backward: (_x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! -= dy[i]!
  },
}

export const square: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) {
      const a = x[i]!
      y[i] = a * a
    }
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! * (2 * x[i]!)
  },
}

export const sqrt: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.sqrt(x[i]!)
  },
  backward: (_x, y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! / (2 * y[i]!)
  },
}

export const exp: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.exp(x[i]!)
  },
  backward: (_x, y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! * y[i]!
  },
}

export const log: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.log(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! / x[i]!
  },
}

export const tanh: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.tanh(x[i]!)
  },
  backward: (_x, y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) {
      const t = y[i]!
      dx[i]! += dy[i]! * (1 - t * t)
    }
  },
}

export const sigmoid: Unary = {
  forward: (x, y) => () => {
    const { values, apply } = exponentials(chunk)
    for (let from = 0; from < y.length; from += chunk) {
      const to = Math.min(y.length, from + chunk)
      for (let i = from; i < to; i++) values[i - from] = -x[i]!
      apply(to - from)
      for (let i = from; i < to; i++) y[i] = 1 / (1 + values[i - from]!)
    }
  },
  backward: (_x, y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) {
      const p = y[i]!
      dx[i]! += dy[i]! * (p * (1 - p))
    }
  },
}

export const softplus: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) {
      const a = x[i]!
      y[i] = Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)))
    }
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! / (1 + Math.exp(-x[i]!))
  },
}

export const clamp = (low: number, high: number): Unary => ({
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.min(Math.max(x[i]!, low), high)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) {
      const a = x[i]!
      if (a >= low && a <= high) dx[i]! += dy[i]!
    }
  },
})
