import * as Special from "../../../numeric/Special.ts"
import * as Real from "../../../numeric/Real.ts"
import { chunk, exponentials } from "./exponentials.ts"
import type { Unary } from "./operation.ts"

// The elementwise functions of densities, relaxations and terms. Values are those of `numeric/Nd`, slopes those of tfjs (see `Unary`).

/** A function from its two loop bodies, of one element each. The bodies take indices, since a number would be boxed. */
const each = (
  forward: (i: number, x: Float64Array, y: Float64Array) => void,
  backward: (i: number, x: Float64Array, dx: Float64Array, dy: Float64Array, y: Float64Array) => void,
): Unary => ({
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) forward(i, x, y)
  },
  backward: (x, y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) backward(i, x, dx, dy, y)
  },
})

export const neg = each(
  (i, x, y) => void (y[i] = -x[i]!),
  (i, _x, dx, dy) => void (dx[i]! -= dy[i]!),
)

export const square = each(
  (i, x, y) => void (y[i] = x[i]! * x[i]!),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * (2 * x[i]!)),
)

export const sqrt = each(
  (i, x, y) => void (y[i] = Math.sqrt(x[i]!)),
  (i, _x, dx, dy, y) => void (dx[i]! += dy[i]! / (2 * y[i]!)),
)

export const exp = each(
  (i, x, y) => void (y[i] = Real.exp(x[i]!)),
  (i, _x, dx, dy, y) => void (dx[i]! += dy[i]! * y[i]!),
)

export const log = each(
  (i, x, y) => void (y[i] = Real.log(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! / x[i]!),
)

export const tanh = each(
  (i, x, y) => void (y[i] = Real.tanh(x[i]!)),
  (i, _x, dx, dy, y) => void (dx[i]! += dy[i]! * (1 - y[i]! * y[i]!)),
)

// Of two functions in one body engines put one in the place of its call; the number of the other would be boxed.
const expAt = (i: number, y: Float64Array): void => void (y[i] = Real.exp(y[i]!))
const log1pAt = (i: number, y: Float64Array): void => void (y[i] = Real.log1p(y[i]!))

export const softplus = each(
  (i, x, y) => {
    y[i] = -Math.abs(x[i]!)
    expAt(i, y)
    log1pAt(i, y)
    y[i] = Math.max(x[i]!, 0) + y[i]
  },
  (i, x, dx, dy) => void (dx[i]! += dy[i]! / (1 + Real.exp(-x[i]!))),
)

export const clamp = (low: number, high: number): Unary =>
  each(
    (i, x, y) => void (y[i] = Math.min(Math.max(x[i]!, low), high)),
    (i, x, dx, dy) => void (x[i]! >= low && x[i]! <= high && (dx[i]! += dy[i]!)),
  )

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

export const abs = each(
  (i, x, y) => void (y[i] = Math.abs(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * (x[i]! > 0 ? 1 : x[i]! <= 0 ? -1 : Number.NaN)),
)

/** x, without a slope. */
export const stopGradient: Unary = {
  forward: (x, y) => () => y.set(x),
}

/** Its slope is 0 everywhere. */
export const sign: Unary = {
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) y[i] = Math.sign(x[i]!)
  },
}

export const guard = each(
  (i, x, y) => void (y[i] = x[i]! >= 0 ? Math.max(x[i]!, 1e-6) : Math.min(x[i]!, -1e-6)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * (Math.abs(x[i]!) >= 1e-6 ? 1 : 0)),
)

export const sin = each(
  (i, x, y) => void (y[i] = Real.sin(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * Real.cos(x[i]!)),
)

export const cos = each(
  (i, x, y) => void (y[i] = Real.cos(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! -= dy[i]! * Real.sin(x[i]!)),
)

export const tan = each(
  (i, x, y) => void (y[i] = Real.tan(x[i]!)),
  (i, x, dx, dy) => {
    const cosine = Real.cos(x[i]!)
    dx[i]! += dy[i]! / (cosine * cosine)
  },
)

export const asin = each(
  (i, x, y) => void (y[i] = Real.asin(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! / Math.sqrt(1 - x[i]! * x[i]!)),
)

export const acos = each(
  (i, x, y) => void (y[i] = Real.acos(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! -= dy[i]! / Math.sqrt(1 - x[i]! * x[i]!)),
)

export const atan = each(
  (i, x, y) => void (y[i] = Real.atan(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! / (1 + x[i]! * x[i]!)),
)

export const lgamma = each(
  (i, x, y) => void (y[i] = Special.lgamma(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * Special.digamma(x[i]!)),
)

export const digamma = each(
  (i, x, y) => void (y[i] = Special.digamma(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * Special.trigamma(x[i]!)),
)
