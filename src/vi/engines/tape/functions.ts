import { digamma as digammaOf, lgamma as lgammaOf, trigamma } from "../../../numeric/Special.ts"
import type { Unary } from "./operation.ts"

// The other elementwise functions: trigonometry, steps and the gamma family. As in `elementwise`, each has its own loops.

export const abs: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.abs(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) {
      const a = x[i]!
      dx[i]! += dy[i]! * (a > 0 ? 1 : a <= 0 ? -1 : Number.NaN)
    }
  },
}

/** Its slope is 0 everywhere. */
export const sign: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.sign(x[i]!)
  },
}

export const guard: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) {
      const a = x[i]!
      y[i] = a >= 0 ? Math.max(a, 1e-6) : Math.min(a, -1e-6)
    }
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! * (Math.abs(x[i]!) >= 1e-6 ? 1 : 0)
  },
}

export const sin: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.sin(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! * Math.cos(x[i]!)
  },
}

export const cos: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.cos(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! -= dy[i]! * Math.sin(x[i]!)
  },
}

export const tan: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.tan(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) {
      const c = Math.cos(x[i]!)
      dx[i]! += dy[i]! / (c * c)
    }
  },
}

export const asin: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.asin(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! / Math.sqrt(1 - x[i]! * x[i]!)
  },
}

export const acos: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.acos(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! -= dy[i]! / Math.sqrt(1 - x[i]! * x[i]!)
  },
}

export const atan: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.atan(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! / (1 + x[i]! * x[i]!)
  },
}

export const lgamma: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = lgammaOf(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! * digammaOf(x[i]!)
  },
}

export const digamma: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = digammaOf(x[i]!)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) dx[i]! += dy[i]! * trigamma(x[i]!)
  },
}
