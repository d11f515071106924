import * as Special from "../../../numeric/Special.ts"
import type { Unary } from "./operation.ts"

/**
 * A function from its two loop bodies, of one element each. The functions here are rare, so that one loop serves all; the bodies take
 * indices, since a number would be boxed.
 */
const each = (
  forward: (i: number, x: Float64Array, y: Float64Array) => void,
  backward: (i: number, x: Float64Array, dx: Float64Array, dy: Float64Array) => void,
): Unary => ({
  forward: (x, y) => () => {
    for (let i = 0; i < y.length; i++) forward(i, x, y)
  },
  backward: (x, _y, dx, dy) => () => {
    for (let i = 0; i < dy.length; i++) backward(i, x, dx, dy)
  },
})

export const abs = each(
  (i, x, y) => void (y[i] = Math.abs(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * (x[i]! > 0 ? 1 : x[i]! <= 0 ? -1 : Number.NaN)),
)

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
  (i, x, y) => void (y[i] = Math.sin(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! * Math.cos(x[i]!)),
)

export const cos = each(
  (i, x, y) => void (y[i] = Math.cos(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! -= dy[i]! * Math.sin(x[i]!)),
)

export const tan = each(
  (i, x, y) => void (y[i] = Math.tan(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! / (Math.cos(x[i]!) * Math.cos(x[i]!))),
)

export const asin = each(
  (i, x, y) => void (y[i] = Math.asin(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! += dy[i]! / Math.sqrt(1 - x[i]! * x[i]!)),
)

export const acos = each(
  (i, x, y) => void (y[i] = Math.acos(x[i]!)),
  (i, x, dx, dy) => void (dx[i]! -= dy[i]! / Math.sqrt(1 - x[i]! * x[i]!)),
)

export const atan = each(
  (i, x, y) => void (y[i] = Math.atan(x[i]!)),
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
